import type { ContentOf, Finding } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { extractMessages } from './extract.ts';
import { eachRecord } from './message-list.ts';
import { type MessageFinding, validateMessages } from './validate.ts';

/**
 * The rules for extracted messages (M5), over every session of a tree; `only`: of these files. Equal findings of one file are counted.
 * The rules speak of ids and times: of the content only results of unknown calls are asked for.
 */
export function checkMessages(tree: Tree, content: ContentOf, only?: ReadonlySet<string>): Finding[] {
  const counted = new Map<string, Finding>();
  for (const session of tree.sessionIds()) {
    const { roots, subagents } = tree.session(session);
    const starters = new Set([...roots, ...subagents.flatMap((subagent) => subagent.roots)]);
    const records = [...eachRecord(tree, session)];
    const messages = records.flatMap(({ record, spawn }) =>
      extractMessages(record, content(record), spawn, () => null),
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
