import { type Clears, isCleared } from '../context/index.ts';
import type { ContentOf, Key, SessionId } from '../model/index.ts';
import type { ThreadPath, Tree } from '../tree/index.ts';
import type { PriceTable } from '../usage/index.ts';
import { aiGroup } from './ai-group.ts';
import { aiParts, type Chunk, chunkAfter, rechunk } from './chunk.ts';
import { compactGroup } from './compact-group.ts';
import { keepEqual } from './keep-equal.ts';
import { metricsOf } from './metrics.ts';
import { toldIn } from './notifications.ts';
import type { Processes } from './processes.ts';
import type { Part, RawCall } from './read-part.ts';
import { findReplies, heardIn, type Sent, sentIn } from './replies.ts';
import { slashItem } from './slash-item.ts';
import { count, isResponse, NOTHING_YET, type SoFar } from './so-far.ts';
import { systemGroup } from './system-group.ts';
import { ThreadParts } from './thread-parts.ts';
import type { ChatItem, EnhancedAIGroup, SemanticStep, SessionConversation, SessionMetrics } from './types.ts';
import { userGroup } from './user-group.ts';

/** What a conversation is made from, beside its records. */
export interface ConversationSource {
  readonly tree: Tree;
  readonly session: SessionId;
  readonly content: ContentOf;
  /** The log grew lately: somebody may be at work. */
  readonly fresh: boolean;
  readonly prices: PriceTable;
  readonly processes: Processes;
}

const NO_CLEARS: Clears = new Set();

/**
 * A conversation that can be brought up to date. A part is kept until its record changes; an item until one of its parts changes, or
 * something it knows of the items around it.
 */
export class Conversation {
  readonly #sessionId: string;
  readonly #threadId: Key | null;
  readonly #context: SemanticStep['context'];
  readonly #parts = new ThreadParts();
  readonly #chunks: Chunk[] = [];
  readonly #sent: Sent[] = [];
  /** Where the window was emptied without a compaction. */
  #clears = NO_CLEARS;
  #items: readonly ChatItem[] = [];
  #source: ConversationSource | null = null;

  constructor(sessionId: string, threadId: Key | null, context: SemanticStep['context']) {
    this.#sessionId = sessionId;
    this.#threadId = threadId;
    this.#context = context;
  }

  has(id: Key): boolean {
    return this.#parts.placeOf(id) !== undefined;
  }

