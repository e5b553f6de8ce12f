import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Session } from '../history/index.ts';
import {
  convertThread,
  type FileEntry,
  getDefaultSessionDir,
  type Loss,
  parseSessionEntries,
  SessionManager,
  saveSession,
} from '../journal/index.ts';
import {
  type Annotation,
  type FileId,
  type Key,
  type LineRef,
  type LogRecord,
  SkeinError,
  type Title,
} from '../model/index.ts';
import { buildNodes } from '../selector/index.ts';
import { entriesOf, labelsOf } from './session-labels.ts';

export interface Branched {
  readonly path: string;
  readonly id: string;
  /** How many records there are in it; null for one that was copied as it is. */
  readonly records: number | null;
  readonly entries: number;
  readonly losses: readonly Loss[];
}

export interface BranchOptions {
  /** Where to; without it where Pi looks for sessions of the same folder. */
  readonly file?: string;
  /** Up to what stands before the record, without the record itself. */
  readonly before?: boolean;
  /** What stands after the record and is none, to branch there instead: for Pi it is an entry like any other. */
  readonly annotation?: Annotation | null;
}

/** The way from the beginning to a record, as a session of Pi of its own. One of Pi is copied entry by entry, any other is converted. */
export async function branchSession(session: Session, record: LogRecord, options: BranchOptions): Promise<Branched> {
  if (record.subagent !== null)
    throw new SkeinError('bad_input', `${record.id} belongs to a sub-agent; choose a record of the session itself`);
  return session.agent === 'pi' ? branchPi(session, record, options) : convert(session, record, options);
}

async function convert(
  session: Session,
  record: LogRecord,
  { file, before = false }: BranchOptions,
): Promise<Branched> {
  const cwd = session.facts.cwd ?? session.project.path;
  const path = pathTo(session, record);
  const { header, entries, records, losses } = convertThread({
    records: withContent(session, before ? path.slice(0, -1) : path),
    cwd,
    title: session.title,
    origin: { agent: session.agent, session: session.id },
    labels: await labelsOf(session),
  });
  const place = file === undefined ? { folder: getDefaultSessionDir(cwd) } : { file };
  return { path: saveSession(place, header, entries), id: header.id, records, entries: entries.length, losses };
}

/** One at a time: only what becomes of it stays in memory. */
function* withContent(session: Session, records: readonly LogRecord[]) {
  for (const record of records) {
    const content = session.content(record);
    const [lost] = session.unread;
    // What goes on from it would take it for the whole.
    if (lost) throw new SkeinError('unreadable', `${lost.message}; nothing is written`);
    yield { record, content };
  }
}

/** From the beginning to a record, as the session is read. */
function pathTo(session: Session, { id }: LogRecord): LogRecord[] {
  const { nodes, parent, find } = buildNodes(session.logs.read().tree, session.facts, id);
  const path: LogRecord[] = [];
  for (let at = find(id); at >= 0; at = parent[at] ?? -1) {
    const node = nodes[at];
    if (node?.record && !node.annotation) path.push(node.record);
  }
  return path.reverse();
}

async function branchPi(
  session: Session,
  record: LogRecord,
  { file, before = false, annotation }: BranchOptions,
): Promise<Branched> {
  const id = record.lines[0]?.ref.file ?? '';
  const source = session.logs.file(id);
  if (!source || source.bytes || source.kept || !existsSync(source.path))
    throw new SkeinError('not_found', `The file of ${session.id} is gone; "skein restore" writes it back`);
  const { manager, find } = openFile(source.path, id);
  const own = annotation?.key ? find(annotation.key, [], annotation.ref) : null;
  const entry = own ?? find(record.id, record.aliases, record.lines[0]?.ref);
  if (entry === null) throw new SkeinError('not_found', `${record.id} is no entry of ${source.path}`);
  const leaf = before ? manager.getBranch(entry).at(-2)?.id : (own ?? lastOf(manager, entry, record));
  if (leaf === undefined) manager.newSession();
  else {
    manager.createBranchedSession(leaf);
    const labels = [...(await labelsOf(session))].map(([key, { text }]) => {
      const labelled = session.record(key);
      return { entry: find(key, labelled?.aliases ?? [], labelled?.lines[0]?.ref), text };
    });
    carryNames(manager, session.facts.title, labels);
  }
  const header = manager.getHeader();
  if (!header) throw new SkeinError('unreadable', `${source.path} does not begin with a session header`);
  const place = file === undefined ? { folder: dirname(source.path) } : { file };
  const entries = manager.getEntries();
  const path = saveSession(place, { ...header, parentSession: source.path }, entries);
  return { path, id: header.id, records: null, entries: entries.length, losses: [] };
}

/** What a session is called, and the labels on what is in it, may stand elsewhere: in notes, before the header, on another branch. */
function carryNames(
  manager: SessionManager,
  title: Title | null,
  labels: readonly { readonly entry: string | null; readonly text: string }[],
): void {
  const isGiven = title?.from === 'custom' || title?.from === 'generated';
  // What oh-my-pi wrote is no name for Pi.
  const own = manager.getEntries().findLast((entry) => entry.type === 'session_info')?.name;
  if (isGiven && own !== title.text) manager.appendSessionInfo(title.text);
  for (const { entry, text } of labels)
    if (entry !== null && manager.getEntry(entry) && manager.getLabel(entry) !== text)
      manager.appendLabelChange(entry, text);
}

/** The entries of a file in memory, so that the file stays as it is. `find` gives the entry that a record or annotation is. */
function openFile(path: string, file: FileId) {
  const text = readFileSync(path, 'utf8');
  const all = parseSessionEntries(text);
  const cwd = all.find((each) => each.type === 'session')?.cwd;
  const manager = SessionManager.inMemory(typeof cwd === 'string' ? cwd : undefined, undefined, all);
  const known = new Set(manager.getEntries().map(({ id }) => id));
  const find = (id: Key, aliases: readonly Key[], ref: LineRef | undefined): string | null =>
    entriesOf({ id, aliases }).find((each) => known.has(each)) ??
    (ref?.file === file ? numbered(text, all, ref) : null);
  return { manager, find };
}

/** Entries of version 1 have no ids: they got theirs when they were read, in their order. */
function numbered(text: string, all: readonly FileEntry[], { line }: LineRef): string | null {
  const before = text.split('\n', line).join('\n');
  const entry = all[parseSessionEntries(before).length - 1];
  return entry && entry.type !== 'session' ? entry.id : null;
}

/** The results of an answer's calls belong to it: the branch ends with the last of them. */
function lastOf(manager: SessionManager, entry: string, { calls }: LogRecord): string {
  const ids = new Set(calls.map(({ id }) => id));
  let path = manager.getBranch(entry);
  for (const each of ids.size === 0 ? [] : manager.getEntries()) {
    if (each.type !== 'message' || each.message?.role !== 'toolResult' || !ids.has(each.message.toolCallId)) continue;
    const longer = manager.getBranch(each.id);
    if (longer.length > path.length && longer.some(({ id }) => id === entry)) path = longer;
  }
  return path.at(-1)?.id ?? entry;
}
