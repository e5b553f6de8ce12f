import type { AIGroupLastOutput, ChatItem, EnhancedAIGroup, SessionConversation } from '../../chat/index.ts';
import { formatTime } from './format-time.ts';
import { printableLine } from './printable.ts';
import { preview } from './shorten.ts';
import { cutToWidth } from './width.ts';

const WIDTH = 100;
const INDENT = ' '.repeat(19);

/** One line per item, and below what the agent did the output that stays in view. */
export function* renderChat({ items, unlinkedProcesses }: SessionConversation): Generator<string> {
  for (const item of items) yield `[${formatTime(timeOf(item))}] ${renderItem(item)}\n`;
  for (const { id, startTime, conversation } of unlinkedProcesses)
    yield `[${formatTime(startTime.getTime())}] sub-agent ${printableLine(id)} (no call known): ${conversation.items.length} items\n`;
}

const timeOf = (item: ChatItem): number => (item.type === 'ai' ? item.group.startTime : item.group.timestamp).getTime();

function renderItem(item: ChatItem): string {
  switch (item.type) {
    case 'user': {
      const { rawText = '', images } = item.group.content;
      return `User    ${short(rawText)}${images.length > 0 ? ` [${images.length === 1 ? 'image' : `${images.length} images`}]` : ''}`;
    }
    case 'system': {
      const { commandName, commandOutput } = item.group;
      return `System  ${short(commandName === undefined ? commandOutput : `${commandName}: ${commandOutput}`)}`;
    }
    case 'compact': {
      const { tokenDelta, startingPhaseNumber, summary } = item.group;
      const phase = startingPhaseNumber === undefined ? '' : `, phase ${startingPhaseNumber}`;
      const delta = tokenDelta
        ? `${count(tokenDelta.pre)} → ${count(tokenDelta.post)} tokens${phase}`
        : `${short(summary)}${phase}`;
      return `Compact ${delta}`;
    }
    default:
      return renderGroup(item.group);
  }
}

function renderGroup(group: EnhancedAIGroup): string {
  const { itemsSummary, mainModel, status, totalMetrics, durationMs, lastOutput } = group;
  const parts = [
    itemsSummary,
    ...(mainModel ? [printableLine(mainModel.label)] : []),
    `${count(totalMetrics.totalTokens)} tokens`,
    ...(totalMetrics.costUsd === null ? [] : [`$${totalMetrics.costUsd.toFixed(2)}`]),
    duration(durationMs),
    ...(status === 'complete' ? [] : [status.replace('_', ' ')]),
  ];
  const said = lastOutput ? renderLast(lastOutput) : '';
  const below =
    said === ''
      ? ''
      : `\n${said
          .split('\n')
          .map((line) => INDENT + line)
          .join('\n')}`;
  return `AI      ${parts.join(' · ')}${below}`;
}

function renderLast(last: AIGroupLastOutput): string {
  switch (last.type) {
    case 'text':
      return preview(last.text ?? '', false);
    case 'tool_result':
      return `${printableLine(last.toolName ?? 'result')}: ${preview(last.toolResult ?? '', false)}`;
    case 'interruption':
      return `⚠ ${preview(last.interruptionMessage ?? '', false)}`;
    case 'plan_exit':
      return `Plan (${last.planVerdict ?? 'pending'}): ${preview(last.planContent ?? '', false)}`;
    default:
      return '… at work';
  }
}

const short = (text: string): string => cutToWidth(printableLine(text), WIDTH);
const count = (number: number): string => number.toLocaleString('en-US');

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
