import type { Counts, NodeType, OutlineNode, Row } from './node.ts';

interface Draft {
  readonly row: Row;
  readonly ancestry: readonly string[];
  readonly children: Draft[];
}

/** Rows in their order → a tree, by one pass with a stack (O2), then counts from the leaves up (O5). Nodes that are equal to one of `known` are that one. */
export function assemble(
  rows: readonly Row[],
  known: ReadonlyMap<string, OutlineNode>,
): { readonly node: OutlineNode; readonly nodes: Map<string, OutlineNode> } {
  const root: Draft = { row: rows[0] as Row, ancestry: [], children: [] };
  const stack: Draft[] = [root];
  const drafts: Draft[] = [root];
  for (let i = 1; i < rows.length; i++) {
    const row = rows[i] as Row;
    while (stack.length > 1 && (stack[stack.length - 1] as Draft).row.level >= row.level) stack.pop();
    const parent = stack[stack.length - 1] as Draft;
    const draft: Draft = { row, ancestry: ancestryBelow(parent), children: [] };
    parent.children.push(draft);
    drafts.push(draft);
    stack.push(draft);
  }
  const nodes = new Map<string, OutlineNode>();
  // Children come after their parents in the list, so from its end every child is made before its parent.
  const made = new Map<Draft, OutlineNode>();
  for (let i = drafts.length - 1; i >= 0; i--) {
    const draft = drafts[i] as Draft;
    const children = draft.children.map((child) => made.get(child) as OutlineNode);
    const node = settle(draft, children, known.get(draft.row.id));
    made.set(draft, node);
    nodes.set(node.id, node);
  }
  return { node: made.get(root) as OutlineNode, nodes };
}

const below = new WeakMap<Draft, readonly string[]>();

/** Siblings share one list. */
function ancestryBelow(parent: Draft): readonly string[] {
  let list = below.get(parent);
  if (!list) {
    list = [...parent.ancestry, parent.row.id];
    below.set(parent, list);
  }
  return list;
}

const rowOf = new WeakMap<OutlineNode, Row>();

function settle({ row, ancestry }: Draft, children: readonly OutlineNode[], old: OutlineNode | undefined): OutlineNode {
  if (old && isSameList(old.children, children) && isSameList(old.ancestry, ancestry) && isEqual(rowOf.get(old), row))
    return old;
  const node: OutlineNode = { ...row, ancestry, children, ...count(children) };
  rowOf.set(node, row);
  return node;
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

const DEEPEST = 500;

/** Of a record that changed most rows say what they said before. What is nested without end counts as another. */
function isEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > DEEPEST) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key as never], b[key as never], depth + 1));
}

function count(children: readonly OutlineNode[]) {
  const immediate: Partial<Record<NodeType, number>> = {};
  const total: Partial<Record<NodeType, number>> = {};
  let totalCount = 0;
  let allPaired = true;
  for (const child of children) {
    const type = countedAs(child);
    immediate[type] = (immediate[type] ?? 0) + 1;
    total[type] = (total[type] ?? 0) + 1;
    totalCount += 1 + child.totalCount;
    allPaired &&= child.allPaired && (child.type !== 'tool' || child.pair !== undefined);
    for (const [each, number] of Object.entries(child.totalByType) as [NodeType, number][])
      total[each] = (total[each] ?? 0) + number;
  }
  return {
    hasChildren: children.length > 0,
    immediateCount: children.length,
    totalCount,
    immediateByType: immediate as Counts,
    totalByType: total as Counts,
    allPaired,
  };
}

/** A pair counts under its main half: a thought with its answer is an answer. */
const countedAs = ({ type, pair }: Pick<Row, 'type' | 'pair'>): NodeType =>
  type === 'thinking' && pair ? 'assistant' : type;
