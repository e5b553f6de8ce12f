import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { Format } from '../../src/model/index.ts';
import { buildOutline, type Outline, type OutlineNode, type OutlineOptions } from '../../src/outline/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { contentFrom, saidIn } from '../kit/content.ts';
import { claudeTree, type Files, onlySession, piTree } from '../kit/transcript.ts';

interface View {
  readonly outline: Outline;
  /** By id; fails when there is none. */
  readonly at: (id: string) => OutlineNode;
  /** Every node, in the order of the page. */
  readonly all: readonly OutlineNode[];
}

const filesOf = (given: Files | readonly object[]): Files =>
  Array.isArray(given) ? { 's.jsonl': given as readonly object[] } : (given as Files);

function viewOf(format: Format, tree: Tree, files: Files, options: OutlineOptions): View {
  const say = saidIn(format, files);
  const outline = buildOutline(tree, onlySession(tree).id, contentFrom(format, files), {
    annotation: ({ ref }) => say(ref),
    ...options,
  });
  const all = nodesOf(outline.root);
  return {
    outline,
    all,
    at: (id) => {
      const node = all.find((each) => each.id === id);
      if (!node) throw new Error(`no node ${id} among ${all.map((each) => each.id).join(', ')}`);
      return node;
    },
  };
}

export const claudeOutline = (given: Files | readonly object[], options: OutlineOptions = {}): View =>
  viewOf(claudeCode, claudeTree(given), filesOf(given), options);
export const piOutline = (given: Files | readonly object[]): View => viewOf(pi, piTree(given), filesOf(given), {});

export const nodesOf = (node: OutlineNode): OutlineNode[] => [node, ...node.children.flatMap(nodesOf)];

/** `u1(a1(a1_tool_0))`: who stands below whom. */
export function shapeOf({ id, children }: OutlineNode): string {
  return children.length === 0 ? id : `${id}(${children.map(shapeOf).join(' ')})`;
}
