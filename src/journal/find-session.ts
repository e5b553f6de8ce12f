import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHeader, type SessionHeader } from './entries.ts';
import { normalizePath, resolvePath, sameFolder } from './paths.ts';
import { parseLine, titleIn } from './read-file.ts';

/** The file of this folder that was written to last, of one working folder if `cwd` is given. */
export function findMostRecentSession(sessionDir: string, cwd?: string): string | null {
  const files = filesIn(normalizePath(sessionDir)).map((path) => ({ path, time: timeOf(path) }));
  files.sort((a, b) => b.time - a.time);
  return files.find(({ path }) => isSession(path, cwd))?.path ?? null;
}

export function findSessionById(sessionDir: string, id: string, cwd?: string): string | undefined {
  return filesIn(sessionDir).find((path) => isSession(path, cwd, id));
}

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(dir, name));
  } catch {
    return [];
  }
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

function isSession(path: string, cwd?: string, id?: string): boolean {
  const header = readHeader(path);
  if (!header || (id !== undefined && header.id !== id)) return false;
  return cwd === undefined || sameFolder(header.cwd, resolvePath(cwd));
}

const CHUNK = 4096;
/** A header holds paths; whoever wrote a longer one wrote something else. */
const MOST = 1 << 20;

/** The first entry of a file, if it is a header. Files that cannot be read are no sessions. */
function readHeader(path: string): SessionHeader | null {
  try {
    const fd = openSync(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(MOST);
      for (let held = 0; held < MOST; ) {
        const read = readSync(fd, buffer, held, Math.min(CHUNK, MOST - held), null);
        const end = read === 0 ? held : buffer.lastIndexOf(10, held + read - 1);
        held += read;
        const found = end > 0 || read === 0 ? headerIn(buffer.toString('utf8', 0, Math.max(0, end))) : undefined;
        if (found !== undefined || read === 0) return found ?? null;
      }
      return null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** Undefined: not yet. Null: something else comes first. */
function headerIn(text: string): SessionHeader | null | undefined {
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry && titleIn(entry) === undefined) return isHeader(entry) ? entry : null;
  }
  return undefined;
}
