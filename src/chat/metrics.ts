import type { LogRecord } from '../model/index.ts';
import {
  distinctUsage,
  type ModelName,
  type PriceTable,
  readModelName,
  sumUsage,
  type UsageSum,
} from '../usage/index.ts';
import type { AIGroupTokens, SessionMetrics } from './types.ts';

export function metricsOf(records: readonly LogRecord[], durationMs: number, prices: PriceTable): SessionMetrics {
  // What a sub-agent used stands with the sub-agent.
  const used = distinctUsage(records, ({ isSubagent }) => isSubagent !== true);
  return toMetrics(sumUsage(used.values(), prices), durationMs, records.length);
}

function toMetrics(sum: UsageSum, durationMs: number, messageCount: number): SessionMetrics {
  return {
    durationMs,
    responses: sum.responses,
    totalTokens: sum.input + sum.output + sum.cacheRead + sum.cacheWrite,
    inputTokens: sum.input,
    outputTokens: sum.output,
    cacheReadTokens: sum.cacheRead,
    cacheCreationTokens: sum.cacheWrite,
    messageCount,
    costUsd: sum.costUsd,
  };
}

export const NO_METRICS: SessionMetrics = {
  durationMs: 0,
  responses: 0,
  totalTokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  messageCount: 0,
  costUsd: 0,
};

/** Together; the time is that of the first, within which the others ran. */
export function addMetrics(own: SessionMetrics, others: readonly SessionMetrics[]): SessionMetrics {
  if (others.length === 0) return own;
  const sum = { ...own } as { -readonly [Field in keyof SessionMetrics]: SessionMetrics[Field] };
  for (const other of others) {
    sum.responses += other.responses;
    sum.totalTokens += other.totalTokens;
    sum.inputTokens += other.inputTokens;
    sum.outputTokens += other.outputTokens;
    sum.cacheReadTokens += other.cacheReadTokens;
    sum.cacheCreationTokens += other.cacheCreationTokens;
    sum.messageCount += other.messageCount;
    sum.costUsd = sum.costUsd === null || other.costUsd === null ? null : sum.costUsd + other.costUsd;
  }
  return sum;
}

export const tokensOf = (metrics: SessionMetrics): AIGroupTokens => ({
  input: metrics.inputTokens,
  output: metrics.outputTokens,
  cached: metrics.cacheReadTokens,
  cacheCreation: metrics.cacheCreationTokens,
  total: metrics.totalTokens,
});

/** The models of some responses, the one with the most first; of equal ones the earlier. */
export function modelsOf(records: readonly LogRecord[]): ModelName[] {
  const counts = new Map<string, number>();
  for (const { usage } of records) if (usage) counts.set(usage.model, (counts.get(usage.model) ?? 0) + 1);
  const models = [...counts.keys()];
  if (models.length > 1) models.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return models.map(readModelName);
}
