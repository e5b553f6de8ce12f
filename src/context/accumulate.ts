import type { Usage } from '../model/index.ts';
import { sameUsage } from '../usage/index.ts';
import { CATEGORIES, type CategoryTokens, noTokens, sumTokens } from './categories.ts';
import type { ContextPart, Phase, ResponseContext } from './context-view.ts';
import { beginsAt, keptParts, lastBefore, type Marks } from './find-phases.ts';
import type { RecordParts } from './read-parts.ts';

/** A thread, as far as the window is concerned. */
export interface ReadPath {
  readonly records: readonly RecordParts[];
  readonly marks: Marks;
  /** What stood in the window before the first record. */
  readonly opening: readonly ContextPart[];
}

export interface Accumulated {
  readonly responses: readonly ResponseContext[];
  /** Where on the path each response stands. */
  readonly places: number[];
  readonly stretches: readonly Stretch[];
}

/** A phase, and where it begins. */
interface Stretch extends Pick<Phase, 'number' | 'begins' | 'record' | 'rest' | 'total'> {
  readonly place: number;
  /** How many responses come before it. */
  readonly firstResponse: number;
}

/**
 * Goes along the path and adds up what is in the window. `known` is what an earlier walk found, right up to the place `from`: the walk
 * goes on at the last response before it, and takes over whatever comes out the same.
 */
export function accumulate({ records, marks, opening }: ReadPath, known: Accumulated, from: number): Accumulated {
  const at = lastBefore(known.places, from);
  const resumed = known.responses[at];
  const start = resumed ? (known.places[at] ?? 0) : 0;
  const kept = Math.max(at, 0);
  const fresh: ResponseContext[] = [];
  const places = known.places;
  places.length = kept;
  const stretches = resumed ? known.stretches.filter(({ place }) => place <= start) : [];
  let pending: ContextPart[] = resumed ? [...resumed.added] : [];
  let total = resumed ? { ...resumed.total } : noTokens();

  const count = (parts: readonly ContextPart[]): void => {
    for (const { category, tokens } of parts) total[category] += tokens;
  };
  const add = (parts: readonly ContextPart[]): void => {
    for (const part of parts) pending.push(part);
    count(parts);
  };
  const close = (): void => {
    const last = stretches.pop();
    if (last) stretches.push({ ...last, rest: pending, total });
    pending = [];
    total = noTokens();
  };
  const open = (begins: Phase['begins'], place: number): void => {
    close();
    const number = (stretches.at(-1)?.number ?? (begins === 'start' ? 0 : 1)) + 1;
    const { id } = (records[place] as RecordParts).record;
    const firstResponse = kept + fresh.length;
    stretches.push({ number, begins, record: id, place, firstResponse, rest: pending, total });
  };

  for (let place = start; place < records.length; place++) {
    const { record, answer, parts } = records[place] as RecordParts;
    const begins = resumed && place === start ? null : beginsAt(records, place, marks);
    if (begins) open(begins, place);
    if (begins && place === 0) add(opening);
    if (record.kind === 'assistant') {
      const phase = stretches.at(-1)?.number ?? 1;
      const response = responseOf(records[place] as RecordParts, phase, pending, total);
      const before = known.responses[kept + fresh.length];
      fresh.push(before && isSame(before, response) ? before : response);
      places.push(place);
      pending = [];
      count(answer);
    }
    if (begins !== 'compaction') add(withoutRepeats(records, place));
    else {
      add(parts.filter(({ type }) => type === 'summary'));
      add(keptParts(records, place, marks));
      add(parts.filter(({ type }) => type !== 'summary'));
    }
  }
  close();
  return { responses: join(known.responses, kept, fresh), places, stretches };
}

/** The first of `known` and then `fresh`; what is known is not copied where it is the same. */
function join(
  known: readonly ResponseContext[],
  kept: number,
  fresh: readonly ResponseContext[],
): readonly ResponseContext[] {
  let same = 0;
  while (same < fresh.length && fresh[same] === known[kept + same]) same++;
  if (kept + same < known.length) return kept === 0 ? fresh : known.slice(0, kept).concat(fresh);
  return same === fresh.length ? known : known.concat(fresh.slice(same));
}

function responseOf(
  { record: { id, usage }, answer }: RecordParts,
  phase: number,
  added: readonly ContextPart[],
  total: CategoryTokens,
): ResponseContext {
  const reported = reportedBy(usage);
  const notAttributed = reported === null ? null : reported - sumTokens(total);
  return { record: id, phase, usage, added, answer, total: { ...total }, reported, notAttributed };
}

/** A response that failed reports nothing at all. */
function reportedBy(usage: Usage | null): number | null {
  return usage ? usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h || null : null;
}

const isSame = (a: ResponseContext, b: ResponseContext): boolean =>
  a.record === b.record &&
  a.phase === b.phase &&
  sameUsage(a.usage, b.usage) &&
  sameParts(a.answer, b.answer) &&
  sameTokens(a.total, b.total) &&
  sameParts(a.added, b.added);

export const sameParts = (a: readonly ContextPart[], b: readonly ContextPart[]): boolean =>
  a === b || (a.length === b.length && a.every((part, i) => part === b[i]));

export const sameTokens = (a: CategoryTokens, b: CategoryTokens): boolean =>
  CATEGORIES.every((category) => a[category] === b[category]);

/** A result stands right after its call. */
const NEAR = 20;

/** A result in a line in which a human speaks too stands at its call and here; it is in the window once. */
function withoutRepeats(records: readonly RecordParts[], place: number): readonly ContextPart[] {
  const { record, parts } = records[place] as RecordParts;
  if (record.kind === 'assistant' || !parts.some(({ type }) => type === 'result')) return parts;
  const before = records.slice(Math.max(0, place - NEAR), place).flatMap((each) => each.parts);
  const given = new Set(before.map(({ type, call }) => (type === 'result' ? call : null)));
  return parts.filter(({ type, call }) => type !== 'result' || !given.has(call));
}
