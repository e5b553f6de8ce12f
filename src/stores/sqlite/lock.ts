import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../files/make-folder.ts';
import { SkeinError } from '../../model/index.ts';
import { explain, explained } from './database.ts';

const PATIENCE_MS = 500;
const BUSY = [5, 6];

/** The right to write in a data folder. */
export interface Lock {
  release(): void;
}

/**
 * One writer at a time. The lock is one that SQLite holds on a file of its own: the system gives it back when the process ends, however
 * it ends. Who holds it is told by a small file beside it, for the message only.
 */
export function lockForWriting(home: string): Lock {
  const path = join(home, 'writer.lock');
  const owner = join(home, 'writer.pid');
  explained(path, () => {
    makeFolder(home);
    closeSync(openSync(path, 'a', 0o600));
  });
  // Two that begin at once stand in each other's way for a moment: without waiting both would be refused.
  const database = new DatabaseSync(path, { timeout: PATIENCE_MS });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (!BUSY.includes((error as { errcode: number }).errcode & 0xff)) throw explain(path, error);
    throw new SkeinError('busy', `Another Skein${nameOf(owner)} is writing to ${home}; wait for it or stop it`, error);
  }
  nameOwner(owner);
  return {
    release: () => {
      rmSync(owner, { force: true });
      database.close();
    },
  };
}

/** It is for a message only: where there is no room for it, what is written next says so. */
function nameOwner(owner: string): void {
  try {
    writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    rmSync(owner, { force: true });
  }
}

function nameOf(owner: string): string {
  try {
    return ` (process ${readFileSync(owner, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
