import {
  CATEGORIES,
  type CategoryTokens,
  type ContextPart,
  type ContextView,
  type ResponseContext,
} from '../context/index.ts';
import type { SessionConversation } from './types.ts';

/** What an AI group found in the model's window and put there (C15). */
export interface GroupContext {
  readonly phase: number;
  /** What came into the window with this group: what was read for it, and what it said itself, the final answer included. */
  readonly added: CategoryTokens;
  /** At its end, since the phase began. */
  readonly total: CategoryTokens;
  /** What the provider counted for its last response; null when the log does not say. */
  readonly reported: number | null;
  /** The part of that nobody can name. */
  readonly notAttributed: number | null;
}

/** By the id of the group. Groups without a response of their own have none. */
export function groupContexts({ items }: SessionConversation, { responses }: ContextView): Map<string, GroupContext> {
  const byRecord = new Map(responses.map((response) => [response.record, response]));
  const contexts = new Map<string, GroupContext>();
  for (const item of items) {
    if (item.type !== 'ai') continue;
    const own = item.group.responses.flatMap(({ id }) => byRecord.get(id) ?? []);
    const last = own.at(-1);
    if (last) contexts.set(item.group.id, contextOf(own, last));
  }
  return contexts;
}

function contextOf(own: readonly ResponseContext[], last: ResponseContext): GroupContext {
  const parts = own.flatMap(({ added, answer }) => [...added, ...answer]);
  return {
    phase: last.phase,
    added: sumParts(parts),
    total: addTokens(last.total, sumParts(last.answer)),
    reported: last.reported,
    notAttributed: last.notAttributed,
  };
}

function sumParts(parts: readonly ContextPart[]): CategoryTokens {
  const sums = Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as Record<
    ContextPart['category'],
    number
  >;
  for (const { category, tokens } of parts) sums[category] += tokens;
  return sums;
}

const addTokens = (a: CategoryTokens, b: CategoryTokens): CategoryTokens =>
  Object.fromEntries(CATEGORIES.map((category) => [category, a[category] + b[category]])) as unknown as CategoryTokens;
