import type { CallId, ChainLine, Key, Line, LogRecord, RecordContent } from '../model/index.ts';
import { type Extent, type LogFile, skimLog } from '../sources/index.ts';
import { SeamFinder, type Seams, type Tree } from '../tree/index.ts';
import type { Logs } from './logs.ts';
import { readContent } from './read-content.ts';
import type { Session } from './session.ts';

/** A record with what it says. */
interface Entry {
  readonly record: LogRecord;
  readonly content: RecordContent;
}

/**
 * The default thread of the session in a long file, its beginning while the file is still being read. The file is skimmed first, for
 * where it has seams; the records above one are given out as soon as it is reached, and the rest when all is read. `session` finds the
 * session the usual way. `again`: the beginning turned out to be another (a line that looked whole was damaged); all is given out anew.
 */
export function* streamThread(
  logs: Logs,
  file: LogFile,
  session: () => Session,
  again: () => void,
  extent: Extent = {},
): Generator<Entry> {
  const given: string[] = [];
  for (const entry of earlyEntries(logs, file, extent)) {
    given.push(signOf(entry.record));
    yield entry;
  }
  const whole = session();
  const thread = whole.defaultThread;
  const rest = thread?.records();
  const isAsGiven = given.every((sign) => {
    const next = rest?.next();
    return next && !next.done && signOf(next.value) === sign;
  });
  if (!isAsGiven) again();
  for (const record of (isAsGiven ? rest : thread?.records()) ?? []) yield { record, content: whole.content(record) };
}

/** Reads the file last of all, and gives out what is certain on the way. */
function* earlyEntries(logs: Logs, file: LogFile, extent: Extent): Generator<Entry> {
  const finder = new SeamFinder();
  const skimmed = skimLog(logs.format, file, (line, ties) => finder.add(line, ties), extent);
  const seams =
    skimmed && !skimmed.problem ? finder.find(logs.files.every((each) => each === file || each.size === 0)) : null;
  if (!skimmed || !seams) return;
  let done = 0;
  let next = 0;
  let isOdd = false;
  const calls = new Set<CallId>();
  const isStop = (line: Line): line is ChainLine => {
    isOdd ||= !knowsCalls(line, calls);
    return !isOdd && line.ref.line >= next && isPrompt(line) && seams.isSeam(line.ref.line);
  };
  // What is written meanwhile was not skimmed.
  for (const { tree, last } of logs.readInSteps(file, isStop, { ...extent, bytes: skimmed.bytes })) {
    // Arranging the records takes as long as there are many: each time when half as many came again.
    next = last.ref.line * 1.5;
    const path = certainPath(tree, file, last, seams);
    for (; done < path.length; done++) {
      const record = tree.record(path[done] as Key);
      if (!record || !isSettled(record, last, seams)) break;
      if (record.hidden) continue;
      yield { record, content: readContent(logs, record, {}) };
    }
  }
}

/** Whether the calls of a result were made before it: else it is a record as long as they are not, and the tree another. */
function knowsCalls(line: Line, calls: Set<CallId>): boolean {
  if (line.in !== 'chain') return true;
  for (const { id } of line.calls) calls.add(id);
  return line.place.as !== 'result' || line.place.of.every(({ call }) => calls.has(call));
}

/** What the human typed: whatever decides about the records above looks no further down than here. */
const isPrompt = (line: Line): boolean =>
  line.in === 'chain' &&
  line.kind === 'user' &&
  line.origin === 'human' &&
  line.subagent === null &&
  line.place.as === 'record' &&
  line.more?.queued !== true &&
  line.more?.loose !== true;

/** The records down to a prompt that is a seam, if the default thread leads through it however the file goes on. */
function certainPath(tree: Tree, file: LogFile, { key, ref }: ChainLine, seams: Seams): readonly Key[] {
  const session = tree
    .sessionIds()
    .map((id) => tree.session(id))
    .find(({ files }) => files.includes(file.facts.id));
  if (!session || (session.threads.length > 1 && seams.leaf < ref.line)) return [];
  const path = tree.path(session.id, key);
  // While no record has a parent, their order is that of the file (H11).
  const isKnown = path.length === 1 || tree.record(key)?.parent != null;
  return isKnown && path.at(-1) === key ? path : [];
}

/** No later line changes what it says: not by a further result, nor by what becomes of a queue. */
function isSettled(record: LogRecord, { ref }: Line, seams: Seams): boolean {
  return (
    record.lines.every((line) => line.as === 'queue' || seams.isChained(line.ref.line)) &&
    record.calls.every((call) => seams.lastResultOf(call.id) <= ref.line)
  );
}

/** The lines its text is made of. */
function signOf({ id, kind, queued, lines, calls }: LogRecord): string {
  const own = lines.filter(({ as }) => as !== 'queue').map(({ ref }) => ref.line);
  return JSON.stringify([id, kind, queued, own, calls.map(({ result }) => result?.line)]);
}
