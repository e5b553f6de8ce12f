import type { Session } from '../history/index.ts';
import type { Key, LineRef, LogRecord } from '../model/index.ts';

/**
 * Where the agent would go on. Pi goes on at the last line of the file, whatever that is: moving back in the tree leaves only a line there.
 * The others name it, or mean the end of the default thread: null.
 */
export function activeLeaf(session: Session): Key | null {
  if (session.facts.leaf !== null || session.agent !== 'pi') return session.facts.leaf;
  const file = session.facts.files.at(-1);
  let last = { line: 0, id: null as Key | null };
  for (const record of session.records())
    for (const ref of refsOf(record))
      if (ref.file === file && ref.line > last.line) last = { line: ref.line, id: record.id };
  return last.id;
}

const refsOf = ({ lines, calls, annotations }: LogRecord): LineRef[] => [
  ...lines.map(({ ref }) => ref),
  ...calls.flatMap(({ result, more }) => (result ? [result, ...more] : more)),
  ...annotations.map(({ ref }) => ref),
];
