import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resolvePath, sameFolder, sessionsDir } from './paths.ts';
import { readSessionInfo, type SessionInfo, type SessionListProgress } from './session-info.ts';

const AT_ONCE = 10;
const TELL_EVERY = 10;

/** The sessions in a folder, of one working folder if `cwd` is given; latest first. */
export async function listSessions(
  dir: string,
  cwd?: string,
  onProgress?: SessionListProgress,
  signal?: AbortSignal,
): Promise<SessionInfo[]> {
  const resolved = cwd === undefined ? null : resolvePath(cwd);
  const belongs = (info: SessionInfo) => resolved === null || sameFolder(info.cwd, resolved);
  return readAll(await filesIn(dir), belongs, onProgress, signal);
}

/** The sessions of all working folders. */
export async function listAllSessions(onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]> {
  signal?.throwIfAborted();
  const root = sessionsDir();
  const folders = await readdir(root, { withFileTypes: true }).catch(() => []);
  const dirs = folders.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  const files = await Promise.all(dirs.map(({ name }) => filesIn(join(root, name))));
  return readAll(files.flat(), () => true, onProgress, signal);
}

async function filesIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .reverse()
    .map((name) => join(dir, name));
}

async function readAll(
  files: readonly string[],
  belongs: (info: SessionInfo) => boolean,
  onProgress?: SessionListProgress,
  signal?: AbortSignal,
): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  const queue = files.values();
  let loaded = 0;
  const work = async () => {
    for (const path of queue) {
      signal?.throwIfAborted();
      const info = await readSessionInfo(path, signal);
      if (info && belongs(info)) found.push(info);
      loaded++;
      const tell = loaded === 1 || loaded % TELL_EVERY === 0 || loaded === files.length;
      onProgress?.(loaded, files.length, tell ? latestFirst(found) : undefined);
    }
  };
  signal?.throwIfAborted();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return latestFirst(found);
}

const latestFirst = (sessions: readonly SessionInfo[]): SessionInfo[] =>
  [...sessions].sort((a, b) => b.modified.getTime() - a.modified.getTime());
