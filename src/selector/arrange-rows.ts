import type { Nodes } from './nodes.ts';

/** The nodes that are shown, as rows from top to bottom. */
export interface Rows {
  readonly length: number;
  /** Its node. */
  readonly node: Int32Array;
  /** The row above it in the tree: its nearest ancestor that is shown; -1: none. */
  readonly parent: Int32Array;
  /** Forks on the way to it. */
  readonly depth: Int32Array;
  /** The row that begins its branch; -1 on a line that no fork is above. */
  readonly head: Int32Array;
  /** For a row that begins a branch: no other branch of its fork follows. */
  readonly last: Uint8Array;
  /** The row of a node; -1: not shown. */
  readonly rowOf: Int32Array;
  /** How many nodes the filter lets through below a node, folded or not. */
  readonly below: Int32Array;
}

/**
 * Lays out what passes and is not folded away. A node hangs on its nearest ancestor that passes. Only a fork goes deeper: what simply
 * follows stays in its column. A sub-agent is a branch of its own and makes no fork of what follows the record that started it.
 */
export function arrangeRows(nodes: Nodes, passes: Uint8Array, folded: Uint8Array): Rows {
  const { length, parent, agent } = nodes;
  const near = new Int32Array(length);
  const isShut = new Uint8Array(length);
  const kids = new Int32Array(length + 1);
  const insets = new Int32Array(length + 1);
  let count = 0;
  for (let at = 0; at < length; at++) {
    const up = parent[at] as number;
    const above = up < 0 ? -1 : passes[up] ? up : (near[up] as number);
    near[at] = above;
    if (up >= 0 && (folded[up] || isShut[up])) isShut[at] = 1;
    if (!passes[at] || isShut[at]) continue;
    count++;
    const family = isInset(agent, at, above) ? insets : kids;
    family[above + 1] = (family[above + 1] as number) + 1;
  }
  const rows = emptyRows(length, count);
  const [seenKids, seenInsets] = [new Int32Array(length + 1), new Int32Array(length + 1)];
  let row = 0;
  for (let at = 0; at < length; at++) {
    if (!passes[at] || isShut[at]) continue;
    const above = near[at] as number;
    const inset = isInset(agent, at, above);
    const [family, seen] = inset ? [insets, seenInsets] : [kids, seenKids];
    const nth = (seen[above + 1] as number) + 1;
    seen[above + 1] = nth;
    const up = above < 0 ? -1 : (rows.rowOf[above] as number);
    const isHead = inset || (family[above + 1] as number) > 1;
    rows.node[row] = at;
    rows.rowOf[at] = row;
    rows.parent[row] = up;
    // Beginnings stand at the left, however many there are.
    rows.depth[row] = up < 0 ? 0 : (rows.depth[up] as number) + (isHead ? 1 : 0);
    rows.head[row] = isHead ? row : up < 0 ? -1 : (rows.head[up] as number);
    rows.last[row] = nth === family[above + 1] ? 1 : 0;
    row++;
  }
  countBelow(nodes, passes, rows.below);
  return rows;
}

/** A sub-agent's first row that is shown hangs on somebody else's. */
const isInset = (agent: Int32Array, at: number, above: number): boolean => above >= 0 && agent[at] !== agent[above];

const emptyRows = (nodes: number, length: number): Rows => ({
  length,
  node: new Int32Array(length),
  parent: new Int32Array(length),
  depth: new Int32Array(length),
  head: new Int32Array(length),
  last: new Uint8Array(length),
  rowOf: new Int32Array(nodes).fill(-1),
  below: new Int32Array(nodes),
});

/** What hangs on a node comes after it: from the end upwards every sum is complete when it is added. */
function countBelow({ length, parent }: Nodes, passes: Uint8Array, below: Int32Array): void {
  for (let at = length - 1; at >= 0; at--) {
    const up = parent[at] as number;
    if (up >= 0) below[up] = (below[up] as number) + (below[at] as number) + (passes[at] as number);
  }
}

/** `│  ├─ `: the lines of the forks above a row. The first `shift` of them are left out. */
export function connectorsOf(rows: Rows, row: number, shift: number): string {
  const levels: string[] = [];
  let head = rows.head[row] as number;
  let isOwn = head === row;
  for (let level = rows.depth[row] as number; level > shift && head >= 0; level--) {
    const isLast = rows.last[head] === 1;
    levels.push(isOwn ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  ');
    isOwn = false;
    const up = rows.parent[head] as number;
    head = up < 0 ? -1 : (rows.head[up] as number);
  }
  return levels.reverse().join('');
}
