import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** A small text file of which every line says whether it is what was written, and the last one how many there are. */
export interface CheckedLines {
  readonly lines: readonly string[];
  /** Every line that was written is there. */
  readonly isWhole: boolean;
}

/** Null when there is none. */
export function readCheckedLines(path: string): CheckedLines | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // What cannot be read is not taken for what is not there.
    return { lines: [], isWhole: false };
  }
  const rows = text.split('\n');
  const found = rows.slice(0, -1).map(unchecked);
  const end = found.pop();
  const lines = found.filter((line) => line !== null);
  return { lines, isWhole: end === endOf(lines.length) && lines.length === found.length && rows.at(-1) === '' };
}

/** On the disk when it returns; killed at any moment, the old ones are there or the new ones. Only their owner may read them. */
export function writeCheckedLines(path: string, lines: readonly string[]): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  try {
    const handle = openSync(part, 'wx', 0o600);
    try {
      const bytes = Buffer.from([...lines, endOf(lines.length)].map(checked).join(''));
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Not every system opens a folder.
  }
}

const endOf = (count: number): string => `end ${count}`;
const sumOf = (line: string): string => crc32(line).toString(16).padStart(8, '0');
const checked = (line: string): string => `${line}\t${sumOf(line)}\n`;

function unchecked(row: string): string | null {
  const at = row.lastIndexOf('\t');
  const line = row.slice(0, Math.max(0, at));
  return at >= 0 && sumOf(line) === row.slice(at + 1) ? line : null;
}
