import { closeSync, openSync, readSync } from 'node:fs';
import { LineSplitter } from '../formats/index.ts';
import type { Block, Format, LineRef } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';

/** What the lines say, read from their files. A line that is gone or was replaced by something shorter says nothing. */
export function readBlocks(format: Format, files: readonly LogFile[], refs: readonly LineRef[]): Block[] {
  const blocks: Block[] = [];
  for (const ref of refs) {
    const file = files.find(({ facts }) => facts.id === ref.file);
    if (!file) continue;
    const reader = format.open(file.facts);
    // Through the splitter, so that a long line is shortened here as it was when it was read (H19).
    const splitter = new LineSplitter(
      ref.file,
      (bytes, place, cut) => blocks.push(...reader.next(bytes, place, cut).blocks()),
      ref,
    );
    for (const piece of piecesOf(file, ref)) splitter.push(piece);
    splitter.end();
  }
  return blocks;
}

const PIECE = 1024 * 1024;

function* piecesOf(file: LogFile, { offset, bytes }: LineRef): Generator<Uint8Array> {
  if (file.bytes) {
    yield file.bytes.subarray(offset, offset + bytes);
    return;
  }
  let handle: number | null = null;
  try {
    handle = openSync(file.path, 'r');
    const buffer = Buffer.alloc(Math.min(PIECE, bytes));
    for (let at = 0; at < bytes; ) {
      const size = readSync(handle, buffer, 0, Math.min(buffer.length, bytes - at), offset + at);
      if (size === 0) return;
      at += size;
      yield buffer.subarray(0, size);
    }
  } catch {
    // The file went away: its lines say nothing.
  } finally {
    if (handle !== null) closeSync(handle);
  }
}
