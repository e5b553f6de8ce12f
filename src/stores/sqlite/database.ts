import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../../files/make-folder.ts';
import { SkeinError } from '../../model/index.ts';

/** Blocks of the archive are large: each small page of one would be written, and copied out of the log of changes, on its own. */
const PAGE = 8192;
/** So large the log of changes gets before it is copied out: then its writer waits for the disk, as seldom as there is room for. */
const WAL_KEPT = 32 * 1024 * 1024;

export interface Schema {
  /** From nothing to the present one. */
  readonly steps: readonly string[];
  /** What the steps and statements call. */
  readonly functions?: Readonly<Record<string, (...values: SQLOutputValue[]) => SQLInputValue>>;
}

/** Opens a database for writing, made if it is not there, with its schema brought up to date. Only its owner may read it. */
export function openDatabase(path: string, schema: Schema): DatabaseSync {
  return explained(path, () => {
    makeFolder(dirname(path));
    if (!existsSync(path) && existsSync(savingPath(path))) renameSync(savingPath(path), path);
    // The files that SQLite puts beside it get the same mode.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    const database = new DatabaseSync(path, { timeout: 5000 });
    try {
      database.exec(`pragma page_size = ${PAGE}; pragma journal_mode = wal; pragma synchronous = normal;
        pragma wal_autocheckpoint = ${WAL_KEPT / PAGE}; pragma journal_size_limit = ${WAL_KEPT}; pragma secure_delete = on;
        pragma trusted_schema = off;`);
      for (const [name, run] of Object.entries(schema.functions ?? {})) database.function(name, { varargs: true }, run);
      migrate(database, path, schema.steps);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Where a damaged database is saved to. Once the damaged one is moved away, it is complete. */
export const savingPath = (path: string): string => path.replace(/\.db$/, '.saving.db');

/** For readers, which never write and never wait for the writer. */
export function openForReading(path: string, schema: Schema): DatabaseSync {
  return explained(path, () => {
    const { database, version } = openReadOnly(path, schema.steps);
    if (version === schema.steps.length) return database;
    database.close();
    openDatabase(path, schema).close();
    return openReadOnly(path, schema.steps).database;
  });
}

function openReadOnly(path: string, steps: readonly string[]): { database: DatabaseSync; version: number } {
  const opened = (location: string | URL) => {
    const database = new DatabaseSync(location, { readOnly: true, timeout: 5000 });
    try {
      return { database, version: checkVersion(database, path, steps) };
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    return opened(path);
  } catch (error) {
    // In a folder that may not be written, SQLite reads only what it is told nobody changes.
    if (![8, 14].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)) throw error;
    return opened(new URL(`${pathToFileURL(path).href}?immutable=1`));
  }
}

function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  const found = checkVersion(database, path, steps);
  if (found !== versionSaid(database)) database.exec(`pragma user_version = ${found}`);
  for (let version = found; version < steps.length; version++)
    transaction(database, () => database.exec(`${steps[version]}; pragma user_version = ${version + 1};`));
}

/** The version stands in the header of the file and, from some version on, in a table; a damaged one is told by the other, and by what tables are there. */
function checkVersion(database: DatabaseSync, path: string, steps: readonly string[]): number {
  const rows = database.prepare(`select name from sqlite_master where type = 'table'`).all();
  const tables = new Set(rows.map(({ name }) => name as string));
  const made = steps.map((step) => [...step.matchAll(/create table (\w+)/g)].map(([, name]) => name as string));
  const isMade = (names: readonly string[]): boolean => names.length > 0 && names.every((name) => tables.has(name));
  const told = [versionSaid(database), factOf(database, tables, 'version')].flatMap((each) => each ?? []);
  const version = told.includes(steps.length) ? steps.length : Math.max(...told, made.findLastIndex(isMade) + 1);
  if (version > steps.length)
    throw new SkeinError('unreadable', `${path} was written by a newer Skein (schema ${version}); use that one`);
  if (made.slice(0, version).some((names) => names.some((name) => !tables.has(name))))
    throw Object.assign(new Error('a table is missing'), { errcode: CORRUPT });
  return version;
}

const versionSaid = (database: DatabaseSync): number =>
  (database.prepare('pragma user_version').get() as { user_version: number }).user_version;

function factOf(database: DatabaseSync, tables: ReadonlySet<string>, name: string): number | null {
  const row = tables.has('fact') ? database.prepare('select value from fact where name = ?').get(name) : undefined;
  return typeof row?.value === 'number' ? row.value : null;
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Whether an error says that the file itself is broken: also where a statement of ours does not fit its tables. */
export function isDamage(error: unknown): boolean {
  const { code, errcode, message = '' } = (error ?? {}) as { code?: string; errcode?: number; message?: string };
  // A number that none of ours is.
  if (code === 'ERR_OUT_OF_RANGE') return true;
  if (errcode === undefined) return false;
  if (TWICE.includes(errcode)) return true;
  const kind = errcode & 0xff;
  return kind === CORRUPT || kind === NOT_A_DATABASE || (kind === 1 && MISSHAPEN.test(message));
}

/** A row that is there already, of a key that was new. */
const TWICE = [1555, 2067, 2579];
const MISSHAPEN = /no such (table|column)|has no column|has \d+ columns|already exists/;

export function transaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('begin immediate');
  try {
    const result = run();
    database.exec('commit');
    return result;
  } catch (error) {
    try {
      database.exec('rollback');
    } catch {
      // A full disk may have rolled it back already.
    }
    throw error;
  }
}

/** What SQLite and the file system refuse, said so that somebody can act on it. */
export function explained<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw explain(path, error);
  }
}

export function explain(path: string, error: unknown): unknown {
  if (error instanceof SkeinError) return error;
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string };
  const kind = errcode === undefined ? code : errcode & 0xff;
  const say = isDamage(error) ? damaged : SAYINGS.get(kind ?? '');
  return say ? new SkeinError(say.code, say.text(path, message ?? ''), error) : error;
}

type Saying = { readonly code: SkeinError['code']; readonly text: (path: string, message: string) => string };

const full: Saying = {
  code: 'unwritable',
  text: (path) => `No space is left for ${path}; what was written so far is kept. Make room and run it again`,
};
const denied: Saying = {
  code: 'unwritable',
  text: (path) => `${path} may not be written; check the permissions of its folder, or name another in SKEIN_HOME`,
};
const damaged: Saying = {
  code: 'damaged',
  text: (path) =>
    path.endsWith('archive.db')
      ? `${path} is damaged; "skein index --verify" sets it aside and saves everything that can be read`
      : `${path} is damaged; move it away, or put a copy from before in its place`,
};
const busy: Saying = {
  code: 'busy',
  text: (path) => `Another program is writing to ${path}; try again when it is done`,
};
const broken: Saying = {
  code: 'unwritable',
  text: (path, message) => `${path} cannot be read or written (${message})`,
};

/** By SQLite's result code or the file system's. */
const SAYINGS: ReadonlyMap<number | string, Saying> = new Map<number | string, Saying>([
  [5, busy],
  [6, busy],
  [3, denied],
  [8, denied],
  [14, denied],
  [10, broken],
  [13, full],
  ['ENOSPC', full],
  ['EDQUOT', full],
  ['EACCES', denied],
  ['EPERM', denied],
  ['EROFS', denied],
  ['ENOENT', denied],
  ['ENOTDIR', denied],
  ['EEXIST', denied],
]);
