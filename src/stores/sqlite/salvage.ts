import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { addAll } from '../../model/index.ts';
import type { Append, ArchivedFile } from '../store.ts';
import { SqliteArchive } from './archive.ts';
import { type Block, openBlock } from './blocks.ts';
import { explained, savingPath } from './database.ts';
import { COLUMNS, type Row } from './rows.ts';

/** What was done about a damaged archive. */
interface Salvage {
  /** Where the damaged one lies now. */
  readonly aside: string;
  readonly files: number;
  readonly bytes: number;
  /** Files of which something could not be read. */
  readonly incomplete: number;
  /** Files of which nothing could be read. */
  readonly lost: number;
}

/**
 * Saves everything that can be read from a damaged archive into a new one and sets the damaged one aside. Rows are read by their numbers,
 * in ever smaller ranges around what is broken, so that one bad page costs what lies on it. Killed on the way, the next try begins anew,
 * or finds the new one complete (`openDatabase`).
 */
export async function salvage(path: string, now = new Date()): Promise<Salvage> {
  const saving = savingPath(path);
  for (const end of ENDS) rmSync(saving + end, { force: true });
  const archive = SqliteArchive.open(saving);
  let saved: Omit<Salvage, 'aside'>;
  try {
    saved = await copyReadable(path, archive);
  } finally {
    await archive.close();
  }
  const aside = setAside(path, now);
  explained(path, () => renameSync(saving, path));
  return { aside, ...saved };
}

/** The database itself comes last: what lies beside it must never be taken for that of another. */
const ENDS = ['-wal', '-shm', ''];

function setAside(path: string, now: Date): string {
  const stem = path.replace(/\.db$/, '');
  let aside = `${stem}.damaged-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.db`;
  for (let i = 2; existsSync(aside); i++) aside = aside.replace(/(-\d)?\.db$/, `-${i}.db`);
  explained(path, () => {
    for (const end of ENDS) if (existsSync(path + end)) renameSync(path + end, aside + end);
  });
  return aside;
}

async function copyReadable(path: string, archive: SqliteArchive): Promise<Omit<Salvage, 'aside'>> {
  const total = { files: 0, bytes: 0, incomplete: 0, lost: 0 };
  let damaged: DatabaseSync;
  try {
    damaged = new DatabaseSync(path);
    (damaged as { enableDefensive?: (on: boolean) => void }).enableDefensive?.(false);
    // Without this a file that is shorter than its header says is refused as a whole.
    damaged.exec('pragma writable_schema = on');
  } catch {
    return total;
  }
  try {
    const files = new Map(readRows<Row>(damaged, 'file', COLUMNS).map((row) => [row.id, row]));
    const places = readRows<BlockPlace>(damaged, 'block', 'id, file, start, size');
    const blocks = Map.groupBy(places, ({ file }) => file);
    await archive.forget([], tombstonesIn(damaged));
    // In the order in which they came, so that a newer generation follows the older one.
    for (const id of [...new Set([...files.keys(), ...blocks.keys()])].sort((a, b) => a - b)) {
      const saved = await copyFile(damaged, files.get(id), id, blocks.get(id) ?? [], archive);
      total.bytes += saved.bytes;
      if (saved.bytes === 0 && !saved.isWhole) total.lost++;
      else {
        total.files++;
        if (!saved.isWhole) total.incomplete++;
      }
    }
  } finally {
    damaged.close();
  }
  return total;
}

interface BlockPlace {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly size: number;
}

/** Runs of bytes that can be read, each as a file: the first under the name of the file, those behind a gap with their place in the name. */
async function copyFile(
  damaged: DatabaseSync,
  row: Row | undefined,
  id: number,
  places: readonly BlockPlace[],
  archive: SqliteArchive,
): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
  let bytes = 0;
  let end = 0;
  let runStart = 0;
  let written: ArchivedFile | undefined;
  if (row?.size === 0) [written] = await archive.apply({ at: Date.now(), appends: [appendOf(row)] });
  for (const place of [...places].sort((a, b) => a.start - b.start)) {
    const content = readBlock(damaged, place.id);
    if (!content) continue;
    if (place.start !== end) runStart = place.start;
    const append = appendOf(row, { id, runStart, offset: place.start - runStart, bytes: content });
    [written] = await archive.apply({ at: Date.now(), appends: [append] });
    end = place.start + content.length;
    bytes += content.length;
  }
  if (row?.gone_at && written) await archive.apply({ at: row.gone_at, appends: [], gone: [written.id] });
  return { bytes, isWhole: row !== undefined && runStart === 0 && written?.crc === row.crc };
}

interface Piece {
  readonly id: number;
  readonly runStart: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const LOST = { root: '', agent: '', project: 'recovered', kind: 'artifact', inode: 0, modified: 0 } as const;

function appendOf(row: Row | undefined, piece?: Piece): Append {
  const { root, agent, project, kind, inode, modified } = row ?? LOST;
  const name = row?.path ?? `file-${piece?.id}`;
  const path = piece && piece.runStart > 0 ? `${name}.from-${piece.runStart}` : name;
  const { offset = 0, bytes = new Uint8Array(0) } = piece ?? {};
  return { root, agent, project, path, kind, inode, modified, offset, bytes };
}

function readBlock(damaged: DatabaseSync, id: number): Uint8Array | null {
  try {
    const row = damaged.prepare('select size, crc, data from block where id = ?').get(id);
    return row ? openBlock(row as unknown as Block) : null;
  } catch {
    return null;
  }
}

function tombstonesIn(damaged: DatabaseSync): string[] {
  try {
    return (damaged.prepare('select hash from tombstone').all() as unknown as { hash: string }[]).map(
      ({ hash }) => hash,
    );
  } catch {
    return [];
  }
}

/** Result codes of SQLite. */
const NOT_DAMAGED = [1, 26];
const MOST_ROWS = 2 ** 24;
/** Where everything is broken, searching comes to an end. */
const MOST_FAILURES = 20_000;
const MOST_AT_FIRST = 2000;

function readRows<T>(damaged: DatabaseSync, table: string, columns: string): T[] {
  const rows: T[] = [];
  let failures = 0;
  const readRange = (from: number, to: number): void => {
    try {
      const read = damaged.prepare(`select ${columns} from ${table} where id >= ? and id < ? order by id`);
      // All of a range or nothing: a row is not taken twice.
      addAll(rows, read.all(from, to) as unknown as T[]);
    } catch (error) {
      // No such table, or no database at all: a smaller range will not help.
      if (NOT_DAMAGED.includes((error as { errcode: number }).errcode & 0xff)) return;
      if (to - from <= 1 || ++failures > (rows.length === 0 ? MOST_AT_FIRST : MOST_FAILURES)) return;
      const middle = Math.floor((from + to) / 2);
      readRange(from, middle);
      readRange(middle, to);
    }
  };
  readRange(1, lastId(damaged, table) + 1);
  return rows;
}

function lastId(damaged: DatabaseSync, table: string): number {
  try {
    return Number(Object.values(damaged.prepare(`select max(id) from ${table}`).get() ?? {})[0] ?? 0);
  } catch {
    return MOST_ROWS;
  }
}
