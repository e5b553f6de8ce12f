import { eachRecord, extractMessages, type MessageFinding, validateMessages } from '../messages/index.ts';
import type { Finding, LogRecord, RecordContent } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import type { Logs } from './logs.ts';
import { readContent } from './read-content.ts';

const NOTHING: RecordContent = { own: [], replies: [], results: new Map(), annotations: [] };

/** The rules for extracted messages (M5), over every session of some logs; `only`: of these files. Equal findings of one file are counted. */
export function checkMessages(logs: Logs, tree: Tree, only?: ReadonlySet<string>): Finding[] {
  const counted = new Map<string, Finding>();
  for (const session of tree.sessionIds()) {
    const { roots, subagents } = tree.session(session);
    const starters = new Set([...roots, ...subagents.flatMap((subagent) => subagent.roots)]);
    const records = [...eachRecord(tree, session)];
    const messages = records.flatMap(({ record, spawn }) =>
      extractMessages(record, contentOf(logs, record), spawn, () => null),
    );
    const byId = new Map(records.map(({ record }) => [record.id, record]));
    for (const found of validateMessages(messages, starters)) {
      const at = byId.get(found.record)?.lines[0]?.ref;
      if (!at || (only && !only.has(at.file))) continue;
      const key = `${found.rule}\n${at.file}`;
      const known = counted.get(key);
      counted.set(key, known ? { ...known, count: known.count + 1 } : findingOf(found, at));
    }
  }
  return [...counted.values()];
}

/** The rules speak of ids and times; only what nobody typed may hold results of unknown calls. */
const contentOf = (logs: Logs, record: LogRecord): RecordContent =>
  record.kind === 'user' && record.origin === null ? readContent(logs, record, {}) : NOTHING;

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