  /** `changed`: the records that may read differently. */
  refresh(
    source: ConversationSource,
    path: ThreadPath,
    changed: Iterable<Key>,
    clears = NO_CLEARS,
  ): SessionConversation {
    // This one may have been running, and another may be now.
    let first = this.#lastSaid();
    const from = this.#parts.follow(path, changed, source.tree, source.content, (place) => {
      first = Math.min(first, this.#spoil(place));
    });
    first = Math.min(first, rechunk(this.#parts.list, from, this.#chunks), this.#lastSaid());
    for (const id of first > 0 ? source.processes.spawning : []) {
      const place = this.#parts.placeOf(id);
      if (place !== undefined) first = Math.min(first, chunkAfter(this.#chunks, place));
    }
    const told = source.processes.showsOthers ? this.#chunks.findIndex((chunk) => chunk.told.length > 0) : -1;
    if (told >= 0) first = Math.min(first, told);
    const isSame = this.#source?.fresh === source.fresh && this.#source.prices === source.prices;
    if (!isSame || !isSameClears(clears, this.#clears)) first = 0;
    this.#source = source;
    this.#clears = clears;
    const start = Math.max(0, first);
    return this.#assemble(source, this.#before(start).unanswered ?? start);
  }

  /** The items of a part must be made again; gives the first of them. */
  #spoil(place: number): number {
    const first = chunkAfter(this.#chunks, place);
    for (let i = first; (this.#chunks[i]?.start ?? Number.POSITIVE_INFINITY) <= place; i++)
      (this.#chunks[i] as Chunk).stale = true;
    return first;
  }

  /** The last item that the agent has seen: prompts that wait come after it. */
  #lastSaid(): number {
    let place = this.#chunks.length - 1;
    while (place > 0 && this.#parts.list[(this.#chunks[place] as Chunk).start]?.record.queued) place--;
    return place;
  }

  #before(chunk: number): SoFar {
    return this.#chunks[chunk - 1]?.after ?? NOTHING_YET;
  }

  /** Goes through the chunks from one on. */
  #assemble(source: ConversationSource, first: number): SessionConversation {
    const items: ChatItem[] = [];
    const last = this.#lastSaid();
    let so = this.#before(first);
    this.#sent.length = so.sent;
    for (let i = first; i < this.#chunks.length; i++) {
      const chunk = this.#chunks[i] as Chunk;
      const part = this.#parts.list[chunk.start] as Part;
      const item = this.#settle(chunk, i, part, so, source, i === last);
      const parts = chunk.type === 'ai' ? aiParts(this.#parts.list, chunk) : [part];
      const clears = this.#clearsIn(i, chunk.end);
      so = count(so, item, i, parts, { sent: chunk.sent.length, clears, prices: source.prices });
      chunk.after = so;
      items.push(item);
      for (const sent of chunk.sent) this.#sent.push(sent);
    }
    this.#items = first === 0 ? items : this.#items.slice(0, first).concat(items);
    return this.#publish(so, source);
  }

  /** The item of a chunk: the one from before, if everything it is made from is the same. */
  #settle(chunk: Chunk, place: number, part: Part, so: SoFar, source: ConversationSource, isLast: boolean): ChatItem {
    const time = part.record.time ?? so.clock;
    switch (chunk.type) {
      case 'user':
        return settle(chunk, [time, so.user], () => ({ type: 'user', group: userGroup(part, time, so.user) }));
      case 'system':
        return settle(chunk, [time], () => ({ type: 'system', group: systemGroup(part, time) }));
      case 'compact': {
        const isCompaction = part.record.kind === 'compaction';
        const before = isCompaction ? so.response : null;
        const after = isCompaction ? this.#responseAfter(place) : null;
        const phase = isCompaction ? so.compactions + 2 + so.clears + this.#clearsIn(place, chunk.start) : null;
        return settle(chunk, [time, phase, before?.usage, after?.usage], () => ({
          type: 'compact',
          group: compactGroup(part, time, phase, before, after),
        }));
      }
      default:
        return this.#settleGroup(chunk, time, so, source, source.fresh && isLast);
    }
  }

  #settleGroup(chunk: Chunk, time: number, so: SoFar, source: ConversationSource, mayRun: boolean): ChatItem {
    if (chunk.stale || chunk.knows[0] !== time) {
      const parts = aiParts(this.#parts.list, chunk);
      chunk.sent = sentIn(parts);
      chunk.heard = heardIn(parts, time);
      chunk.spawning = spawningIn(parts);
      chunk.told = toldIn(parts);
    }
    const processes = source.processes.startedBy(chunk.spawning, source);
    const replies = findReplies(chunk.heard, this.#sent, chunk.sent);
    const answered = new Map(
      chunk.told.flatMap((told) => {
        const call = source.processes.shownFor(told);
        return call === undefined ? [] : [[told.id, call] as const];
      }),
    );
    const knows = [
      time,
      so.ai,
      so.slash,
      mayRun,
      source.prices,
      ...processes,
      ...replies.values(),
      ...[...answered].flat(),
    ];
    const make = (): EnhancedAIGroup =>
      aiGroup(aiParts(this.#parts.list, chunk), processes, {
        time,
        turnIndex: so.ai,
        mayRun,
        slash: so.slash ? slashItem(so.slash, time) : null,
        replies,
        answered,
        context: this.#context,
        prices: source.prices,
      });
    return settle(chunk, knows, () => ({ type: 'ai', group: make() }));
  }

  #responseAfter(place: number): Part['record'] | null {
    for (let i = place + 1; i < this.#chunks.length; i++) {
      const chunk = this.#chunks[i] as Chunk;
      if (chunk.type === 'ai') {
        const found = aiParts(this.#parts.list, chunk).find(({ record }) => isResponse(record));
        if (found) return found.record;
      } else if (this.#parts.list[chunk.start]?.record.kind === 'compaction') return null;
    }
    return null;
  }

  /** How often the window was emptied without a compaction, from the end of the chunk before one up to a part. */
  #clearsIn(chunk: number, end: number): number {
    if (this.#clears.size === 0) return 0;
    let clears = 0;
    for (let i = Math.max(1, this.#chunks[chunk - 1]?.end ?? 0); i < end; i++) {
      const { record } = this.#parts.list[i] as Part;
      const { record: before } = this.#parts.list[i - 1] as Part;
      if (record.kind !== 'compaction' && isCleared(before, record, this.#clears)) clears++;
    }
    return clears;
  }

  /** Each response once, also where the thread repeats one. */
  #metrics(so: SoFar, prices: PriceTable): SessionMetrics {
    const durationMs = Math.max(0, so.clock - (so.began ?? so.clock));
    if (!this.#parts.hasRepeats) return { ...so.metrics, durationMs };
    const records = this.#parts.list.flatMap(({ category, record }) => (category === 'ai' ? [record] : []));
    return metricsOf(records, durationMs, prices);
  }

  #publish(so: SoFar, { fresh, processes, ...source }: ConversationSource): SessionConversation {
    const last = this.#items.at(-1);
    const isMain = this.#context === 'main';
    return {
      sessionId: this.#sessionId,
      threadId: this.#threadId,
      items: this.#items,
      totalUserGroups: so.user,
      totalSystemGroups: so.system,
      totalAIGroups: so.ai,
      totalCompactGroups: so.compact,
      unlinkedProcesses: isMain ? processes.unlinked({ fresh, processes, ...source }) : [],
      isOngoing: fresh && (last?.type === 'ai' ? last.group.isOngoing === true : last?.type === 'user'),
      metrics: this.#metrics(so, source.prices),
    };
  }
}

function spawningIn(parts: readonly Part[]): RawCall[] {
  const spawning: RawCall[] = [];
  for (const part of parts) {
    if (!part.record.calls.some(({ subagents }) => subagents.length > 0)) continue;
    for (const call of part.calls) if (call.call.subagents.length > 0) spawning.push(call);
  }
  return spawning;
}

function settle(chunk: Chunk, knows: readonly unknown[], make: () => ChatItem): ChatItem {
  const isSame = knows.length === chunk.knows.length && knows.every((each, i) => each === chunk.knows[i]);
  if (!chunk.item || chunk.stale || !isSame) chunk.item = keepEqual(chunk.item, make());
  chunk.stale = false;
  chunk.knows = knows;
  return chunk.item;
}

const isSameClears = (a: Clears, b: Clears): boolean => a.size === b.size && [...a].every((clear) => b.has(clear));
