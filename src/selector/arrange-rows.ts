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
  /** The same for a row deeper than `NEAR_LEVELS`: the row that begins the branch at that depth. */
  readonly top: Int32Array;
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
 *
 * The arrays are made once and filled anew: fetching memory takes longer than the work. What was given before is no longer true then.
 */
export class RowArranger {
  readonly #nodes: Nodes;
  readonly #near: Int32Array;
  readonly #isShut: Uint8Array;
  /** By the node above, counted from 1: how many rows hang on it, and how many of them have been met. */
  readonly #kids: Int32Array;
  readonly #insets: Int32Array;
  readonly #metKids: Int32Array;
  readonly #metInsets: Int32Array;
  readonly #rows: Rows;

  constructor(nodes: Nodes) {
    const { length } = nodes;
    const numbers = (count: number): Int32Array => new Int32Array(count);
    this.#nodes = nodes;
    this.#near = numbers(length);
    this.#isShut = new Uint8Array(length);
    this.#kids = numbers(length + 1);
    this.#insets = numbers(length + 1);
    this.#metKids = numbers(length + 1);
    this.#metInsets = numbers(length + 1);
    const arrays = { node: numbers(length), parent: numbers(length), depth: numbers(length), head: numbers(length) };
    this.#rows = {
      length,
      ...arrays,
      top: numbers(length),
      last: new Uint8Array(length),
      rowOf: numbers(length),
      below: numbers(length),
    };
  }

  arrange(passes: Uint8Array, folded: Uint8Array): Rows {
    this.#findParents(passes, folded);
    const length = this.#placeRows(passes);
    this.#countBelow(passes);
    const { node, parent, depth, head, top, last, rowOf, below } = this.#rows;
    return {
      length,
      node: node.subarray(0, length),
      parent: parent.subarray(0, length),
      depth: depth.subarray(0, length),
      head: head.subarray(0, length),
      top: top.subarray(0, length),
      last: last.subarray(0, length),
      rowOf,
      below,
    };
  }

  #findParents(passes: Uint8Array, folded: Uint8Array): void {
    const { length, parent, agent } = this.#nodes;
    const [near, isShut, kids, insets] = [this.#near, this.#isShut, this.#kids, this.#insets];
    kids.fill(0);
    insets.fill(0);
    for (let at = 0; at < length; at++) {
      const up = parent[at] as number;
      const above = up < 0 ? -1 : passes[up] ? up : (near[up] as number);
      near[at] = above;
      isShut[at] = up >= 0 && (folded[up] || isShut[up]) ? 1 : 0;
      if (!passes[at] || isShut[at]) continue;
      const family = isInset(agent, at, above) ? insets : kids;
      family[above + 1] = (family[above + 1] as number) + 1;
    }
  }

  #placeRows(passes: Uint8Array): number {
    const { length, agent } = this.#nodes;
    const [near, isShut, metKids, metInsets] = [this.#near, this.#isShut, this.#metKids, this.#metInsets];
    const { node, parent, depth, head, top, last, rowOf } = this.#rows;
    metKids.fill(0);
    metInsets.fill(0);
    rowOf.fill(-1);
    let row = 0;
    for (let at = 0; at < length; at++) {
      if (!passes[at] || isShut[at]) continue;
      const above = near[at] as number;
      const inset = isInset(agent, at, above);
      const met = inset ? metInsets : metKids;
      const family = (inset ? this.#insets : this.#kids)[above + 1] as number;
      const nth = (met[above + 1] as number) + 1;
      met[above + 1] = nth;
      const up = above < 0 ? -1 : (rowOf[above] as number);
      const isHead = inset || family > 1;
      node[row] = at;
      rowOf[at] = row;
      parent[row] = up;
      // Beginnings stand at the left, however many there are.
      depth[row] = up < 0 ? 0 : (depth[up] as number) + (isHead ? 1 : 0);
      head[row] = isHead ? row : up < 0 ? -1 : (head[up] as number);
      top[row] = (depth[row] as number) <= NEAR_LEVELS ? (head[row] as number) : (top[up] as number);
      last[row] = nth === family ? 1 : 0;
      row++;
    }
    return row;
  }

  /** What hangs on a node comes after it: from the end upwards every sum is complete when it is added. */
  #countBelow(passes: Uint8Array): void {
    const { length, parent } = this.#nodes;
    const { below } = this.#rows;
    below.fill(0);
    for (let at = length - 1; at >= 0; at--) {
      const up = parent[at] as number;
      if (up >= 0) below[up] = (below[up] as number) + (below[at] as number) + (passes[at] as number);
    }
  }
}

/** A sub-agent's first row that is shown hangs on somebody else's. */
const isInset = (agent: Int32Array, at: number, above: number): boolean => above >= 0 && agent[at] !== agent[above];

/** No screen shows more levels than these. */
const NEAR_LEVELS = 512;
const LEVEL_WIDTH = 3;

/**
 * `│  ├─ `: the lines of the forks above a row. The first `shift` of them are left out; what is beyond `columns` may be. Forks may be
 * nested as deep as there are rows, and each row would go through all above it.
 */
export function connectorsOf(rows: Rows, row: number, shift: number, columns = Number.POSITIVE_INFINITY): string {
  const levels: string[] = [];
  const depth = rows.depth[row] as number;
  const isBeyond = depth > NEAR_LEVELS && LEVEL_WIDTH * (NEAR_LEVELS - shift) > columns;
  let head = (isBeyond ? rows.top[row] : rows.head[row]) as number;
  let isOwn = head === row;
  for (let level = isBeyond ? NEAR_LEVELS : depth; level > shift && head >= 0; level--) {
    const isLast = rows.last[head] === 1;
    levels.push(isOwn ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  ');
    isOwn = false;
    const up = rows.parent[head] as number;
    head = up < 0 ? -1 : (rows.head[up] as number);
  }
  return levels.reverse().join('');
}
