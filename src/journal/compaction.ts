import { applyEdit, editsIn } from './apply-edits.ts';
import { type ProjectedSessionEntry, projectPath } from './context.ts';
import { sessionEntryToContextMessages } from './context-messages.ts';
import type { SessionEntry } from './entries.ts';
import { calculateContextTokens, estimateTokens, usageOf } from './estimate-tokens.ts';
import { type FileOperations, fileOperations } from './list-files.ts';
import type { AgentMessage } from './messages.ts';
import { getCurrentSystemMessage } from './system-message.ts';

export interface CompactionSettings {
  enabled: boolean;
  /** Left free for the answer. */
  reserveTokens: number;
  keepRecentTokens: number;
}

export const DEFAULT_COMPACTION_SETTINGS: CompactionSettings = {
  enabled: true,
  reserveTokens: 16384,
  keepRecentTokens: 20000,
};

export const shouldCompact = (tokens: number, contextWindow: number, settings: CompactionSettings): boolean =>
  settings.enabled && tokens > contextWindow - settings.reserveTokens;

export interface CompactionPreparation {
  firstKeptEntryId: string;
  /** Whole turns that go into the summary. */
  messagesToSummarize: AgentMessage[];
  /** The entries these come from, with their edits. */
  entriesToSummarize: SessionEntry[];
  /** The beginning of the turn whose end is kept. */
  turnPrefixMessages: AgentMessage[];
  turnPrefixEntries: SessionEntry[];
  isSplitTurn: boolean;
  tokensBefore: number;
  /** Of the compaction before; the new summary takes it in. */
  previousSummary?: string;
  /** The files that are named in what is summarised, and in the summary before. */
  fileOps: FileOperations;
  settings: CompactionSettings;
}

/**
 * What a compaction at the end of this path would summarise and keep; undefined if there is nothing to summarise.
 * It looks at what the model sees now. What an earlier compaction kept is part of that: it is kept again or summarised, never dropped.
 */
export function prepareCompaction(
  path: readonly SessionEntry[],
  settings: CompactionSettings,
): CompactionPreparation | undefined {
  if (path.at(-1)?.type === 'compaction') return undefined;
  const { entries } = projectPath(path);
  const previous = entries[0]?.sourceEntry.type === 'compaction' ? entries[0].sourceEntry : null;
  const start = previous ? 1 : 0;
  const cut = cutAt(entries, start, entries.length, settings.keepRecentTokens);
  const firstKept = entries[cut.firstKeptEntryIndex]?.sourceEntry;
  if (!firstKept) return undefined;
  const historyEnd = cut.isSplitTurn ? cut.turnStartIndex : cut.firstKeptEntryIndex;
  const [history, prefix] = [entries.slice(start, historyEnd), entries.slice(historyEnd, cut.firstKeptEntryIndex)];
  const [messagesToSummarize, turnPrefixMessages] = [conversation(history), conversation(prefix)];
  if (messagesToSummarize.length + turnPrefixMessages.length === 0) return undefined;
  const edits = editsIn(entries.map(({ sourceEntry }) => sourceEntry));
  const seen = (part: readonly ProjectedSessionEntry[]) =>
    part.flatMap((each) => (conversation([each]).length > 0 ? (applyEdit(each.sourceEntry, edits) ?? []) : []));
  const [entriesToSummarize, turnPrefixEntries] = [seen(history), seen(prefix)];
  return {
    firstKeptEntryId: firstKept.id,
    messagesToSummarize,
    entriesToSummarize,
    turnPrefixMessages,
    turnPrefixEntries,
    isSplitTurn: cut.isSplitTurn,
    tokensBefore: tokensIn(entries, path),
    ...(previous ? { previousSummary: previous.summary } : {}),
    fileOps: fileOperations([...(previous ? [previous] : []), ...entriesToSummarize, ...turnPrefixEntries]),
    settings,
  };
}

/** The system prompt is no part of the conversation; the compaction carries it. */
const conversation = (entries: readonly ProjectedSessionEntry[]): AgentMessage[] =>
  entries.flatMap(({ messages }) => messages.filter((message) => message.role !== 'system'));

