import type { Fact, FileId, Key } from '../model/index.ts';
import { addAll } from '../model/index.ts';
import type { ContextPart, Phase } from './context-view.ts';
import type { RecordParts } from './read-parts.ts';

/** Where a session says that its window was emptied, and what was kept. */
export interface Marks {
  /** Lines after which nothing of what was said before is in the window, ascending. */
  readonly clears: ReadonlyMap<FileId, readonly number[]>;
  /** By the place of a compaction: the first entry that stayed in the window. */
  readonly firstKept: ReadonlyMap<string, Key>;
  /** Equal for equal marks. */
  readonly sign: string;
}

export function readMarks(facts: readonly Fact[]): Marks {
  const clears = new Map<FileId, number[]>();
  const firstKept = new Map<string, Key>();
  for (const { type, value, ref } of facts) {
    if (type === 'clear' || type === 'reset_boundary') {
      const lines = clears.get(ref.file);
      if (lines) lines.push(ref.line);
      else clears.set(ref.file, [ref.line]);
    } else if (type === 'compaction') {
      const kept = (value as { firstKept?: unknown } | null)?.firstKept;
      if (typeof kept === 'string') firstKept.set(`${ref.file}:${ref.line}`, kept);
    }
  }
  return { clears, firstKept, sign: JSON.stringify([[...clears], [...firstKept]]) };
}

/** Whether a phase begins at this place of the path; the first record begins one in any case. */
export function beginsAt(records: readonly RecordParts[], place: number, marks: Marks): Phase['begins'] | null {
  const record = records[place]?.record;
  if (record?.kind === 'compaction') return 'compaction';
  if (place === 0) return 'start';
  const ref = record?.lines[0]?.ref;
  const lines = ref && marks.clears.get(ref.file);
  if (!lines) return null;
  const clear = lines[lastBefore(lines, ref.line)];
  return clear !== undefined && lineBefore(records, place, ref.file) < clear ? 'clear' : null;
}

/** Where the record before this one in the same file stands. */
function lineBefore(records: readonly RecordParts[], place: number, file: FileId): number {
  for (let i = place - 1; i >= 0; i--) {
    const ref = records[i]?.record.lines[0]?.ref;
    if (ref?.file === file) return ref.line;
  }
  return 0;
}

/** The last of ascending numbers below a limit; -1: none. */
export function lastBefore(places: readonly number[], limit: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What stayed in the window over the compaction at this place: everything from the first kept entry on, older summaries left out. */
export function keptParts(records: readonly RecordParts[], place: number, marks: Marks): ContextPart[] {
  const ref = records[place]?.record.lines[0]?.ref;
  const first = ref && marks.firstKept.get(`${ref.file}:${ref.line}`);
  if (first === undefined) return [];
  for (let i = place - 1; i >= 0; i--) {
    const { record, answer, parts, lines } = records[i] as RecordParts;
    const isHere = record.lines.some(({ key }) => key === first);
    // The first kept entry may be one that says nothing, such as a change of the model: what was written after it counts.
    const mark = isHere ? null : record.annotations.find(({ key }) => key === first);
    if (!isHere && !mark) continue;
    const isAfter = ({ message }: ContextPart) => (lines[message]?.line ?? 0) > (mark?.ref.line ?? 0);
    const whole = record.kind === 'compaction' ? [] : [...answer, ...parts];
    const kept = isHere ? whole : whole.filter(isAfter);
    for (const between of records.slice(i + 1, place)) {
      if (between.record.kind !== 'compaction') addAll(kept, [...between.answer, ...between.parts]);
    }
    return kept;
  }
  return [];
}
