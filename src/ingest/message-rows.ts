import type { LineRef, LogRecord, ResultOf } from '../model/index.ts';
import type { MessageEntry, MessageKeys } from '../stores/index.ts';
import type { ResultLine } from '../tree/index.ts';
import type { SaidAt } from './text-docs.ts';

/** As `Tree.resultsAt`. */
export type ResultsAt = (ref: LineRef) => ResultLine | null;

/** A message and where its text stands. */
export interface MessageRow {
  readonly row: MessageEntry;
  readonly said: SaidAt;
}

/** The messages of one record, as `messages/extract.ts` makes them, without content and without reading a line again (M1, M2). */
export function messageRows(record: LogRecord, hidden: boolean, keys: MessageKeys, resultsAt: ResultsAt): MessageRow[] {
  const { kind, session, calls, subagent: agent } = record;
  // Steps of the queue say nothing of their own.
  const lines = record.lines.some(({ as }) => as !== 'queue')
    ? record.lines.filter(({ as }) => as !== 'queue')
    : record.lines;
  const [first, ...more] = lines;
  if (!first) return [];
  const shared = { session, kind, hidden, agent, isSidechain: true, isAgain: false, uuid: null, nth: 0, more: NONE };
  const id = keys.record(record.id);
  const row: MessageEntry = {
    ...shared,
    id,
    parent: record.parent === null ? null : keys.record(record.parent),
    uuid: record.id,
    type: kind === 'assistant' ? 'assistant' : 'user',
    isSidechain: agent !== null || calls.length > 0,
    time: record.time,
    number: 0,
    at: first.ref,
    more: more.map(({ ref }) => ref),
    toolName: null,
    isError: null,
  };
  const rows: MessageRow[] = [
    { row, said: { refs: lines.map(({ ref }) => ref), of: 'own', call: null, callAt: null } },
  ];
  calls.forEach((call, number) => {
    const use = keys.toolUse(record.id, number);
    const line = record.lines.find(({ ref }) => ref.line === call.at.line && ref.file === call.at.file);
    const called: MessageEntry = {
      ...shared,
      id: use,
      parent: id,
      type: 'tool_use',
      time: line?.time ?? record.time,
      number,
      nth: calls.length === 1 ? 0 : calls.filter(({ at }, i) => i < number && isSamePlace(at, call.at)).length,
      at: call.at,
      toolName: call.name,
      isError: null,
    };
    rows.push({ row: called, said: { refs: [call.at], of: 'call', call: call.id, callAt: call.at } });
    if (!call.result) return;
    // Of calls that share an id the last one that has a result gives it, as everywhere.
    const { result: at, more } = calls.findLast(({ id, result }) => id === call.id && result !== null) ?? call;
    if (!at) return;
    const results = resultsAt(at);
    const nth = results?.of.findIndex((of) => of.call === call.id) ?? -1;
    const result: MessageEntry = {
      ...shared,
      id: keys.toolResult(record.id, number),
      parent: use,
      type: 'tool_result',
      time: nth < 0 ? null : (results?.time ?? null),
      number,
      nth: Math.max(0, nth),
      at,
      more,
      toolName: call.name,
      isError: call.isError,
    };
    rows.push({
      row: result,
      said: { refs: [at, ...more], of: 'result', call: call.id, callAt: call.at },
    });
  });
  strayResults(record, resultsAt).forEach(({ at, of, nth }, number) => {
    const stray: MessageEntry = {
      ...shared,
      id: keys.strayResult(record.id, number),
      parent: id,
      type: 'tool_result',
      time: record.time,
      number,
      nth,
      at,
      toolName: null,
      isError: of.isError,
    };
    rows.push({ row: stray, said: { refs: [at], of: 'result', call: of.call, callAt: null } });
  });
  return rows;
}

const NONE: readonly LineRef[] = [];

const isSamePlace = (a: LineRef, b: LineRef): boolean => a.line === b.line && a.file === b.file;

/** Results of unknown calls stay with the record that brought them. */
export function strayResults(record: LogRecord, resultsAt: ResultsAt): { at: LineRef; of: ResultOf; nth: number }[] {
  if (record.kind === 'assistant') return [];
  return record.lines.flatMap(({ as, ref }) =>
    as === 'part' ? (resultsAt(ref)?.of.map((of, nth) => ({ at: ref, of, nth })) ?? []) : [],
  );
}

/** How many messages a record is counted as; as `countMessages`. */
export function countOf(record: LogRecord, rows: readonly MessageRow[]): number {
  if (record.kind === 'user' && record.origin === null) return rows.length;
  let count = 1;
  for (const call of record.calls) count += call.result ? 2 : 1;
  return count;
}
