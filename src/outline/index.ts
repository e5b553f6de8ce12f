export {
  type BarCounts,
  type BarLabels,
  type BarTooltips,
  barLabels,
  barTooltips,
  type FoldButton,
  type FoldState,
  hasOneLevel,
  initialState,
  press,
  stateBelow,
} from './fold-bar.ts';
export type { Counts, NodeType, Outline, OutlineNode, Row, RowPair, RowTool } from './node.ts';
export { buildOutline, type OutlineOptions, updateOutline } from './outline.ts';
export { resultText } from './read-rows.ts';
