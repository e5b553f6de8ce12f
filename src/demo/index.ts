import { mainLines } from './main-lines.ts';
import { scoutLines } from './scout-lines.ts';

const SESSION = 'd3300000-0000-4000-8000-00000000cafe';

const write = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/**
 * A made-up session in the format of Claude Code, small enough to read and with one of everything: a command, a plan, edits, a failing
 * test, a sub-agent, a prompt typed while a tool ran, a rewind with two branches, a compaction.
 */
export const demoFiles: readonly { readonly path: string; readonly text: string }[] = [
  { path: `${SESSION}.jsonl`, text: write(mainLines(SESSION)) },
  { path: `${SESSION}/subagents/agent-a5c0071.jsonl`, text: write(scoutLines(SESSION)) },
  {
    path: `${SESSION}/subagents/agent-a5c0071.meta.json`,
    text: JSON.stringify({ agentType: 'Explore', description: 'Find time code', toolUseId: 'toolu_demo_agent' }),
  },
];
