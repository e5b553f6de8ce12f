import type { FileFacts, Location } from '../../model/index.ts';

export const locations: readonly Location[] = [
  { env: 'CLAUDE_CONFIG_DIR', home: '~/.claude', projects: 'projects' },
  { env: 'CLAUDE_CONFIG_DIR', home: '~/.config/claude', projects: 'projects' },
];

type Role = Pick<FileFacts, 'role' | 'native' | 'session' | 'tokens'>;

/**
 * What a file below a project folder is, by its path:
 *
 *     <sessionId>.jsonl
 *     agent-<id>.jsonl                                              beside the sessions, up to 2.0.55
 *     <sessionId>/subagents/**​/agent-<id>.jsonl, agent-<id>.meta.json
 *     <sessionId>/subagents/workflows/<runId>/journal.jsonl
 */
export function roleOf(path: string): Role | null {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const session = folders[0] ?? null;
  const run = folders[folders.indexOf('workflows') + 1];
  const tokens = folders.includes('workflows') && run ? [`run:${run}`] : [];
  if (name.endsWith('.meta.json') && name.startsWith('agent-')) {
    return { role: 'sidecar', native: name.slice('agent-'.length, -'.meta.json'.length), session, tokens };
  }
  if (!name.endsWith('.jsonl')) return null;
  const stem = name.slice(0, -'.jsonl'.length);
  if (stem.startsWith('agent-') && (session === null || folders.includes('subagents'))) {
    const native = stem.slice('agent-'.length);
    // The agent's own helper for compaction, which nobody asked for.
    return {
      role: 'subagent',
      native,
      session,
      tokens: native.startsWith('acompact-') ? [...tokens, 'helper'] : tokens,
    };
  }
  if (session === null) return { role: 'session', native: stem, session: null, tokens };
  return folders.includes('subagents') ? { role: 'journal', native: stem, session, tokens } : null;
}

/**
 * The agent names the folder after the working folder, with everything but letters and digits as `-`. A session may `cd`, so the first
 * line that fits the name is believed, else the first that says anything.
 */
export function cwdOf(firstLines: readonly string[], folder: string): string | null {
  const found = firstLines.flatMap((line) => cwdIn(line) ?? []);
  return found.find((cwd) => folderOf(cwd) === folder) ?? found[0] ?? null;
}

export const folderOf = (cwd: string): string => cwd.replace(/[^A-Za-z0-9-]/g, '-');

function cwdIn(line: string): string | null {
  // A line that is cut off in the middle is no JSON; its beginning says it all the same.
  const quoted = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  try {
    return quoted === undefined ? null : (JSON.parse(quoted) as string).toWellFormed() || null;
  } catch {
    return null;
  }
}