/** The provider's count, if nothing changed the window since; and a guess at what came later. */
function tokensIn(entries: readonly ProjectedSessionEntry[], path: readonly SessionEntry[]): number {
  const answer = entries.findLastIndex(({ messages }) => messages.some(usageOf));
  const answered = entries[answer];
  const changed = path.findLastIndex(({ type }) => type === 'context_edit' || type === 'compaction');
  if (answered && path.lastIndexOf(answered.sourceEntry) > changed) {
    const usage = answered.messages.map(usageOf).find(Boolean);
    const later = sumTokens(conversation(entries.slice(answer + 1)));
    return (usage ? calculateContextTokens(usage) : 0) + later;
  }
  const system = getCurrentSystemMessage(entries.flatMap(({ messages }) => messages));
  return (system ? estimateTokens(system) : 0) + sumTokens(conversation(entries));
}

const sumTokens = (messages: readonly AgentMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(message), 0);

export interface CutPointResult {
  firstKeptEntryIndex: number;
  /** Where the turn begins that is cut in two; -1 if none is. */
  turnStartIndex: number;
  isSplitTurn: boolean;
}

/** Where to cut entries `startIndex` to `endIndex` (without it) so that about `keepRecentTokens` stay. */
export function findCutPoint(
  entries: readonly SessionEntry[],
  startIndex: number,
  endIndex: number,
  keepRecentTokens: number,
): CutPointResult {
  return cutAt(entries.map(asProjected), startIndex, endIndex, keepRecentTokens);
}

/** The entry that begins the turn this one is in; -1 if none does. */
export function findTurnStartIndex(entries: readonly SessionEntry[], entryIndex: number, startIndex: number): number {
  return turnStart(entries.map(asProjected), entryIndex, startIndex);
}

const asProjected = (sourceEntry: SessionEntry): ProjectedSessionEntry => ({
  sourceEntry,
  messages: sessionEntryToContextMessages(sourceEntry),
});

function cutAt(entries: readonly ProjectedSessionEntry[], start: number, end: number, keep: number): CutPointResult {
  const cut = findCut(entries, start, end, keep);
  if (cut < 0) return { firstKeptEntryIndex: start, turnStartIndex: -1, isSplitTurn: false };
  // Settings and labels right before what is kept are kept too. They do not make it the middle of a turn.
  let first = cut;
  while (first > start && isSilent(entries[first - 1])) first--;
  const turn = startsTurn(entries[cut]) ? -1 : turnStart(entries, cut, start);
  return { firstKeptEntryIndex: first, turnStartIndex: turn, isSplitTurn: turn !== -1 };
}

/** Counts from the end until enough is kept; then the next place where a cut may be, or, if only results follow, the last one before. */
function findCut(entries: readonly ProjectedSessionEntry[], start: number, end: number, keep: number): number {
  let kept = 0;
  let after = -1;
  for (let at = end - 1; at >= start; at--) {
    const entry = entries[at];
    if (!entry) continue;
    kept += sumTokens(entry.messages);
    if (mayBeFirst(entry)) after = at;
    if (kept >= keep && kept > 0 && entry.messages.length > 0) {
      return after >= 0
        ? after
        : entries.findLastIndex((other, place) => place < at && place >= start && mayBeFirst(other));
    }
  }
  return after;
}

/** A result stays with its call. */
const mayBeFirst = ({ sourceEntry, messages }: ProjectedSessionEntry): boolean =>
  sourceEntry.type !== 'compaction' && messages.some(({ role }) => role !== 'toolResult' && role !== 'system');

const startsTurn = (entry: ProjectedSessionEntry | undefined): boolean =>
  entry !== undefined && mayBeFirst(entry) && entry.messages.some(({ role }) => role !== 'assistant');

const isSilent = (entry: ProjectedSessionEntry | undefined): boolean =>
  entry !== undefined && entry.sourceEntry.type !== 'compaction' && entry.messages.length === 0;

function turnStart(entries: readonly ProjectedSessionEntry[], from: number, start: number): number {
  for (let at = from; at >= start; at--) if (startsTurn(entries[at])) return at;
  return -1;
}
