import { addAll, type CallId } from '../model/index.ts';
import type { GroupPart } from './distinct-calls.ts';
import { estimateTokens } from './measure.ts';
import { notificationOf } from './notifications.ts';
import type { Sent } from './replies.ts';
import { atTime } from './times.ts';
import type { AIGroupDisplayItem, LinkedToolItem, Process, SemanticStep, SlashItem } from './types.ts';

export interface ItemSources {
  readonly steps: readonly SemanticStep[];
  readonly parts: readonly GroupPart[];
  readonly tools: ReadonlyMap<string, LinkedToolItem>;
  readonly processes: readonly Process[];
  readonly start: number;
  /** Steps that the last output shows already. */
  readonly shown: readonly string[];
  /** The command this group answers. */
  readonly slash: SlashItem | null;
  readonly replies: ReadonlyMap<string, Sent | null>;
  /** Notifications whose answer a sub-agent shows. */
  readonly answered: ReadonlyMap<string, CallId | null>;
}

export const HIDDEN_THINKING = 'thinking (hidden)';

/** In the order things happened; a command that asked for them comes first (C7). */
export function displayItems(sources: ItemSources): AIGroupDisplayItem[] {
  const { steps, parts, tools, processes, shown, slash } = sources;
  const started = processes.length > 0 ? startedIn(parts, processes) : NOTHING_STARTED;
  const items: AIGroupDisplayItem[] = [];
  for (const step of steps) {
    if (shown.includes(step.id)) continue;
    const item = itemOf(step, tools, started);
    if (item) items.push(item);
  }
  const messages = messageItems(sources);
  if (messages.length > 0) {
    addAll(items, messages);
    items.sort((a, b) => a.timestamp.getTime() - b.timestamp.getTime());
  }
  if (slash) items.unshift({ type: 'slash', id: slash.id, timestamp: slash.timestamp, slash });
  return items;
}

/** Sub-agents by their id, and the calls they stand for. */
interface Started {
  readonly processes: ReadonlyMap<string, Process>;
  readonly calls: ReadonlySet<string>;
}

function startedIn(parts: readonly GroupPart[], all: readonly Process[]): Started {
  const processes = new Map(all.map((process) => [process.id, process]));
  const calls = parts.flatMap((part) =>
    part.calls.filter(({ call }) => call.subagents.some((id) => processes.has(id))),
  );
  return { processes, calls: new Set(calls.map(({ id }) => id)) };
}

const NOTHING_STARTED = startedIn([], []);

function itemOf(
  step: SemanticStep,
  tools: ReadonlyMap<string, LinkedToolItem>,
  { processes, calls }: Started,
): AIGroupDisplayItem | null {
  const { id, type, startTime: timestamp, content } = step;
  const tokenCount = step.tokens?.output ?? 0;
  switch (type) {
    case 'thinking':
      return {
        type,
        id: `thinking-${id}`,
        timestamp,
        content: content.text?.trim() ? content.text : HIDDEN_THINKING,
        tokenCount,
      };
    case 'output':
    case 'interruption':
      return { type: 'output', id: `output-${id}`, timestamp, content: content.text ?? '', tokenCount };
    case 'tool_call': {
      const tool = tools.get(id);
      return tool && !calls.has(id) ? { type: 'tool', id: `tool-${id}`, timestamp, tool } : null;
    }
    case 'subagent': {
      const subagent = processes.get(content.subagentId ?? '');
      return subagent ? { type, id: `subagent-${subagent.id}`, timestamp, subagent } : null;
    }
    default:
      return null;
  }
}

/** What others said: teammates, and tasks in the background. */
function messageItems({ parts, start, replies, answered }: ItemSources): AIGroupDisplayItem[] {
  const items: AIGroupDisplayItem[] = [];
  let clock = start;
  for (const part of parts) {
    const { record } = part;
    clock = record.time ?? clock;
    if (record.kind !== 'teammate' && record.kind !== 'notification') continue;
    part.content.own.forEach((block, i) => {
      const id = `${record.id}:${i}`;
      const timestamp = atTime(clock);
      if (block.type === 'teammate') {
        const reply = replies.get(id);
        const teammateMessage = {
          id,
          teammateId: block.from,
          summary: block.summary,
          content: block.text,
          tokenCount: estimateTokens(block.text.length),
          timestamp,
          ...(reply ? { replyToToolId: reply.tool, replyToSummary: reply.summary } : {}),
        };
        items.push({ type: 'teammate_message', id: `teammate-${id}`, timestamp, teammateMessage });
      } else if (block.type === 'notification' || block.type === 'text') {
        items.push({
          type: 'notification',
          id: `notification-${id}`,
          timestamp,
          notification: notificationOf(block, record, id, timestamp, answered.get(id)),
        });
      }
    });
  }
  return items;
}
