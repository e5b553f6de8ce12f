import {
  buildNodes,
  connectorsOf,
  keyOf,
  Selector,
  type SelectorNode,
  type SelectorOptions,
} from '../../src/selector/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { onlySession } from './transcript.ts';

/** The selector of the only session of a tree; a row says the id of its record, or what `texts` has for it. */
export function selectorOf(
  tree: Tree,
  options: SelectorOptions & { readonly texts?: Readonly<Record<string, string>> } = {},
) {
  const { texts = {}, ...rest } = options;
  const nodes = buildNodes(tree, onlySession(tree));
  return new Selector(nodes, (node) => rowText(node, texts), rest);
}

export const rowText = (node: SelectorNode, texts: Readonly<Record<string, string>>) => {
  const id = nameOf(node);
  const calls = node.annotation ? [] : (node.record?.calls.map(({ name }) => name) ?? []);
  const text = texts[id] ?? id;
  return { role: node.annotation?.kind ?? node.record?.kind ?? '', text, calls, isSaid: text !== '', isError: false };
};

/** Of a Pi entry without its session. */
export const nameOf = (node: SelectorNode): string => keyOf(node)?.replace(/^.*\//, '') ?? '';

/** The rows as a drawing: `├─ •id`; the selected one with `>`, dim ones in parentheses, folded ones with `+`. */
export function sketch(selector: Selector): string[] {
  return Array.from({ length: selector.length }, (_, index) => {
    const row = selector.row(index);
    if (!row) throw new Error(`no row ${index}`);
    const name = `${row.isActive ? '•' : ''}${nameOf(row.node)}${row.fold === 'folded' ? `+${row.below}` : ''}`;
    const label = row.label ? `[${row.label.text}]` : '';
    return `${row.isSelected ? '>' : ''}${connectorsOf(selector.rows, index, 0)}${label}${row.isDim ? `(${name})` : name}`;
  });
}
