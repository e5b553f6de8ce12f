import { type ResultsAt, strayResults } from '../messages/index.ts';
import { type LineRef, type LogRecord, lineFinder, type RecordLine, type ToolCall } from '../model/index.ts';
import type { MessageKeys, OwnEntry } from '../stores/index.ts';
import { PairedCalls } from './pair-calls.ts';
import type { SaidAt } from './text-docs.ts';

/** Whether it was written before and which document has its text is not known yet. */
export type OpenEntry = Omit<OwnEntry, 'isAgain' | 'doc'> & { isAgain: boolean; doc: OwnEntry['doc'] };

/** Where the text of each message stands, for who wants to know. `title`: the record is found by it too. */
export interface Sayings {
  readonly title: string | null;
  readonly list: SaidAt[];
}

/** The messages of one record, as `messages/extract.ts` makes them, without content and without reading a line again (M1, M2). */
export function messageRows(
  record: LogRecord,
  keys: MessageKeys,
  resultsAt: ResultsAt,
  said: Sayings | null = null,
): OpenEntry[] {
  const { calls } = record;
  const refs = refsOf(record.lines);
  const [at] = refs;
  if (!at) return [];
  const parent = record.parent === null ? null : keys.record(record.parent);
  const id = keys.record(record.id);
  const own: OpenEntry = {
    id,
    parent,
    uuid: record.id,
    type: record.kind === 'assistant' ? 'assistant' : 'user',
    isSidechain: record.subagent !== null || calls.length > 0,
    time: record.time,
    number: 0,
    nth: 0,
    at,
    more: refs.length > 1 ? refs.slice(1) : NONE,
    toolName: null,
    isError: null,
    isAgain: false,
    doc: undefined,
  };
  said?.list.push({ refs, of: 'own', call: null, nth: null, callAt: null, callNth: 0, title: said.title });
  const rows = [own];
  if (calls.length > 0) addCalls(rows, record, keys, resultsAt, said);
  for (const { at, call, isError, nth, number } of strayResults(record, resultsAt)) {
    const stray: OpenEntry = {
      id: keys.strayResult(record.id, number),
      parent: id,
      uuid: null,
      type: 'tool_result',
      isSidechain: true,
      time: record.time,
      number,
      nth,
      at,
      more: NONE,
      toolName: null,
      isError,
      isAgain: false,
      doc: undefined,
    };
    rows.push(stray);
    said?.list.push({ refs: [at], of: 'result', call, nth, callAt: null, callNth: 0, title: null });
  }
  return rows;
}

function addCalls(
  rows: OpenEntry[],
  record: LogRecord,
  keys: MessageKeys,
  resultsAt: ResultsAt,
  said: Sayings | null,
): void {
  const { calls } = record;
  const id = keys.record(record.id);
  const pairs = new PairedCalls(calls, resultsAt);
  const lineAt = lineFinder(record.lines);
  for (let number = 0; number < calls.length; number++) {
    const call = calls[number] as ToolCall;
    const use = keys.toolUse(record.id, number);
    const called: OpenEntry = {
      id: use,
      parent: id,
      uuid: null,
      type: 'tool_use',
      isSidechain: true,
      time: lineAt(call.at)?.time ?? record.time,
      number,
      nth: call.nth,
      at: call.at,
      more: NONE,
      toolName: call.name,
      isError: call.isError,
      isAgain: false,
      doc: undefined,
    };
    const { id: of, at: callAt, nth: callNth } = call;
    rows.push(called);
    said?.list.push({ refs: [callAt], of: 'call', call: of, nth: callNth, callAt, callNth, title: null });
    if (!call.result) continue;
    const { result: answer, more } = pairs.answered(call);
    if (!answer) continue;
    const { time, nth } = pairs.result(answer, call.id);
    const result: OpenEntry = {
      id: keys.toolResult(record.id, number),
      parent: use,
      uuid: null,
      type: 'tool_result',
      isSidechain: true,
      time,
      number,
      nth,
      at: answer,
      more,
      toolName: call.name,
      isError: call.isError,
      isAgain: false,
      doc: undefined,
    };
    rows.push(result);
    if (!said) continue;
    const refs = more.length > 0 ? [answer, ...more] : [answer];
    said.list.push({ refs, of: 'result', call: of, nth: null, callAt, callNth, title: null });
  }
}

/** Steps of the queue say nothing of their own, unless there is nothing else. */
function refsOf(lines: readonly RecordLine[]): readonly LineRef[] {
  const refs: LineRef[] = [];
  for (const { as, ref } of lines) if (as !== 'queue') refs.push(ref);
  return refs.length > 0 ? refs : lines.map(({ ref }) => ref);
}

const NONE: readonly LineRef[] = [];
