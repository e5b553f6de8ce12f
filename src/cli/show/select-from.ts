import type { Session } from '../../history/index.ts';
import { addAll, type Key, type LogRecord, type Segment } from '../../model/index.ts';
import { findSubagent } from '../find-session.ts';
import type { Selection } from './index.ts';

/** From a record on: in the thread to show first, if the record is in it. */
export function selectFrom(session: Session, { id, subagent }: LogRecord): Selection {
  const from = { session, from: id };
  if (subagent !== null) return { ...from, thread: null, subagent: findSubagent(session, subagent) };
  if (session.defaultThread?.has(id)) return { ...from, subagent: null, thread: session.defaultThread };
  const leaves = leavesBelow(session.rootSegments, id);
  return { ...from, subagent: null, thread: session.threads.find(({ facts }) => leaves.has(facts.leaf)) ?? null };
}

/** The ends of all threads that lead through a record. Each record is looked at once, however many there are. */
function leavesBelow(segments: readonly Segment[], id: Key): ReadonlySet<Key> {
  const own = [...walk(segments)].find(({ records }) => records.includes(id));
  const ends = [...walk(own ? [own] : [])].filter(({ children }) => children.length === 0);
  return new Set(ends.map(({ records }) => records[records.length - 1] as Key));
}

function* walk(segments: readonly Segment[]): Generator<Segment> {
  const stack = [...segments];
  for (let segment = stack.pop(); segment; segment = stack.pop()) {
    yield segment;
    addAll(stack, segment.children);
  }
}
