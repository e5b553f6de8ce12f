import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { SkeinError } from '../../model/index.ts';
import { isDamage } from './database.ts';
import { INDEX_MARK, INDEX_TABLES, INDEX_VERSION } from './index-schema.ts';

/** Why an index cannot be used as it is. */
export type Unfit = 'missing' | 'older' | 'damaged' | 'other text';

export interface OpenedIndex {
  readonly db: DatabaseSync;
  /** Where it lies until it is complete; null: it is in its place. */
  readonly beside: string | null;
  /** Why the one in its place is rebuilt. */
  readonly unfit: Unfit | null;
}

interface HowToOpen {
  readonly verify?: boolean;
  readonly anew?: boolean;
  readonly text?: boolean;
}

/**
 * To write. An index that is missing is made; one that is unfit is rebuilt beside the old one, going on where a rebuild was interrupted.
 * `text`: whether it has full text; one that is otherwise is unfit. Without it any will do, and a new one has.
 */
export function openForWriting(path: string, { verify = false, anew = false, text }: HowToOpen = {}): OpenedIndex {
  const found = anew && existsSync(path) ? 'damaged' : openLike(path, verify, text);
  const beside = `${path}.next`;
  // A rebuild that nobody needs any more would stay for ever, with what is excluded by now.
  if (typeof found !== 'string' || found === 'missing') removeIndex(beside);
  if (typeof found !== 'string') return { db: found, beside: null, unfit: null };
  if (found === 'missing') return { db: create(path, text ?? true), beside: null, unfit: found };
  const begun = openLike(beside, true, text);
  return { db: typeof begun === 'string' ? create(beside, text ?? true) : begun, beside, unfit: found };
}

function openLike(path: string, verify: boolean, text: boolean | undefined): DatabaseSync | Unfit {
  const found = openSound(path, verify);
  if (typeof found === 'string' || text === undefined || hasText(found) === text) return found;
  found.close();
  return 'other text';
}

export const hasText = (db: DatabaseSync): boolean =>
  db.prepare(`select value from meta where name = 'without text'`).get() === undefined;

/** To read; null when there is none that can be read. */
export function openForReading(path: string): DatabaseSync | null {
  const found = openSound(path, false, true);
  return typeof found === 'string' ? null : found;
}

/** One that this process has open to write already. */
export function openAgain(path: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path);
    tune(db);
    // There are several, and each writes one tree at a time: its pages lie together. Those of its indexes do not, but full text takes the room.
    db.exec(`pragma cache_size = -${hasText(db) ? 2000 : 8000}`);
    return db;
  } catch (error) {
    throw refused(path, error);
  }
}

/** The rebuilt index takes the place of the old one. A log of changes that belongs to the old one would be played into the new one. */
export function swapIn(beside: string, path: string): void {
  removeIndex(path);
  renameSync(beside, path);
}

/** Somebody met damage that a look at its first pages does not show. */
export function markDamaged(path: string): void {
  try {
    writeFileSync(path + DAMAGED, '', { mode: 0o600 });
  } catch {
    // Then it is met again.
  }
}

const DAMAGED = '.damaged';

function removeIndex(path: string): void {
  for (const end of ['-wal', '-shm', '', DAMAGED]) rmSync(path + end, { force: true });
}

function openSound(path: string, verify: boolean, readOnly = false, place: string | URL = path): DatabaseSync | Unfit {
  if (!existsSync(path)) return 'missing';
  if (existsSync(path + DAMAGED)) return 'damaged';
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(place, { readOnly });
    db.exec('pragma busy_timeout = 5000');
    const pragma = (name: string): unknown => Object.values(db?.prepare(`pragma ${name}`).get() ?? {})[0];
    const isOurs = pragma('application_id') === INDEX_MARK;
    if (!isOurs || pragma('user_version') !== INDEX_VERSION) {
      db.close();
      return isOurs ? 'older' : 'damaged';
    }
    // A run that was cut off may have left anything, if the machine went down with it.
    const isClean = db.prepare(`select value from meta where name = 'clean'`).get() !== undefined;
    if (!readOnly && (verify || !isClean) && pragma('quick_check') !== 'ok') {
      db.close();
      return 'damaged';
    }
    if (!readOnly) tune(db);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    if (isDamage(error)) return 'damaged';
    // In a folder that may not be written, SQLite reads only what it is told nobody changes.
    if (readOnly && place === path && isDenied(error))
      return openSound(path, verify, readOnly, new URL(`${pathToFileURL(path).href}?immutable=1`));
    throw refused(path, error);
  }
}

function create(path: string, text: boolean): DatabaseSync {
  removeIndex(path);
  try {
    // Made with its mode: a moment with another one is enough to read it.
    closeSync(openSync(path, 'wx', 0o600));
    chmodSync(path, 0o600);
    const db = new DatabaseSync(path);
    // Blocks of text are some KB: in small pages much would be left empty.
    db.exec('pragma page_size = 16384');
    tune(db);
    db.exec(
      `begin; ${INDEX_TABLES}; ${text ? '' : `insert into meta values ('without text', 1);`}
       pragma application_id = ${INDEX_MARK}; pragma user_version = ${INDEX_VERSION}; commit`,
    );
    return db;
  } catch (error) {
    throw refused(path, error);
  }
}

/**
 * What is lost with the machine is read again from the logs, so a commit need not reach the disk; `settle` sees to it that all did. Much
 * of what is written lies together: a larger cache would be no faster, and who watches would fill it for minutes.
 */
function tune(db: DatabaseSync): void {
  db.exec(`
    pragma journal_mode = wal; pragma synchronous = off; pragma busy_timeout = 30000;
    pragma wal_autocheckpoint = 1000; pragma cache_size = -4000`);
}

const isDenied = (error: unknown): boolean => [8, 14].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

function refused(path: string, error: unknown): SkeinError {
  const why = error instanceof Error ? error.message : String(error);
  return new SkeinError('unreadable', `The index ${path} cannot be used: ${why}`, error);
}
