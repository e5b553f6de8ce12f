import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newSessionId } from './ids.ts';

/** Writes a file so that it is there whole or not at all: beside it, to the disk, then under its name. */
export function replaceFile(path: string, parts: Iterable<string | Uint8Array>): void {
  const temporary = join(dirname(path), `.${basename(path)}.${newSessionId()}.tmp`);
  try {
    const fd = openSync(temporary, 'wx');
    try {
      for (const part of parts) writeWhole(fd, typeof part === 'string' ? Buffer.from(part) : part);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** A write may stop short; the rest is written after it. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** The name lies in the folder. Not every system can sync one. */
export function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Without it the file is there after all but a crash of the machine.
  }
}

/** A file that must not be there yet. */
export function createFile(path: string, text: string): void {
  const fd = openSync(path, 'wx');
  try {
    writeWhole(fd, Buffer.from(text));
  } finally {
    closeSync(fd);
  }
}
