import { closeSync, openSync, readSync } from 'node:fs';
import type { Block, Format, LineRef } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';

/** What the lines say, read from their files. A line that is gone or was replaced by something shorter says nothing. */
export function readBlocks(format: Format, files: readonly LogFile[], refs: readonly LineRef[]): Block[] {
  const blocks: Block[] = [];
  for (const ref of refs) {
    const file = files.find(({ facts }) => facts.id === ref.file);
    const bytes = file ? readBytes(file, ref) : null;
    if (file && bytes) blocks.push(...format.open(file.facts).next(bytes, ref).blocks());
  }
  return blocks;
}

function readBytes(file: LogFile, { offset, bytes }: LineRef): Uint8Array | null {
  if (file.bytes) return file.bytes.subarray(offset, offset + bytes);
  let handle: number | null = null;
  try {
    handle = openSync(file.path, 'r');
    const buffer = Buffer.alloc(bytes);
    return readSync(handle, buffer, 0, bytes, offset) === bytes ? buffer : null;
  } catch {
    return null;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}
