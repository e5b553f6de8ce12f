import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkeinError } from '../model/index.ts';
import { newSessionId } from './ids.ts';

/** Writes a file so that it is there whole or not at all: beside it, to the disk, then under its name. */
export function replaceFile(path: string, parts: Iterable<string | Uint8Array>): void {
  const temporary = besides(path);
  try {
    writeNew(temporary, parts, true);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw unwritable(path, cause);
  }
  syncFolder(dirname(path));
}

/** The same for a file that must not be there yet. False: it was, and is as it was. */
export function createFile(path: string, text: string): boolean {
  const temporary = besides(path);
  try {
    writeNew(temporary, [text], false);
    return tryLink(temporary, path) ?? tryCreate(path, text);
  } catch (cause) {
    throw unwritable(path, cause);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A link appears with its content: nobody finds the file empty. Null: there are no links here. */
export function tryLink(existing: string, path: string): boolean | null {
  try {
    linkSync(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (existsSync(existing)) return null;
    throw error;
  }
}

function tryCreate(path: string, text: string): boolean {
  try {
    writeNew(path, [text], false);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

export function makeDir(dir: string): string {
  try {
    if (!existsSync(dir)) mkdirSync(dir, { recursive: true });
    return dir;
  } catch (cause) {
    throw unwritable(dir, cause);
  }
}

/** What went wrong first is what the user can do something about. */
export function unwritable(path: string, cause: unknown): SkeinError {
  if (cause instanceof SkeinError) return cause;
  return new SkeinError('unwritable', `Cannot write ${path}: ${(cause as Error).message}`, cause);
}

const besides = (path: string): string => join(dirname(path), `.${basename(path)}.${newSessionId()}.tmp`);

function writeNew(path: string, parts: Iterable<string | Uint8Array>, toDisk: boolean): void {
  const fd = openSync(path, 'wx');
  try {
    for (const part of parts) writeWhole(fd, typeof part === 'string' ? Buffer.from(part) : part);
    if (toDisk) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
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
