import { findClears } from '../context/index.ts';
import type { Change, ContentOf, Key, SessionId, SubagentId } from '../model/index.ts';
import type { ThreadPath, Tree } from '../tree/index.ts';
import { type PriceTable, shippedPrices } from '../usage/index.ts';
import { Conversation, type ConversationSource } from './conversation.ts';
import { Processes } from './processes.ts';
import { isFresh } from './running.ts';
import type { SessionConversation } from './types.ts';

export interface ChatOptions {
  /** Epoch milliseconds; the clock unless told. */
  readonly now?: number;
  /** When the log last grew; the time of its newest record unless told. */
  readonly lastGrowth?: number;
  readonly prices?: PriceTable;
}

interface Kept {
  readonly conversation: Conversation;
  readonly processes: Processes;
}

/** What a view was made with, to be brought up to date. The newest view of a thread owns it. */
const kept = new WeakMap<SessionConversation, Kept>();

export function buildConversation(
  tree: Tree,
  session: SessionId,
  thread: Key | null,
  content: ContentOf,
  options: ChatOptions = {},
): SessionConversation {
  const known = { conversation: new Conversation(session, thread, 'main'), processes: new Processes() };
  return refresh(known, tree, session, thread, NO_CHANGE, content, options);
}

/** The same conversation after a change. What did not change is the same object. */
export function updateConversation(
  view: SessionConversation,
  tree: Tree,
  change: Change,
  content: ContentOf,
  options: ChatOptions = {},
): SessionConversation {
  const known = kept.get(view);
  const session = change.merged.find(({ from }) => from === view.sessionId)?.into ?? view.sessionId;
  if (!known || session !== view.sessionId) return buildConversation(tree, session, view.threadId, content, options);
  kept.delete(view);
  return refresh(known, tree, session, view.threadId, change, content, options);
}

/** What a sub-agent said and did, as a conversation of its own. */
export function buildSubagentConversation(
  tree: Tree,
  session: SessionId,
  subagent: SubagentId,
  content: ContentOf,
  options: ChatOptions = {},
): SessionConversation {
  const source = sourceOf(new Processes(), tree, session, NO_CHANGE, content, options);
  const ids = tree.subagentRecords(subagent, session);
  const path: ThreadPath = { stamp: ids, length: ids.length, from: (index) => ids.slice(index) };
  return new Conversation(subagent, null, 'subagent').refresh(source, path, []);
}

const EMPTY: ThreadPath = { stamp: {}, length: 0, from: () => [] };

type Changed = Pick<Change, 'added' | 'changed' | 'removed'>;
const NO_CHANGE: Changed = { added: [], changed: [], removed: [] };

function refresh(
  known: Kept,
  tree: Tree,
  session: SessionId,
  thread: Key | null,
  change: Changed,
  content: ContentOf,
  options: ChatOptions,
): SessionConversation {
  const source = sourceOf(known.processes, tree, session, change, content, options);
  const path = (thread === null ? null : tree.pathOf(session, thread)) ?? EMPTY;
  const clears = findClears(tree.session(session).facts);
  const view = known.conversation.refresh(source, path, [...change.added, ...change.changed], clears);
  kept.set(view, known);
  return view;
}

function sourceOf(
  processes: Processes,
  tree: Tree,
  session: SessionId,
  change: Changed,
  content: ContentOf,
  { now = Date.now(), lastGrowth, prices = shippedPrices }: ChatOptions,
): ConversationSource {
  const facts = tree.session(session);
  const fresh = isFresh(now, lastGrowth ?? facts.endedAt);
  const source = { tree, session, content, fresh, prices, processes };
  processes.follow(facts, change, source);
  return source;
}
