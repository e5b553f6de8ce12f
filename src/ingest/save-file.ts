import { closeSync, fstatSync, readFileSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { holds, judge, onDisk, openFile } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { FoundFile } from './find-archivable.ts';

/** What became of a file. */
export type Outcome = 'same' | 'new' | 'appended' | 'rewritten' | 'back';

export interface SaveOptions {
  /** Compares everything, also of a file that seems untouched. */
  readonly verify?: boolean;
  /** The archived bytes cannot be read any more; those on disk take their place. */
  readonly repair?: boolean;
  /** What of its content is archived; everything without it. */
  readonly filter?: ((bytes: Uint8Array) => Uint8Array) | null;
  /** Bytes read from disk. */
  readonly onRead: (bytes: number) => void;
}

/** Brings one file of the archive up to date. Only what was added is read, and what is compared. */
export async function saveFile(
  file: FoundFile,
  known: ArchivedFile | undefined,
  writer: BatchWriter,
  options: SaveOptions,
): Promise<Outcome> {
  const { verify = false, repair = false, onRead } = options;
  if (options.filter) return saveFiltered(file, known, writer, options.filter, onRead);
  if (known && known.goneAt === null && !verify && !repair && judge(known, file) === 'same') return 'same';
  const handle = openFile(file.full);
  try {
    const stat = fstatSync(handle);
    const now = { size: stat.size, inode: stat.ino, modified: stat.mtimeMs };
    const verdict = known ? judge(known, now) : 'rewritten';
    const isSame =
      known !== undefined &&
      !repair &&
      verdict !== 'rewritten' &&
      holds(handle, known, verdict === 'append' && !verify ? 'append' : 'compare', onRead);
    const offset = isSame ? known.size : 0;
    const { root, agent, project, path, kind } = file;
    const facts = { root, agent, project, path, kind, inode: now.inode, modified: now.modified };
    let isFirst = true;
    // As far as it reached when its facts were taken: what comes later is noticed by them.
    for (let at = offset; at < now.size; ) {
      const bytes = readPiece(handle, at, await writer.room(file, Math.min(writer.size, now.size - at)));
      if (bytes.length === 0) break;
      onRead(bytes.length);
      writer.add({ ...facts, offset: at, bytes, ...(repair && isFirst && { drop: true }) });
      isFirst = false;
      at += bytes.length;
    }
    const isUntouched = isSame && verdict === 'same' && known.goneAt === null;
    if (isFirst && !isUntouched) writer.add({ ...facts, offset, bytes: await writer.room(file, 0) });
    if (!known) return 'new';
    if (!isSame) return 'rewritten';
    return offset < now.size ? 'appended' : known.goneAt === null ? 'same' : 'back';
  } finally {
    closeSync(handle);
  }
}

/** A file of which not everything is archived is read as a whole: where it grew cannot be told from its size. */
async function saveFiltered(
  file: FoundFile,
  known: ArchivedFile | undefined,
  writer: BatchWriter,
  filter: (bytes: Uint8Array) => Uint8Array,
  onRead: (bytes: number) => void,
): Promise<Outcome> {
  const all = readFileSync(onDisk(file.full));
  onRead(all.length);
  const bytes = filter(all);
  const { root, agent, project, path, kind, inode, modified } = file;
  const facts = { root, agent, project, path, kind, inode, modified };
  const isSame = known !== undefined && crc32(bytes.subarray(0, known.size)) === known.crc;
  if (isSame && bytes.length === known.size && known.goneAt === null) return 'same';
  const offset = isSame ? known.size : 0;
  const room = await writer.room(file, bytes.length - offset);
  room.set(bytes.subarray(offset));
  writer.add({ ...facts, offset, bytes: room });
  return !known ? 'new' : isSame ? 'appended' : 'rewritten';
}

function readPiece(handle: number, from: number, room: Uint8Array): Uint8Array {
  let size = 0;
  for (let got = 1; got > 0 && size < room.length; size += got)
    got = readSync(handle, room, size, room.length - size, from + size);
  return room.subarray(0, size);
}
