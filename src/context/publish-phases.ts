import type { Usage } from '../model/index.ts';
import { type Accumulated, sameParts, sameTokens } from './accumulate.ts';
import type { Phase, ResponseContext } from './context-view.ts';
import type { RecordParts } from './read-parts.ts';

/** The phases with what the log reports about them; `known` ones that came out the same are kept. */
export function publishPhases(
  { responses, stretches }: Accumulated,
  records: readonly RecordParts[],
  known: readonly Phase[],
): Phase[] {
  return stretches.map(({ number, begins, record, place, firstResponse, rest, total }, i) => {
    const said = records[place]?.emptied;
    const before = () => lastUsed(responses, stretches[i - 1]?.firstResponse ?? 0, firstResponse);
    const after = () => firstUsed(responses, firstResponse, stretches[i + 1]?.firstResponse ?? responses.length);
    const isStart = begins === 'start';
    const phase: Phase = {
      number,
      begins,
      record,
      before: isStart ? null : (said?.before ?? before()),
      after: isStart ? null : (said?.after ?? after()),
      rest,
      total,
    };
    const same = known[i];
    return same && isSame(same, phase) ? same : phase;
  });
}

const isSame = (a: Phase, b: Phase): boolean =>
  a.number === b.number &&
  a.begins === b.begins &&
  a.record === b.record &&
  a.before === b.before &&
  a.after === b.after &&
  sameTokens(a.total, b.total) &&
  sameParts(a.rest, b.rest);

/** All tokens of one response: what it was given, and what it gave. */
const usedBy = (usage: Usage | null): number =>
  usage ? usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h + usage.output : 0;

function firstUsed(responses: readonly ResponseContext[], from: number, to: number): number | null {
  for (let i = from; i < to; i++) {
    const used = usedBy(responses[i]?.usage ?? null);
    if (used > 0) return used;
  }
  return null;
}

function lastUsed(responses: readonly ResponseContext[], from: number, to: number): number | null {
  for (let i = to - 1; i >= from; i--) {
    const used = usedBy(responses[i]?.usage ?? null);
    if (used > 0) return used;
  }
  return null;
}
