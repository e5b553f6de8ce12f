import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { SkeinError } from '../model/index.ts';
import { newSessionId } from './ids.ts';

/**
 * Writes a file so that it is there whole or not at all: beside it, to the disk, then under its name. Who may read it stays; a new one
 * is its owner's alone. Where a link leads to a file, that file is written.
 */
export function replaceFile(path: string, parts: Iterable<string | Uint8Array>): void {
  const target = targetOf(path);
  const temporary = besides(target);
  try {
    writeNew(temporary, parts, { toDisk: true, like: statSync(target, { throwIfNoEntry: false }) });
    renameSync(temporary, target);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw unwritable(path, cause);
  }
  syncFolder(dirname(target));
}

/** The file that a name leads to, over links, also where there is none yet. */
export function targetOf(path: string): string {
  let target = path;
  for (let links = 0; links < MOST_LINKS && isLink(target); links++)
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  return target;
}

/** More are a circle, for the system too. */
const MOST_LINKS = 40;
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The same for a file that must not be there yet. False: it was, and is as it was. */
export function createFile(path: string, text: string): boolean {
  const temporary = besides(path);
  try {
    writeNew(temporary, [text]);
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
    writeNew(path, [text]);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

export function makeDir(dir: string): string {
  try {
    makeFolder(dir);
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

interface HowToWrite {
  readonly toDisk?: boolean;
  /** Of the file it takes the place of. */
  readonly like?: Stats | undefined;
}

/** What agents are told is nobody else's business, whatever the umask. */
function writeNew(path: string, parts: Iterable<string | Uint8Array>, { toDisk, like }: HowToWrite = {}): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const part of parts) writeWhole(fd, typeof part === 'string' ? Buffer.from(part) : part);
    if (like) takeOver(fd, like);
    if (toDisk) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Owner and mode. A group that cannot be given the file must not read it as another group. */
function takeOver(fd: number, { uid, gid, mode }: Stats): void {
  let kept = mode & 0o777;
  try {
    fchownSync(fd, uid, gid);
  } catch {
    kept &= ~0o070;
  }
  fchmodSync(fd, kept);
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
