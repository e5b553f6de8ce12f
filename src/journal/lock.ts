import { readFileSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { SkeinError } from '../model/index.ts';
import { newSessionId } from './ids.ts';
import { createFile, targetOf, tryLink } from './replace-file.ts';

const PATIENCE_MS = 10_000;
const PAUSE_MS = 5;

/** Runs `work` while no other process holds the lock of this file. */
export function withLock<T>(path: string, work: () => T): T {
  // Whoever comes by a link writes the same file.
  const lock = `${targetOf(path)}.lock`;
  acquire(lock);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

function acquire(lock: string): void {
  const owner = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner);
  const end = Date.now() + PATIENCE_MS;
  while (!createFile(lock, owner)) {
    const other = ownerOf(lock);
    if (other && isGone(other)) remove(lock, other);
    else if (Date.now() > end)
      throw new SkeinError('unwritable', `${lock} is held by process ${other?.pid} on ${other?.host}`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function ownerOf(lock: string): Owner | null {
  try {
    return JSON.parse(readFileSync(lock, 'utf8'));
  } catch {
    return null;
  }
}

/** Of a process on another machine nobody knows. */
function isGone({ pid, host }: Owner): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Two may find the same dead owner: what was taken away is looked at, and put back if it was the lock of the other one. */
function remove(lock: string, dead: Owner): void {
  const aside = `${lock}.${newSessionId()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (ownerOf(aside)?.pid !== dead.pid) tryLink(aside, lock);
  rmSync(aside, { force: true });
}
