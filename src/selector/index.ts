export { connectorsOf, type Rows } from './arrange-rows.ts';
export { buildNodes, buildPrompts } from './build-nodes.ts';
export { FILTER_MODES, type FilterMode } from './filters.ts';
export { type Label, readLabels } from './labels.ts';
export { keyOf, type Nodes, type SelectorNode } from './nodes.ts';
export { wordsOf } from './search.ts';
export { type Row, Selector, type SelectorOptions } from './selector.ts';
export type { ReadText, RowText } from './texts.ts';
