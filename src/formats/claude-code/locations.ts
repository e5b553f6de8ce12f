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
