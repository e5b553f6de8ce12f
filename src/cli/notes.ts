import { existsSync } from 'node:fs';
import type { Session } from '../history/index.ts';
import { type FileFacts, type FileId, SkeinError } from '../model/index.ts';
import type { Note, NotesStore, SessionNames } from '../stores/notes-store.ts';
import type { Healed } from '../stores/sqlite/heal-notes.ts';
import { warn } from '../terminal/output.ts';
import { notesCopyPath, notesPath } from './data-place.ts';
import { plural } from './table.ts';

/** Runs with what the user noted; with `otherwise` when nothing was yet. SQLite is loaded only where there is something. */
export async function readNotes<T>(run: (notes: NotesStore) => Promise<T>, otherwise: T): Promise<T> {
  if (!isNoted()) return otherwise;
  const { SqliteNotes } = await import('../stores/sqlite/notes.ts');
  const notes = SqliteNotes.openForReading(notesPath());
  if (notes.healed && !isTold) {
    isTold = true;
    const all = notes.healed.isAll ? '' : '; it may not be all';
    warn(`${notesPath()} is damaged; what is noted is read from its copy${all}, and "skein index" makes it again`);
  }
  return withStore(notes, run);
}

/** Once is enough. */
let isTold = false;

/** Whether anything was ever noted. */
export const isNoted = (): boolean => existsSync(notesPath()) || existsSync(notesCopyPath());

/** Notes that are damaged are made again; what keeps that from being done is told by who reads them. */
export async function mendNotes(): Promise<void> {
  if (!isNoted()) return;
  try {
    await writeNotes(async () => undefined);
  } catch (error) {
    if (!(error instanceof SkeinError)) throw error;
  }
}

export async function writeNotes<T>(run: (notes: NotesStore) => Promise<T>): Promise<T> {
  const { SqliteNotes } = await import('../stores/sqlite/notes.ts');
  const notes = SqliteNotes.open(notesPath());
  if (notes.healed) tellHealed(notes.healed);
  return withStore(notes, run);
}

function tellHealed({ aside, rows, isAll }: Healed): void {
  const moved = aside === null ? 'was empty or gone' : `was damaged. It is set aside as ${aside}`;
  const saved = `${plural(rows, 'note or setting', 'notes and settings')} could be saved`;
  warn(`${notesPath()} ${moved}; ${saved}${isAll ? ': all of them' : '; some may be lost'}`);
  if (!isAll) process.exitCode = LOST;
}

const LOST = 2;

async function withStore<T>(notes: NotesStore, run: (notes: NotesStore) => Promise<T>): Promise<T> {
  try {
    return await run(notes);
  } finally {
    await notes.close();
  }
}

/** Notes that cannot be read do not hide the session. */
export async function notesAbout(session: Session): Promise<readonly Note[]> {
  try {
    return await readNotes((notes) => notes.about(namesOf(session)), []);
  } catch (error) {
    if (!(error instanceof SkeinError)) throw error;
    warn(error.message);
    return [];
  }
}

/** Every id under which something may be noted about it. */
function namesOf({ agent, facts, files, logs }: Session): SessionNames {
  const natives = files.flatMap((file) => nativeOf(logs.file(file)?.facts) ?? []);
  return { agent, sessions: [...new Set([facts.id, ...facts.aliases, ...natives])] };
}

/** The id under which something is noted about a line: that of its file, by which `skein forget` finds it. */
export const notedUnder = ({ id, logs }: Session, file: FileId): string => nativeOf(logs.file(file)?.facts) ?? id;

const nativeOf = (facts: FileFacts | undefined): string | null => facts?.session ?? facts?.native ?? null;
