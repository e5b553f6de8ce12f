import { existsSync, renameSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Append, ArchivedFile } from '../store.ts';
import { SqliteArchive } from './archive.ts';
import { openBlock, unpackBlock } from './blocks.ts';
import { explained, savingPath } from './database.ts';
import { joinForgotten } from './forgotten.ts';
import { sumOf } from './rows.ts';
import { FoundArchive, type FoundBlock, type FoundRow, type PlaceRow } from './scan-archive.ts';

/** What was done about a damaged archive. */
export interface Salvage {
  /** Where the damaged one lies now. */
  readonly aside: string;
  readonly files: number;
  readonly bytes: number;
  /** Files of which something could not be read. */
  readonly incomplete: number;
  /** Files of which nothing could be read. */
  readonly lost: number;
  /** Something may be lost that nothing is known of any more. */
  readonly isDoubtful: boolean;
}

export interface SalvageOptions {
  /** Goes on where nobody knows any more what was forgotten. */
  readonly forgottenLost?: boolean;
  readonly now?: Date;
}

/**
 * Saves everything that can be read from a damaged archive into a new one and sets the damaged one aside. Its pages are read one by one,
 * each for what stands on it, so that a damaged one costs what lay there and nothing else. Killed on the way, the next try begins anew, or
 * finds the new one complete (`openDatabase`).
 */
export async function salvage(
  path: string,
  { forgottenLost = false, now = new Date() }: SalvageOptions = {},
): Promise<Salvage> {
  const found = explained(path, () => new FoundArchive(path));
  let saved: Omit<Salvage, 'aside'>;
  const saving = savingPath(path);
  try {
    // Before anything is done: who does not know what was forgotten changes nothing.
    const forgotten = joinForgotten(path, { ...found, count: found.facts.get('forgotten') }, forgottenLost);
    for (const end of ENDS) rmSync(saving + end, { force: true });
    const archive = SqliteArchive.open(saving);
    try {
      await archive.remember([...forgotten]);
      saved = await copyReadable(found, archive);
    } finally {
      await archive.close();
    }
  } finally {
    found.close();
  }
  const aside = setAside(path, now);
  explained(path, () => renameSync(saving, path));
  return { aside, ...saved };
}

/** The database itself comes last: what lies beside it must never be taken for that of another. */
const ENDS = ['-wal', '-shm', ''];

/** Out of the way, where nobody takes it for what it was. */
export function setAside(path: string, now: Date): string {
  const stem = path.replace(/\.db$/, '');
  let aside = `${stem}.damaged-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.db`;
  for (let i = 2; existsSync(aside); i++) aside = aside.replace(/(-\d)?\.db$/, `-${i}.db`);
  explained(path, () => {
    for (const end of ENDS) if (existsSync(path + end)) renameSync(path + end, aside + end);
  });
  return aside;
}

async function copyReadable(found: FoundArchive, archive: SqliteArchive): Promise<Omit<Salvage, 'aside'>> {
  const total = { files: 0, bytes: 0, incomplete: 0, lost: 0 };
  const ids = new Set([...found.files.keys(), ...found.places.keys(), ...found.starts.keys()]);
  // In the order in which they came, so that a newer generation follows the older one.
  for (const id of [...ids].sort((a, b) => a - b)) {
    const saved = await copyFile(found, id, archive);
    if (!saved) continue;
    total.bytes += saved.bytes;
    if (saved.bytes === 0 && !saved.isWhole) total.lost++;
    else {
      total.files++;
      if (!saved.isWhole) total.incomplete++;
    }
  }
  if (found.run) await archive.apply({ at: Date.now(), appends: [], run: found.run });
  // Numbers of which nothing is known are those of files that were removed, or stood where nothing can be read.
  const isDamaged = found.broken > 0 || found.pages.isCut;
  const removed = Number(found.facts.get('removed') ?? 0);
  return { ...total, isDoubtful: ids.size === 0 || (isDamaged && found.last > ids.size + removed) };
}

