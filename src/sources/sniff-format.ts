import { closeSync, readSync } from 'node:fs';
import { formats } from '../formats/index.ts';
import { decodeUtf8, type Format } from '../model/index.ts';
import type { LogFile } from './find-files.ts';
import { openFile } from './open-file.ts';

const HEAD = 64 * 1024;

/** The format of a file that lies anywhere, told from its first lines; null when it is none or cannot be read. */
export function sniffFormat(path: string): Format | null {
  const lines = firstLines(path);
  return lines.length === 0 ? null : (formats.find((format) => format.sniff(lines)) ?? null);
}

/** The first lines of a file that are not blank; the last of them may be cut off. None of a file that cannot be read. */
export const firstLines = (path: string): string[] => linesIn(readHead(path) ?? '');

export const firstLinesOf = ({ path, kept }: LogFile): string[] =>
  kept ? linesIn(decodeUtf8(kept.read(0, HEAD))) : firstLines(path);

const linesIn = (head: string): string[] => head.split('\n', 20).filter((line) => line.trim() !== '');

function readHead(path: string): string | null {
  let handle: number | null = null;
  try {
    handle = openFile(path);
    const bytes = Buffer.alloc(HEAD);
    return bytes.toString('utf8', 0, readSync(handle, bytes));
  } catch {
    return null;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}
