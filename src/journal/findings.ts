import { ENTRIES } from '../formats/pi/shapes.ts';
import type { WarningType } from '../model/index.ts';
import type { SessionEntry } from './entries.ts';
import type { EntryIndex } from './entry-index.ts';
import { linesOf } from './line-numbers.ts';
import type { ReadFile } from './read-file.ts';
import { shown } from './values.ts';

/** Something odd in a session's file. It never stops the reading, and the bytes stay. */
export interface JournalFinding {
  readonly type: WarningType;
  readonly message: string;
  readonly line: number | null;
  readonly id: string | null;
}

const finding = (
  type: WarningType,
  message: string,
  line: number | null,
  id: string | null = null,
): JournalFinding => ({
  type,
  message,
  line,
  id,
});

export const unreadable = (line: number) => finding('unparsable_line', 'Line is no JSON object', line);
export const tornTail = (line: number) =>
  finding('torn_last_line', 'The last line is not whole; the next entry begins on a line of its own', line);
export const noId = (line: number) => finding('missing_required_field', 'Entry without id', line);
export const badHeader = () =>
  finding('missing_required_field', 'The file does not begin with a session header: it can be read, not written', 1);

/** What is odd about the entries and how they hang together. */
export function examine(read: Pick<ReadFile, 'entries' | 'gaps'>, index: EntryIndex): JournalFinding[] {
  let lines: readonly number[] | null = null;
  const found: JournalFinding[] = [];
  const seen = new Set<string>();
  const compactions: (readonly [SessionEntry & { type: 'compaction' }, number])[] = [];
  read.entries.forEach((entry, place) => {
    if (entry.type === 'session' || (entry.type === 'message' && index.isPlain)) return;
    lines ??= linesOf(read);
    const line = lines[place] ?? 0;
    const { id, parentId } = entry;
    if (!ENTRIES.has(entry.type)) {
      found.push(finding('unknown_record_type', `Unknown type of entry: ${shown(entry.type)}`, line, id));
    }
    if (seen.has(id)) found.push(finding('duplicate_uuid', `Another entry has the id ${id}`, line, id));
    seen.add(id);
    if (typeof parentId === 'string' && !index.has(parentId))
      found.push(finding('orphaned_record', `The parent ${parentId} is not there`, line, id));
    if (index.cuts.has(id)) found.push(finding('parent_cycle', 'The parents of this entry lead back to it', line, id));
    if (entry.type === 'compaction') compactions.push([entry, line]);
  });
  return [...found, ...checkAnchors(compactions, index)];
}

/** A compaction keeps the messages from an entry above it; from anywhere else it keeps none. */
function checkAnchors(
  compactions: readonly (readonly [SessionEntry & { type: 'compaction' }, number])[],
  index: EntryIndex,
): JournalFinding[] {
  if (compactions.length === 0) return [];
  const spans = spansOf(index);
  return compactions.flatMap(([entry, line]) => {
    const kept = spans.get(entry.firstKeptEntryId);
    const own = spans.get(entry.id);
    if (kept && own && kept.from <= own.from && own.to <= kept.to) return [];
    const message = `The first kept entry ${shown(entry.firstKeptEntryId)} is not above the compaction`;
    return [finding('orphaned_record', message, line, entry.id)];
  });
}

interface Span {
  readonly from: number;
  to: number;
}

/** Numbers the entries in the order of the tree: what hangs on an entry has numbers within its span. */
function spansOf(index: EntryIndex): Map<string, Span> {
  const spans = new Map<string, Span>();
  let count = 0;
  for (const [place, root] of index.nodes.entries()) {
    if (index.parentAt(place) >= 0) continue;
    const stack: SessionEntry[] = [root];
    for (let entry = stack.at(-1); entry; entry = stack.at(-1)) {
      const span = spans.get(entry.id);
      if (span) {
        span.to = count;
        stack.pop();
      } else {
        spans.set(entry.id, { from: count, to: count++ });
        for (const child of index.children(entry.id)) stack.push(child);
      }
    }
  }
  return spans;
}
