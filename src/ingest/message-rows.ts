import type { CallId, Line, LineRef, LogRecord, ResultOf } from '../model/index.ts';
import type { MessageEntry, MessageKeys } from '../stores/index.ts';

export type LineAt = (ref: LineRef) => Line | undefined;

/** The messages of one record, as `messages/extract.ts` makes them, without content and without reading a line again (M1, M2). */
export function messageRows(record: LogRecord, hidden: boolean, keys: MessageKeys, lineAt: LineAt): MessageEntry[] {
  const { kind, session, calls, subagent: agent } = record;
  const [first, ...more] = record.lines;
  if (!first) return [];
  const shared = { session, kind, hidden, agent, isSidechain: true, uuid: null, more: NONE };
  const id = keys.record(record.id);
  const rows: MessageEntry[] = [
    {
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
    },
  ];
  calls.forEach((call, number) => {
    const use = keys.toolUse(record.id, number);
    const line = record.lines.find(({ ref }) => ref.line === call.at.line && ref.file === call.at.file);
    rows.push({
      ...shared,
      id: use,
      parent: id,
      type: 'tool_use',
      time: line?.time ?? record.time,
      number,
      at: call.at,
      toolName: call.name,
      isError: null,
    });
    if (!call.result) return;
    rows.push({
      ...shared,
      id: keys.toolResult(record.id, number),
      parent: use,
      type: 'tool_result',
      time: resultTime(lineAt(call.result), call.id),
      number,
      at: call.result,
      toolName: call.name,
      isError: call.isError,
    });
  });
  strayResults(record, lineAt).forEach(({ at, of }, number) => {
    rows.push({
      ...shared,
      id: keys.strayResult(record.id, number),
      parent: id,
      type: 'tool_result',
      time: record.time,
      number,
      at,
      toolName: null,
      isError: of.isError,
    });
  });
  return rows;
}

const NONE: readonly LineRef[] = [];

const resultTime = (line: Line | undefined, call: CallId): number | null =>
  line?.in === 'chain' && resultsIn(line).some((of) => of.call === call) ? line.time : null;

const resultsIn = (line: Line | undefined): readonly ResultOf[] =>
  line?.in === 'chain' && line.place.as === 'result' && !line.place.body ? line.place.of : [];

/** Results of unknown calls stay with the record that brought them. */
export function strayResults(record: LogRecord, lineAt: LineAt): { at: LineRef; of: ResultOf }[] {
  if (record.kind === 'assistant') return [];
  return record.lines.flatMap(({ as, ref }) =>
    as === 'part' ? resultsIn(lineAt(ref)).map((of) => ({ at: ref, of })) : [],
  );
}

/** How many messages a record is counted as; as `countMessages`. */
export function countOf(record: LogRecord, rows: readonly MessageEntry[]): number {
  if (record.kind === 'user' && record.origin === null) return rows.length;
  let count = 1;
  for (const call of record.calls) count += call.result ? 2 : 1;
  return count;
}
