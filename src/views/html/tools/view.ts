import type { RowTool } from '../../../outline/index.ts';
import { renderJson, renderOutput, renderPlain } from '../blocks.ts';
import { escapeHtml, escapeText } from '../escape.ts';
import { foldLong } from '../fold-long.ts';
import { renderMarkdown } from '../markdown.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** How a tool's call and result look. Every tool without one gets a tidy list of what it was given, and its output. */
export interface ToolView {
  readonly input?: (input: Fields, detail: Fields) => string;
  readonly result?: (tool: RowTool, input: Fields, detail: Fields) => string;
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
/** A name or a number. */
export const word = (value: unknown): string => (typeof value === 'number' ? `${value}` : text(value));
export const none = (): string => '';
export const quiet = (said: string): string => (said === '' ? '' : `<p class="quiet">${escapeHtml(said)}</p>`);

export const markdownOutput = (tool: RowTool): string => renderOutput(tool.result?.block.output, renderMarkdown);
export const plainOutput = (tool: RowTool): string =>
  renderOutput(tool.result?.block.output, (said) => foldLong(renderPlain(said), said));
export const errorOutput = (tool: RowTool): string => (tool.isError ? plainOutput(tool) : '');

const SHORT = 200;

/** What a tool was given, one line each; long values in a block of their own. */
export function renderFields(input: Fields): string {
  const rows = Object.entries(input).map(([key, value]) => {
    const isShort =
      (typeof value !== 'object' || value === null) && `${value}`.length <= SHORT && !`${value}`.includes('\n');
    const shown = isShort
      ? escapeHtml(`${value}`)
      : typeof value === 'string'
        ? foldLong(`<pre class="out">${escapeText(value)}</pre>`, value)
        : renderJson(value);
    return `<dt>${escapeHtml(key)}</dt><dd>${shown}</dd>`;
  });
  return rows.length > 0 ? `<dl class="fields">${rows.join('')}</dl>` : '';
}

/** What the head of the call does not say already. */
export const besides = (input: Fields, key: string): Fields =>
  text(input[key]).length <= SHORTEST && !text(input[key]).includes('\n') ? without(input, key) : input;

const SHORTEST = 120;

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = (row: readonly string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => cells(row, 'td')).join('');
  return `<div class="md"><table><thead>${cells(heads, 'th')}</thead><tbody>${body}</tbody></table></div>`;
};

export function without(input: Fields, ...keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)));
}
