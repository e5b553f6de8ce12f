import type { CallId, Finding, LogRecord } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { eachRecord } from './message-list.ts';
import { type CheckedMessage, type MessageFinding, validateMessages } from './validate.ts';

/** The calls that results in a record name and that nobody knows. */
export type StraysOf = (record: LogRecord) => readonly CallId[];

/** The rules for extracted messages (M5), over every session of a tree; `only`: of these files. Equal findings of one file are counted. */
export function checkMessages(tree: Tree, straysOf: StraysOf, only?: ReadonlySet<string>): Finding[] {
  const counted = new Map<string, Finding>();
  for (const session of tree.sessionIds()) {
    const { roots, subagents } = tree.session(session);
    const starters = new Set([...roots, ...subagents.flatMap((subagent) => subagent.roots)]);
    const messages: CheckedMessage[] = [];
    for (const { record } of eachRecord(tree, session)) addLinks(messages, record, straysOf(record));
    for (const found of validateMessages(messages, starters)) {
      const at = tree.record(found.record)?.lines[0]?.ref;
      if (!at || (only && !only.has(at.file))) continue;
      const key = `${found.rule}\n${at.file}`;
      const known = counted.get(key);
      counted.set(key, known ? { ...known, count: known.count + 1 } : findingOf(found, at));
    }
  }
  return [...counted.values()];
}

/** What the rules ask of the messages of a record, as `extract.ts` makes them: ids and times, no content. */
function addLinks(messages: CheckedMessage[], record: LogRecord, strays: readonly CallId[]): void {
  const { id, subagent, time, calls, lines } = record;
  const agentId = subagent ?? undefined;
  messages.push({
    uuid: id,
    parentUuid: record.parent,
    type: record.kind === 'assistant' ? 'assistant' : 'user',
    isSidechain: subagent !== null || calls.length > 0,
    timestamp: time,
    record: id,
    toolUseId: undefined,
    agentId,
  });
  const tool = (
    uuid: string,
    parentUuid: string,
    type: CheckedMessage['type'],
    timestamp: number | null,
    call: CallId,
  ) => messages.push({ uuid, parentUuid, type, isSidechain: true, timestamp, record: id, toolUseId: call, agentId });
  for (const [i, call] of calls.entries()) {
    const line = lines.find(({ ref }) => ref.line === call.at.line && ref.file === call.at.file);
    tool(`${id}_tool_${i}`, id, 'tool_use', line?.time ?? time, call.id);
    // When it came is not asked: an agent may write it down with any time.
    if (call.result) tool(`${id}_result_${i}`, `${id}_tool_${i}`, 'tool_result', null, call.id);
  }
  for (const [i, call] of strays.entries()) tool(`${id}_result_${i}`, id, 'tool_result', time, call);
}

const findingOf = (
  { rule, type, severity, message, uuid }: MessageFinding,
  at: { file: string; line: number },
): Finding => ({
  rule,
  type,
  severity,
  message,
  file: at.file,
  line: at.line,
  uuid,
  version: null,
  count: 1,
});
