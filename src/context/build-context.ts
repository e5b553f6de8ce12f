import type { Annotation, Block, Change, ContentOf, Key, Session, SessionId } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { type Accumulated, accumulate } from './accumulate.ts';
import type { ContextPart, ContextView } from './context-view.ts';
import { type Marks, readMarks } from './find-phases.ts';
import { PartList } from './part-list.ts';
import { publishPhases } from './publish-phases.ts';
import { addAnnotation } from './read-injected.ts';
import type { RecordParts } from './read-parts.ts';
import { keepEqual, PathReader } from './read-path.ts';

export interface ContextOptions {
  /** Reads a skipped line that stands before the first record, such as what a hook said at the start. Without it none is counted. */
  readonly opening?: (annotation: Annotation) => readonly Block[];
}

/** What an update goes on from. It moves on with the newest view: an older one is updated by building it anew. */
interface State {
  readonly facts: Session | null;
  readonly reader: PathReader;
  readonly marks: Marks;
  readonly opening: Opening;
  readonly found: Accumulated;
}

interface Opening {
  readonly sign: string;
  readonly parts: readonly ContextPart[];
}

const states = new WeakMap<ContextView, State>();

/** What the model had in its window, response by response, along one thread. `content` gives annotations too: much of a window is in them. */
export function buildContext(
  tree: Tree,
  session: SessionId,
  thread: Key,
  content: ContentOf,
  options: ContextOptions = {},
): ContextView {
  return walk({ session, thread, phases: [], responses: [] }, null, tree, null, content, options);
}

/** The same as building it after the change; what did not change is the same object, and only what changed is read. */
export function updateContext(
  view: ContextView,
  tree: Tree,
  change: Change,
  content: ContentOf,
  options: ContextOptions = {},
): ContextView {
  const session = change.merged.find(({ from }) => from === view.session)?.into ?? view.session;
  const state = states.get(view) ?? null;
  const isElsewhere = session === view.session && !change.sessions.includes(session);
  // What a session holds may also change because a file turned out to be part of another.
  if (isElsewhere && state && state.facts === factsOf(tree, view)) return view;
  states.delete(view);
  return walk({ ...view, session }, state, tree, change, content, options, view);
}

function walk(
  from: ContextView,
  state: State | null,
  tree: Tree,
  change: Change | null,
  content: ContentOf,
  options: ContextOptions,
  given?: ContextView,
): ContextView {
  const reader = state?.reader ?? new PathReader();
  const facts = factsOf(tree, from);
  // A thread may be asked for by its leaf, which is another when it has grown.
  const thread = facts?.threads.find(({ id, leaf }) => id === from.thread || leaf === from.thread)?.id ?? from.thread;
  const before = { ...from, thread };
  const marks = readMarks(facts?.facts ?? []);
  const changed = reader.read(tree, before.session, before.thread, content, change);
  const opening = readOpening(facts, reader.records, options, state?.opening);
  const isNew = state?.marks.sign !== marks.sign || state.opening.sign !== opening.sign;
  const known = state?.found ?? { responses: before.responses, places: [], stretches: [] };
  const path = { records: reader.records, marks, opening: opening.parts };
  const found = accumulate(path, known, isNew ? 0 : changed);
  const phases = publishPhases(found, reader.records, before.phases);
  const isSame =
    given?.session === before.session &&
    given.thread === thread &&
    phases.length === before.phases.length &&
    phases.every((phase, i) => phase === before.phases[i]) &&
    found.responses === before.responses;
  const view = given && isSame ? given : { ...before, phases, responses: found.responses };
  states.set(view, { facts, reader, marks, opening, found });
  return view;
}

/** Null when the thread is gone. */
const factsOf = (tree: Tree, { session, thread }: ContextView): Session | null =>
  tree.pathOf(session, thread) ? tree.session(session) : null;

/** Lines before the first record, in its file: they hang on no record, and stand in the window of the first. */
function readOpening(
  session: Session | null,
  records: readonly RecordParts[],
  { opening: read }: ContextOptions,
  known: Opening | undefined,
): Opening {
  const first = records[0]?.record;
  const ref = first?.lines[0]?.ref;
  const lines =
    read && ref
      ? (session?.annotations.filter((each) => each.ref.file === ref.file && each.ref.line < ref.line) ?? [])
      : [];
  const sign = lines.length === 0 ? '' : JSON.stringify([first?.id, lines.map(({ kind, ref }) => [kind, ref.line])]);
  if (known?.sign === sign) return known;
  const list = new PartList(first?.id ?? '', -lines.length);
  for (const line of lines) addAnnotation(list.begin(line.ref, 'user'), line.kind, read?.(line) ?? []);
  return { sign, parts: known ? keepEqual(known.parts, list.parts) : list.parts };
}
