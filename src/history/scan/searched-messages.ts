import { callOf, extractMessages, hasImage, type Message, searchText, touchedFiles } from '../../messages/index.ts';
import type { CallId, LineRef, LogRecord, RecordContent } from '../../model/index.ts';
import type { Searched } from '../../search/index.ts';
import { readContent } from '../read-content.ts';
import type { Session } from '../session.ts';

/** A message with all that is asked about it. */
export interface FoundMessage {
  readonly session: Session;
  readonly uuid: string;
  readonly record: LogRecord;
  readonly kind: string;
  readonly searched: Searched;
}

export function searchedMessages(session: Session, record: LogRecord, spawn: CallId | null): FoundMessage[] {
  const { project, logs, facts } = session;
  const content = readContent(logs, record, {});
  const { tree } = logs.read();
  const resultsAt = (ref: LineRef) => tree.resultsAt(ref);
  const shared = {
    project: [...project.names, project.path],
    session: [session.id, ...facts.aliases],
    agent: session.agent,
    model: record.usage?.model ?? null,
    branch: record.env.gitBranch ?? facts.gitBranch,
    isSubagent: record.subagent !== null,
  };
  return extractMessages(record, content, spawn, () => null, resultsAt).map((message) => ({
    session,
    uuid: message.uuid,
    record,
    kind: message.kind,
    searched: {
      ...shared,
      text: searchText(message, content),
      type: message.type,
      tool: message.toolName ?? null,
      files: filesOf(message, record, content),
      isError: message.type === 'tool_result' && message.isError === true,
      isSidechain: message.isSidechain,
      hasImage: hasImage(message, content),
      time: message.timestamp,
    },
  }));
}

/** Also those of a result: its call named them. */
function filesOf(message: Message, { env }: LogRecord, content: RecordContent): string[] {
  const call = message.toolName === undefined ? null : callOf(message, content);
  return call ? touchedFiles(call.name, call.input, env.cwd).map(({ path }) => path) : [];
}
