import { existsSync } from 'node:fs';
import type { Session } from '../history/index.ts';
import { type FileId, type Key, type LogRecord, type Segment, SkeinError } from '../model/index.ts';
import { type Label, readLabels, type SelectorNode } from '../selector/index.ts';
import { notedUnder, notesAbout, writeNotes } from './notes.ts';

/** The labels of a session: those in its log, and those of the user; of two on one record the later one. */
export async function labelsOf(session: Session): Promise<Map<Key, Label>> {
  const found = readLabels(session.logs.read().tree, session.facts);
  const labels = new Map([...found].map(([key, label]) => [key, { ...label, text: session.conceal(label.text) }]));
  for (const { sort, record, text, time } of await notesAbout(session)) {
    const key = sort === 'label' && record !== null ? (session.record(record)?.id ?? record) : null;
    if (key === null || (labels.get(key)?.time ?? 0) > time) continue;
    labels.set(key, { text: session.conceal(text), time });
  }
  return labels;
}

/** Those on the way to the end of each thread. Each record is looked at once, however many threads lead through it. */
export function labelsByLeaf(
  segments: readonly Segment[],
  labels: ReadonlyMap<Key, Label>,
): ReadonlyMap<Key, readonly string[]> {
  const byLeaf = new Map<Key, readonly string[]>();
  const stack = labels.size === 0 ? [] : segments.map((segment) => ({ segment, above: NONE }));
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { records, children } = at.segment;
    const own = records.flatMap((id) => labels.get(id)?.text ?? []);
    const named = own.length === 0 ? at.above : [...at.above, ...own];
    for (const segment of children) stack.push({ segment, above: named });
    if (children.length === 0) byLeaf.set(records[records.length - 1] as Key, named);
  }
  return byLeaf;
}

const NONE: readonly string[] = [];

/** Where a label was written. */
export interface LabelPlace {
  readonly in: 'log' | 'notes';
  /** The log. */
  readonly path: string | null;
}

/**
 * Sets a label, or with an empty text takes it away. In a log that programs may append to it becomes an entry, as the agent itself would
 * write it; about any other it is noted in the user's own file.
 */
export async function setLabel(session: Session, node: SelectorNode, text: string, time: number): Promise<LabelPlace> {
  const target = targetOf(node);
  const journal = await openJournal(session, target);
  if (journal) {
    try {
      journal.manager.appendLabelChange(journal.entry, text === '' ? undefined : text);
    } finally {
      journal.manager.close();
    }
    // A note from before would come back.
    if (text === '') await clearNote(session, target, time);
    return { in: 'log', path: journal.path };
  }
  await writeNotes((notes) => notes.set({ ...placeOf(session, target), text, time }));
  return { in: 'notes', path: null };
}

/** What a label hangs on: an annotation with an id of its own, else the record. */
interface Target {
  readonly id: Key;
  readonly aliases: readonly Key[];
  readonly file: FileId;
}

function targetOf({ record, annotation }: SelectorNode): Target {
  if (annotation?.key) return { id: annotation.key, aliases: [], file: annotation.ref.file };
  if (!record) throw new SkeinError('bad_input', 'This stands before the first record and has no id');
  return { id: record.id, aliases: record.aliases, file: record.lines[0]?.ref.file ?? '' };
}

async function clearNote(session: Session, target: Target, time: number): Promise<void> {
  const isNoted = (await notesAbout(session)).some((note) => note.sort === 'label' && note.record === target.id);
  if (isNoted) await writeNotes((notes) => notes.set({ ...placeOf(session, target), text: '', time }));
}

const placeOf = (session: Session, { id, file }: Target) =>
  ({ sort: 'label', agent: session.agent, session: notedUnder(session, file), record: id }) as const;

/** The session file to append to; null where there is none, or what is labelled is no entry in it. */
async function openJournal(session: Session, target: Target) {
  const file = session.agent === 'pi' ? session.logs.file(target.file) : undefined;
  if (!file || file.bytes || file.kept || !existsSync(file.path)) return null;
  const { SessionManager } = await import('../journal/index.ts');
  const manager = SessionManager.open(file.path);
  const entry = entriesOf(target).find((id) => manager.getEntry(id) !== undefined);
  if (entry !== undefined && manager.isWritable()) return { manager, entry, path: file.path };
  manager.close();
  return null;
}

/** `<session>/<entry>`: what may be the id of its entry in the file, and those of the lines folded into it. */
export const entriesOf = ({ id, aliases }: Pick<LogRecord, 'id' | 'aliases'>): string[] =>
  [id, ...aliases].map((key) => key.slice(key.indexOf('/') + 1));
