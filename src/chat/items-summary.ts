import type { AIGroupDisplayItem } from './types.ts';

/** `2 thinking, 4 tool calls, 3 subagents` (C11). */
export function summarizeItems(items: readonly AIGroupDisplayItem[]): string {
  const counts = { thinking: 0, tool: 0, output: 0, subagent: 0, slash: 0, teammate_message: 0, notification: 0 };
  const members = new Set<string>();
  for (const item of items) {
    if (item.type === 'subagent' && item.subagent.team) members.add(item.subagent.team.memberName);
    else counts[item.type]++;
  }
  const parts = [
    count(counts.thinking, 'thinking', 'thinking'),
    count(counts.tool, 'tool call'),
    count(counts.output, 'message'),
    count(members.size, 'teammate'),
    count(counts.subagent, 'subagent'),
    count(counts.slash, 'slash command'),
    count(counts.teammate_message, 'teammate message'),
    count(counts.notification, 'notification'),
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(', ') : 'No items';
}

const count = (number: number, one: string, many = `${one}s`): string =>
  number === 0 ? '' : `${number} ${number === 1 ? one : many}`;
