import type { Label } from './labels.ts';
import { isPrompt, keyOf, type Nodes, type SelectorNode } from './nodes.ts';
import type { Texts } from './texts.ts';

export const FILTER_MODES = ['default', 'no-tools', 'user-only', 'labeled-only', 'all'] as const;
export type FilterMode = (typeof FILTER_MODES)[number];

export const nextMode = (mode: FilterMode): FilterMode =>
  FILTER_MODES[(FILTER_MODES.indexOf(mode) + 1) % FILTER_MODES.length] ?? 'default';

/** Which nodes a mode lets through: 1 for each that it does. */
export function filterNodes(
  nodes: Nodes,
  mode: FilterMode,
  labels: ReadonlyMap<string, Label>,
  texts: Texts,
): Uint8Array {
  const passes = new Uint8Array(nodes.length);
  const test = TESTS[mode];
  const known: Known = { at: 0, labels, texts, leaf: nodes.leaf };
  for (; known.at < nodes.length; known.at++)
    if (test(nodes.nodes[known.at] as SelectorNode, known)) passes[known.at] = 1;
  return passes;
}

interface Known {
  at: number;
  readonly leaf: number;
  readonly labels: ReadonlyMap<string, Label>;
  readonly texts: Texts;
}

const isShown = ({ record, annotation }: SelectorNode): boolean =>
  annotation === null && record !== null && !record.hidden;

const TESTS: { readonly [mode in FilterMode]: (node: SelectorNode, known: Known) => boolean } = {
  default: isShown,
  // Whether an answer says anything beside its calls stands in its content: until that was read it is taken to.
  'no-tools': (node, { at, leaf, texts }) =>
    isShown(node) && (at === leaf || node.record?.calls.length === 0 || texts.known(at)?.isSaid !== false),
  'user-only': (node) => isShown(node) && isPrompt(node),
  'labeled-only': (node, { labels }) => labels.has(keyOf(node) ?? ''),
  all: () => true,
};

/** The mode depends on what was read so far. */
export const needsTexts = (mode: FilterMode): boolean => mode === 'no-tools';
