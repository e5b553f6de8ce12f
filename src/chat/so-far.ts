import type { LogRecord } from '../model/index.ts';
import type { PriceTable } from '../usage/index.ts';
import { addMetrics, metricsOf, NO_METRICS } from './metrics.ts';
import type { Part } from './read-part.ts';
import type { ChatItem, SessionMetrics } from './types.ts';

/** What the items up to a place add up to. Each chunk remembers it, so that a conversation that grows is continued, not counted again. */
export interface SoFar {
  readonly user: number;
  readonly system: number;
  readonly ai: number;
  readonly compact: number;
  readonly compactions: number;
  /** How often the window was emptied without a compaction. */
  readonly clears: number;
  /** Messages sent to teammates. */
  readonly sent: number;
  /** The user-defined command that comes right before, with what it printed. */
  readonly slash: Part | null;
  readonly began: number | null;
  /** The time of what was last said: things without a time happened then. */
  readonly clock: number;
  /** The last response since the window was emptied. */
  readonly response: LogRecord | null;
  /** The chunk of a compaction that no response followed yet. */
  readonly unanswered: number | null;
  readonly metrics: SessionMetrics;
}

export const NOTHING_YET: SoFar = {
  user: 0,
  system: 0,
  ai: 0,
  compact: 0,
  compactions: 0,
  clears: 0,
  sent: 0,
  slash: null,
  began: null,
  clock: 0,
  response: null,
  unanswered: null,
  metrics: NO_METRICS,
};

/** After one more item, which stands at `place` and is made of `parts`; told without looking into it. */
export function count(
  so: SoFar,
  { type, group }: ChatItem,
  place: number,
  parts: readonly Part[],
  more: Counted,
): SoFar {
  const { record } = parts[0] as Part;
  const isCompaction = record.kind === 'compaction' && type === 'compact';
  const response = type === 'ai' ? (group.responses.findLast(isResponse) ?? null) : null;
  const start = record.time ?? so.clock;
  return {
    user: so.user + (type === 'user' ? 1 : 0),
    system: so.system + (type === 'system' ? 1 : 0),
    ai: so.ai + (type === 'ai' ? 1 : 0),
    compact: so.compact + (type === 'compact' ? 1 : 0),
    compactions: so.compactions + (isCompaction ? 1 : 0),
    clears: so.clears + more.clears,
    sent: so.sent + more.sent,
    slash: record.kind === 'user_defined_command' ? (parts[0] as Part) : null,
    began: so.began ?? (start || null),
    clock: endOf(parts, start),
    response: isCompaction ? null : (response ?? so.response),
    unanswered: isCompaction ? place : response ? null : so.unanswered,
    metrics: type === 'ai' ? addMetrics(so.metrics, [metricsOf(group.responses, 0, more.prices)]) : so.metrics,
  };
}

interface Counted {
  /** Messages to teammates in it. */
  readonly sent: number;
  readonly clears: number;
  readonly prices: PriceTable;
}

/** When its last line was written. */
function endOf(parts: readonly Part[], start: number): number {
  let end = start;
  for (const { record } of parts) for (const { time } of record.lines) if (time !== null && time > end) end = time;
  return end;
}

export const isResponse = ({ usage, kind }: LogRecord): boolean => usage !== null && kind === 'assistant';
