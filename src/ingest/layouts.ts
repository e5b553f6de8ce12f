import type { OwnEntry } from '../stores/index.ts';

/** Which messages a record has: their slots, as `MessageKeys` counts them, in the order of its rows, in which they grow. The same list for the same messages. */
export type Layout = readonly number[];

/** The layouts that begin alike, by the slot they go on with. */
interface Beginning {
  layout: Layout | null;
  readonly next: Map<number, Beginning>;
}

const NONE: Beginning = { layout: null, next: new Map() };

/** Few layouts are different: each is held once. */
export function layoutOf(rows: readonly OwnEntry[]): Layout {
  let found = NONE;
  for (const row of rows) {
    const slot = slotOf(row);
    let next = found.next.get(slot);
    if (!next) {
      next = { layout: null, next: new Map() };
      found.next.set(slot, next);
    }
    found = next;
  }
  found.layout ??= rows.map(slotOf);
  return found.layout;
}

function slotOf({ type, number, toolName }: OwnEntry): number {
  if (type === 'tool_use') return 1 + 3 * number;
  if (type === 'tool_result') return (toolName === null ? 3 : 2) + 3 * number;
  return 0;
}
