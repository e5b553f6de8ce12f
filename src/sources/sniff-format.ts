import { closeSync, openSync, readSync } from 'node:fs';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';

const HEAD = 64 * 1024;

/** The format of a file that lies anywhere, told from its first lines; null when it is none or cannot be read. */
export function sniffFormat(path: string): Format | null {
  let head: string;
  try {
    const handle = openSync(path, 'r');
    const bytes = Buffer.alloc(HEAD);
    head = bytes.toString('utf8', 0, readSync(handle, bytes));
    closeSync(handle);
  } catch {
    return null;
  }
  const lines = head.split('\n', 20).filter((line) => line.trim() !== '');
  return formats.find((format) => format.sniff(lines)) ?? null;
}
