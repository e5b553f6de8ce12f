import { existsSync } from 'node:fs';
import type { Session } from '../history/index.ts';
import { type FileFacts, type FileId, SkeinError } from '../model/index.ts';
import type { Note, NotesStore, SessionNames } from '../stores/notes-store.ts';
import { warn } from '../terminal/output.ts';
import { notesPath } from './data-place.ts';

/** Runs with what the user noted; with `otherwise` when nothing was yet. SQLite is loaded only where there is something. */
export async function readNotes<T>(run: (notes: NotesStore) => Promise<T>, otherwise: T): Promise<T> {
  if (!existsSync(notesPath())) return otherwise;
  const { SqliteNotes } = await import('../stores/sqlite/notes.ts');
  return withStore(SqliteNotes.openForReading(notesPath()), run);
}

export async function writeNotes<T>(run: (notes: NotesStore) => Promise<T>): Promise<T> {
  const { SqliteNotes } = await import('../stores/sqlite/notes.ts');
  return withStore(SqliteNotes.open(notesPath()), run);
}

async function withStore<T>(notes: NotesStore, run: (notes: NotesStore) => Promise<T>): Promise<T> {
  try {
    return await run(notes);
  } finally {
    await notes.close();
  }
}

export const notesAbout = (session: Session): Promise<readonly Note[]> => notesUnder(namesOf(session));

/** Notes that cannot be read do not hide the session. */
export async function notesUnder(names: SessionNames): Promise<readonly Note[]> {
  try {
    return await readNotes((notes) => notes.about(names), []);
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
