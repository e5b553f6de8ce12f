import type { FileFacts, Location } from '../../model/index.ts';

/** `PI_AGENT_DIR` is what other readers of these logs look at. */
export const locations: readonly Location[] = [
  { env: 'PI_CODING_AGENT_DIR', home: '~/.pi/agent', projects: 'sessions' },
  { env: 'PI_AGENT_DIR', home: '~/.pi/agent', projects: 'sessions' },
  { env: 'OMP_CODING_AGENT_DIR', home: '~/.omp/agent', projects: 'sessions' },
];

type Role = Pick<FileFacts, 'role' | 'native' | 'session' | 'tokens'>;

const SUFFIX = '.jsonl';
/** `2025-12-09T00-52-54-397Z_`: other folders beside the sessions belong to extensions. */
const SESSION_STEM = /^\d{4}-\d\d-\d\dT[\dZ-]+_/;

/**
 * What a file below a project folder is, by its path:
 *
 *     2025-12-09T00-52-54-397Z_<id>.jsonl
 *     2025-12-09T00-52-54-397Z_<id>/<task>.jsonl      oh-my-pi: what a task's sub-agent did
 */
export function roleOf(path: string): Role | null {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (!name.endsWith(SUFFIX)) return null;
  const stem = name.slice(0, -SUFFIX.length);
  const owner = folders[0];
  if (owner === undefined) return { role: 'session', native: idIn(stem), session: null, tokens: [] };
  if (!SESSION_STEM.test(owner)) return null;
  const session = idIn(owner);
  return { role: 'subagent', native: taskId(session, stem), session, tokens: [] };
}

/** An id may hold `_` itself; the time before it does not. */
const idIn = (stem: string): string => stem.slice(stem.indexOf('_') + 1);

/** Tasks are named by hand (`Explore`), so the name alone does not tell two sessions apart. */
const taskId = (session: string, name: string): string => `${session}/${name}`;

/** Names a task's sub-agent in the result of the call that started it. */
export const taskToken = (session: string, name: string): string => `agent:${taskId(session, name)}`;

/** The header says it: `{"type":"session","id":"…","cwd":"/home/me/app"}`. */
export function cwdOf(firstLines: readonly string[]): string | null {
  for (const line of firstLines) {
    try {
      const { type, cwd } = JSON.parse(line) as { type?: unknown; cwd?: unknown };
      if (type === 'session' && typeof cwd === 'string' && cwd !== '') return cwd.toWellFormed();
    } catch {
      // Not a line of JSON, or cut off: not the header.
    }
  }
  return null;
}