interface Copied {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** Runs of bytes that can be read, each as a file: the first under the name of the file, those behind a gap with their place in the name. */
async function copyFile(found: FoundArchive, id: number, archive: SqliteArchive): Promise<Copied | null> {
  const row = rowOf(found, id);
  const place = row ?? found.places.get(id);
  const pieces = piecesOf(found, id, row);
  // A number in a damaged entry that no file has.
  if (!place && !pieces.some(({ block }) => block.file === id)) return null;
  let bytes = 0;
  let end = 0;
  let runStart = 0;
  let crc = 0;
  let isSure = true;
  let written: ArchivedFile | undefined;
  const apply = async (append: Append): Promise<void> => {
    [written] = await archive.apply({ at: Date.now(), appends: [append] });
  };
  if (row?.size === 0) await apply(appendOf(row, place, id));
  for (const { start, block } of pieces) {
    // Two that claim one place: the first that can be read has it.
    if (start < end) continue;
    const content = contentOf(found, block, start !== end || !row ? null : row);
    if (!content) {
      isSure = false;
      continue;
    }
    if (start !== end) runStart = start;
    await apply(appendOf(row, place, id, { runStart, offset: start - runStart, bytes: content }));
    crc = crc32(content, crc);
    end = start + content.length;
    bytes += content.length;
  }
  if (row?.gone_at && written) await archive.apply({ at: row.gone_at, appends: [], gone: [written.id] });
  const isAsWritten = row !== null && crc === row.crc && end === row.size;
  // Where the row is damaged, the blocks say it.
  const isAll = place !== undefined && isDamagedRow(row) && isSure && pieces.length > 0;
  return { bytes, isWhole: runStart === 0 && (isAsWritten || isAll) };
}

const isDamagedRow = (row: FoundRow | null): boolean => row === null || (row.sum !== null && !row.isSure);

/** Its place is in the index of the table too: what fits the checksum of the row is right. */
function rowOf(found: FoundArchive, id: number): FoundRow | null {
  const row = found.files.get(id);
  if (!row || row.isSure) return row ?? null;
  const place = found.places.get(id);
  return place && sumOf({ ...row, ...place }) === row.sum ? { ...row, ...place, isSure: true } : row;
}

interface PieceAt {
  readonly start: number;
  readonly block: FoundBlock;
}

/** By their places; of those at one place first the one that says itself that it is there. */
function piecesOf(found: FoundArchive, id: number, row: FoundRow | null): PieceAt[] {
  const size = row && !isDamagedRow(row) ? row.size : Number.POSITIVE_INFINITY;
  const isFirst = ({ start, block }: PieceAt): number => (block.start === start && block.file === id ? 0 : 1);
  return [...(found.starts.get(id) ?? [])]
    .flatMap(([start, ids]) =>
      [...ids].flatMap((number) => {
        const block = found.blocks.get(number);
        return block && start < size ? [{ start, block }] : [];
      }),
    )
    .sort((a, b) => a.start - b.start || isFirst(a) - isFirst(b));
}

/** One of which only its own size or checksum is damaged is told by that of the file, where it is the last of it. */
function contentOf(found: FoundArchive, block: FoundBlock, row: FoundRow | null): Uint8Array | null {
  const data = found.data(block);
  if (!data) return null;
  const sound = openBlock({ ...block, data });
  if (sound || !row) return sound;
  const bytes = unpackBlock(data);
  const isRight =
    bytes && (crc32(bytes) === block.crc || (block.start === row.tail_start && crc32(bytes) === row.tail_crc));
  return isRight ? bytes : null;
}

interface Piece {
  readonly runStart: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const LOST = { root: '', agent: '', project: 'recovered' } as const;

function appendOf(row: FoundRow | null, known: PlaceRow | undefined, id: number, piece?: Piece): Append {
  const { root, agent, project, path: name } = known ?? { ...LOST, path: `file-${id}` };
  // What the row does not say any more is looked at on disk, where it still lies there.
  const isLog = known !== undefined && /\.(jsonl|meta\.json)$/.test(name);
  const { kind, inode, modified } = row ?? { kind: isLog ? 'log' : 'artifact', inode: 0, modified: 0 };
  const path = piece && piece.runStart > 0 ? `${name}.from-${piece.runStart}` : name;
  const { offset = 0, bytes = new Uint8Array(0) } = piece ?? {};
  return { root, agent, project, path, kind, inode, modified, offset, bytes };
}
