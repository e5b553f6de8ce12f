import type { MessageEntry } from '../stores/index.ts';
import type { MessageRow } from './message-rows.ts';

/** Which messages a record has: their slots, as `MessageKeys` counts them, in the order of its rows. The same list for the same messages. */
export type Layout = readonly number[];

const ALONE: Layout = [0];
const LAYOUTS = new Map<string, Layout>();

/** Few layouts are different: each is held once. */
export function layoutOf(rows: readonly MessageRow[]): Layout {
  if (rows.length === 1) return ALONE;
  let name = '';
  for (const { row } of rows) name += `${slotOf(row)} `;
  let layout = LAYOUTS.get(name);
  if (!layout) {
    layout = rows.map(({ row }) => slotOf(row));
    LAYOUTS.set(name, layout);
  }
  return layout;
}

function slotOf({ type, number, toolName }: MessageEntry): number {
  if (type === 'tool_use') return 1 + 3 * number;
  if (type === 'tool_result') return (toolName === null ? 3 : 2) + 3 * number;
  return 0;
}
