import {
  buildConversation,
  type ChatItem,
  type ChatOptions,
  type EnhancedAIGroup,
  type SessionConversation,
} from '../../src/chat/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { ContentOf } from '../../src/model/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { contentFrom } from './content.ts';
import { claudeTree, type Files, onlySession, piTree } from './transcript.ts';

/** Long after every transcript of the tests: nobody works any more. */
export const IDLE: ChatOptions = { now: Date.UTC(2030, 0, 1) };

/** The log has just grown. */
export const LIVE: ChatOptions = { now: Date.UTC(2030, 0, 1), lastGrowth: Date.UTC(2030, 0, 1) };

/** The chat of a small Claude Code project; a plain list of lines is the file `s.jsonl`. */
export function chatOf(files: Files | readonly object[], options: ChatOptions = IDLE): SessionConversation {
  const all: Files = Array.isArray(files) ? { 's.jsonl': files as readonly object[] } : (files as Files);
  const tree = claudeTree(all);
  return defaultChat(tree, contentFrom(claudeCode, all), options);
}

/** The same for a file of Pi. */
export const piChatOf = (lines: readonly object[], options: ChatOptions = IDLE): SessionConversation =>
  defaultChat(piTree(lines), contentFrom(pi, { 's.jsonl': lines }), options);

export function defaultChat(tree: Tree, content: ContentOf, options: ChatOptions = IDLE): SessionConversation {
  const { id, defaultThread } = onlySession(tree);
  return buildConversation(tree, id, defaultThread, content, options);
}

/** `user u1`, `ai a1`: the kinds of the items and the records they are named after. */
export const shapeOf = ({ items }: SessionConversation): string[] =>
  items.map(({ type, group }) => group.id.replace('-', ' ') + (group.id.startsWith(type) ? '' : ` (${type})`));

export const groupsOf = ({ items }: SessionConversation): EnhancedAIGroup[] =>
  items.flatMap((item) => (item.type === 'ai' ? [item.group] : []));

/** The only group of the agent, or the one at a place. */
export function groupOf(view: SessionConversation, at = 0): EnhancedAIGroup {
  const group = groupsOf(view).at(at);
  if (!group) throw new Error(`no AI group ${at} in ${shapeOf(view).join(', ')}`);
  return group;
}

type GroupOf<Type extends ChatItem['type']> = Extract<ChatItem, { type: Type }>['group'];

/** The group of the first item of a type, or of the one at a place among them. */
export function itemOf<Type extends ChatItem['type']>(
  { items }: SessionConversation,
  type: Type,
  at = 0,
): GroupOf<Type> {
  const found = items.filter((item) => item.type === type).at(at);
  if (!found) throw new Error(`no ${type} item ${at}`);
  return found.group as unknown as GroupOf<Type>;
}

/** `tool T`, `output text`: what a group lists. */
export const itemsOf = ({ displayItems }: EnhancedAIGroup): string[] =>
  displayItems.map((item) => {
    switch (item.type) {
      case 'tool':
        return `tool ${item.tool.id}`;
      case 'subagent':
        return `subagent ${item.subagent.id}`;
      case 'slash':
        return `slash ${item.slash.name}`;
      case 'teammate_message':
        return `teammate ${item.teammateMessage.teammateId}`;
      case 'notification':
        return `notification ${item.notification.status}`;
      default:
        return `${item.type} ${item.content}`;
    }
  });
