import { ENTRIES } from '../formats/pi/shapes.ts';
import type { WarningType } from '../model/index.ts';
import type { SessionEntry } from './entries.ts';
import type { EntryIndex } from './entry-index.ts';
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

/** What is odd about entries and how they hang together. In a plain session messages need not be among them. */
export function examine(entries: Iterable<readonly [SessionEntry, number]>, index: EntryIndex): JournalFinding[] {
  const found: JournalFinding[] = [];
  const seen = new Set<string>();
  const compactions: (readonly [SessionEntry & { type: 'compaction' }, number])[] = [];
  for (const [entry, line] of entries) {
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
  }
  return [...found, ...checkAnchors(compactions, index)];
}

/** A compaction keeps the messages from an entry above it; from anywhere else it keeps none. */
function checkAnchors(
  compactions: readonly (readonly [SessionEntry & { type: 'compaction' }, number])[],
  index: EntryIndex,
): JournalFinding[] {
  if (compactions.length === 0) return [];
  const { from, to } = spansOf(index);
  return compactions.flatMap(([entry, line]) => {
    const [kept, own] = [index.placeOf(entry.firstKeptEntryId), index.placeOf(entry.id)];
    if (kept >= 0 && own >= 0 && at(from, kept) <= at(from, own) && at(to, own) <= at(to, kept)) return [];
    const message = `The first kept entry ${shown(entry.firstKeptEntryId)} is not above the compaction`;
    return [finding('orphaned_record', message, line, entry.id)];
  });
}

const at = (numbers: Int32Array, place: number): number => numbers[place] as number;

/** Numbers the entries in the order of the tree: what hangs on an entry has numbers from its `from` up to its `to`. */
function spansOf(index: EntryIndex): { from: Int32Array; to: Int32Array } {
  const none = () => new Int32Array(index.size).fill(-1);
  const [from, to, firstChild, sibling] = [none(), none(), none(), none()];
  for (let place = index.size - 1; place >= 0; place--) {
    const parent = index.parentAt(place);
    if (parent < 0) continue;
    sibling[place] = at(firstChild, parent);
    firstChild[parent] = place;
  }
  let count = 0;
  for (let root = 0; root < index.size; root++) {
    if (index.parentAt(root) >= 0) continue;
    for (let place = root; place >= 0; ) {
      if (at(from, place) < 0) {
        from[place] = count++;
        if (at(firstChild, place) >= 0) {
          place = at(firstChild, place);
          continue;
        }
      }
      to[place] = count;
      if (place === root) break;
      place = at(sibling, place) >= 0 ? at(sibling, place) : index.parentAt(place);
    }
  }
  return { from, to };
}
