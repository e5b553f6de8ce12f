import { stripEscapes } from '../../model/index.ts';
import type { NodeType, OutlineNode } from '../../outline/index.ts';

const NAMES: Readonly<Record<NodeType, string>> = {
  session: 'Session',
  branch: 'Branch',
  subagent: 'Sub-agent',
  user: 'User',
  command: 'Command',
  bash: 'Shell',
  compaction: 'Compacted',
  branch_summary: 'Summary',
  assistant: 'Assistant',
  thinking: 'Thinking',
  interruption: 'Interrupted',
  teammate: 'Teammate',
  notification: 'Notification',
  tool: 'Tool',
  system: 'System',
  hook: 'Hook',
  annotation: 'Note',
  custom: 'Message',
};

export function nameOf({ type, pair, tool }: OutlineNode): string {
  if (tool) return toolName(tool.name);
  return type === 'thinking' && pair ? NAMES.assistant : NAMES[type];
}

/** `mcp__github__search` is a tool of a server. */
function toolName(name: string): string {
  const [, server, own] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined ? name : `${server} · ${own}`;
}

/** What says most about a call, when it is there. */
const TELLING = [
  'subject',
  'description',
  'file_path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'path',
  'command',
  'skill',
  'summary',
  'reason',
  'prompt',
  'team_name',
  'bash_id',
  'shell_id',
  'task_id',
  'taskId',
  'id',
];
const SHORT = 160;

export function shortInput({ tool }: OutlineNode): string {
  const input = (tool?.call?.input ?? {}) as Record<string, unknown>;
  for (const key of TELLING) {
    const value = input[key];
    if (typeof value === 'string' && value.trim() !== '')
      return oneLine(key.endsWith('path') ? shortPath(value) : value);
  }
  return Array.isArray(input.todos) ? howMuchIsDone(input.todos) : '';
}

function howMuchIsDone(todos: readonly unknown[]): string {
  const done = todos.filter((todo) => (todo as { status?: unknown } | null)?.status === 'completed');
  return `${done.length} of ${todos.length} done`;
}

const shortPath = (path: string): string => path.split(/[\\/]/).slice(-2).join('/');

/** Colours of a terminal are shown in what it printed, not in heads and lists. */
export function oneLine(text: string): string {
  const line = stripEscapes(text).replace(/\s+/g, ' ').trim();
  return line.length > SHORT ? `${line.slice(0, SHORT - 1).toWellFormed()}…` : line;
}
