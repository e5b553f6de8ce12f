import type { ContextMessage, ContextView, ContextWindow, Phase } from '../../context/index.ts';
import { sumTokens } from '../../context/index.ts';
import type { Key } from '../../model/index.ts';
import { isoTime, type Json } from './json-record.ts';

/** What the model had in its window after one record (P4). `timeOf` is asked for the records that are named. */
export function jsonContext(window: ContextWindow, view: ContextView, timeOf: (record: Key) => number | null): Json {
  const { record, phase, response } = window;
  return {
    session_id: view.session,
    thread_id: view.thread,
    record_uuid: record,
    timestamp: isoTime(timeOf(record)),
    phase: phase.number,
    model: window.model,
    tokens: {
      estimated: window.tokens,
      window: window.size,
      response_uuid: response?.record ?? null,
      reported: response?.reported ?? null,
      attributed: response ? sumTokens(response.total) : null,
      not_attributed: response?.notAttributed ?? null,
    },
    categories: window.categories,
    phases: view.phases.map((each) => jsonPhase(each, timeOf)),
    messages: window.messages.map(jsonMessage),
  };
}

const jsonPhase = (
  { number, begins, record, before, after, total }: Phase,
  timeOf: (record: Key) => number | null,
) => ({
  number,
  begins,
  record_uuid: record,
  timestamp: isoTime(timeOf(record)),
  tokens_before: before,
  tokens_after: after,
  estimated: sumTokens(total),
});

const jsonMessage = ({ record, role, tokens, parts }: ContextMessage): Json => ({
  record_uuid: record,
  role,
  tokens,
  parts: parts.map((part) => ({
    type: part.type,
    category: part.category,
    label: part.label,
    tokens: part.tokens,
    ...(part.call === null ? {} : { tool_use_id: part.call }),
  })),
});
