import type { Fact, Key, LineRef, LogRecord } from '../model/index.ts';
import { addAll } from '../model/index.ts';
import type { ContextPart, Phase } from './context-view.ts';
import type { RecordParts } from './read-parts.ts';

/** Lines after which nothing of what was said before is in the window. */
export type Clears = ReadonlySet<string>;

/** Where a session says that its window was emptied, and what was kept. */
export interface Marks {
  readonly clears: Clears;
  /** By the place of a compaction: the first entry that stayed in the window. */
  readonly firstKept: ReadonlyMap<string, Key>;
  /** Equal for equal marks. */
  readonly sign: string;
}

export function readMarks(facts: readonly Fact[]): Marks {
  const clears = findClears(facts);
  const firstKept = new Map<string, Key>();
  for (const { type, value, ref } of facts) {
    if (type !== 'compaction') continue;
    const kept = (value as { firstKept?: unknown } | null)?.firstKept;
    if (typeof kept === 'string') firstKept.set(nameOf(ref), kept);
  }
  return { clears, firstKept, sign: JSON.stringify([[...clears], [...firstKept]]) };
}

export const findClears = (facts: readonly Fact[]): Clears =>
  new Set(facts.flatMap(({ type, ref }) => (type === 'clear' || type === 'reset_boundary' ? [nameOf(ref)] : [])));

const nameOf = ({ file, line }: LineRef): string => `${file}:${line}`;

/** Whether the window was emptied between two records of a path: the line that says so hangs on the first. */
export function isCleared(before: LogRecord, { lines: [line] }: LogRecord, clears: Clears): boolean {
  if (clears.size === 0) return false;
  return before.annotations.some(
    ({ ref }) => clears.has(nameOf(ref)) && !(line?.ref.file === ref.file && line.ref.line < ref.line),
  );
}

/** Whether a phase begins at this place of the path; the first record begins one in any case. */
export function beginsAt(records: readonly RecordParts[], place: number, marks: Marks): Phase['begins'] | null {
  const record = records[place]?.record;
  if (record?.kind === 'compaction') return 'compaction';
  if (place === 0) return 'start';
  const before = records[place - 1]?.record;
  return record && before && isCleared(before, record, marks.clears) ? 'clear' : null;
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
  const first = ref && marks.firstKept.get(nameOf(ref));
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
