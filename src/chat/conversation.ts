import type { Change, ContentOf, Fact, Key, LogRecord, SessionId, SubagentId } from '../model/index.ts';
import type { ThreadPath, Tree } from '../tree/index.ts';
import { type PriceTable, shippedPrices } from '../usage/index.ts';
import { aiGroup } from './ai-group.ts';
import { type Chunk, chunkAfter, chunkParts } from './chunk.ts';
import { compactGroup } from './compact-group.ts';
import { estimateTokens } from './measure.ts';
import { addMetrics, metricsOf } from './metrics.ts';
import { Processes } from './processes.ts';
import { type Part, readPart } from './read-part.ts';
import { type Sent, sentIn } from './replies.ts';
import { isFresh } from './running.ts';
import { atTime } from './times.ts';
import type { ChatItem, SemanticStep, SessionConversation, SlashItem } from './types.ts';
import { userGroup } from './user-group.ts';

export interface ChatOptions {
  /** Epoch milliseconds; the clock unless told. */
  readonly now?: number;
  /** When the log last grew; the time of its newest record unless told. */
  readonly lastGrowth?: number;
  readonly prices?: PriceTable;
}

/** What a conversation is made from, inside: a thread of a session, or the records of a sub-agent. */
export interface ConversationSource {
  readonly tree: Tree;
  readonly content: ContentOf;
  readonly now: number;
  readonly lastGrowth: number | null;
  readonly prices: PriceTable;
  readonly processes: Processes;
}

/**
 * A conversation that can be brought up to date. Parts are made per record and kept until the record changes; items are made per chunk
 * and kept until one of its parts, or what it knows of its neighbours, changes.
 */
export class Conversation {
  readonly #sessionId: string;
  readonly #threadId: Key | null;
  readonly #context: SemanticStep['context'];
  #stamp: object | null = null;
  #ids: Key[] = [];
  readonly #places = new Map<Key, number>();
  #parts: Part[] = [];
  #chunks: Chunk[] = [];

  constructor(sessionId: string, threadId: Key | null, context: SemanticStep['context']) {
    this.#sessionId = sessionId;
    this.#threadId = threadId;
    this.#context = context;
  }

  /** `dirty`: the records that may read differently. */
  refresh(
    source: ConversationSource,
    path: ThreadPath,
    dirty: Iterable<Key>,
    clears: readonly Fact[],
  ): SessionConversation {
    let from = this.#followPath(path);
    for (const key of dirty) {
      const place = this.#places.get(key);
      if (place !== undefined && place < this.#parts.length) from = Math.min(from, this.#renew(place, source));
    }
    for (let i = this.#parts.length; i < this.#ids.length; i++) this.#parts.push(partOf(this.#ids[i] as Key, source));
    this.#rechunk(from);
    return this.#assemble(source, clears);
  }

  /** Takes over what is new on the path, and gives the number of records that stayed where they were. */
  #followPath(path: ThreadPath): number {
    const isSame = path.stamp === this.#stamp;
    const ids = path.from(isSame ? this.#ids.length : 0);
    let kept = isSame ? this.#ids.length : 0;
    if (!isSame) while (kept < ids.length && ids[kept] === this.#ids[kept]) kept++;
    this.#stamp = path.stamp;
    for (const id of this.#ids.slice(kept)) this.#places.delete(id);
    this.#ids.length = kept;
    this.#parts.length = Math.min(kept, this.#parts.length);
    for (const id of isSame ? ids : ids.slice(kept)) {
      this.#places.set(id, this.#ids.length);
      this.#ids.push(id);
    }
    return kept;
  }

  /** Makes a part anew; gives its place when it has become something else, so that the chunks around it change. */
  #renew(place: number, source: ConversationSource): number {
    const before = this.#parts[place] as Part;
    const part = partOf(this.#ids[place] as Key, source);
    this.#parts[place] = part;
    const isSame = part.category === before.category && (part.output === '') === (before.output === '');
    if (!isSame) return place;
    for (let i = chunkAfter(this.#chunks, place); (this.#chunks[i]?.start ?? Number.POSITIVE_INFINITY) <= place; i++)
      (this.#chunks[i] as Chunk).item = null;
    return this.#parts.length;
  }

  /** Chunks before `from` stay; later ones that come out with the same parts keep their item. */
  #rechunk(from: number): void {
    const first = chunkAfter(this.#chunks, from - 1);
    const dropped = this.#chunks.slice(first);
    const before = dropped[0]?.start ?? this.#chunks.at(-1)?.end ?? 0;
    this.#chunks.length = first;
    chunkParts(this.#parts, Math.min(from, before), this.#chunks);
    if (dropped.length === 0) return;
    const known = new Map(dropped.map((chunk) => [`${chunk.type} ${chunk.item?.group.id}`, chunk]));
    for (const chunk of this.#chunks.slice(first)) {
      const same = known.get(`${chunk.type} ${chunk.type}-${this.#ids[chunk.start]}`);
      if (same?.item && this.#isMadeOf(same.item, chunk)) {
        chunk.item = same.item;
        chunk.signature = same.signature;
        chunk.sent = same.sent;
      }
    }
  }

  #isMadeOf(item: ChatItem, { start, end }: Chunk): boolean {
    if (item.type !== 'ai') return item.group.message === this.#parts[start]?.record;
    const records = item.group.responses;
    const parts = this.#parts.slice(start, end).filter(({ category }) => category === 'ai');
    return records.length === parts.length && parts.every(({ record }, i) => record === records[i]);
  }

  #assemble(source: ConversationSource, clears: readonly Fact[]): SessionConversation {
    const items: ChatItem[] = [];
    const totals = { user: 0, system: 0, ai: 0, compact: 0 };
    const fresh = isFresh(source.now, source.lastGrowth);
    let phase = 1;
    let slash: Part | null = null;
    let clock = 0;
    const earlier: Sent[] = [];
    this.#chunks.forEach((chunk, i) => {
      const part = this.#parts[chunk.start] as Part;
      clock = part.record.time ?? clock;
      if (chunk.type === 'compact' && part.record.kind === 'compaction') phase++;
      const isLast = i === this.#chunks.length - 1;
      const signature = this.#signature(chunk, totals, phase, slash, isLast && fresh, earlier.length, clears);
      if (!chunk.item || chunk.signature !== signature) {
        chunk.item = this.#make(chunk, {
          source,
          totals,
          phase,
          slash,
          mayRun: isLast && fresh,
          earlier,
          clock,
          clears,
        });
        chunk.signature = signature;
      }
      const { item } = chunk;
      items.push(item);
      totals[chunk.type]++;
      slash = chunk.type === 'user' && part.record.kind === 'user_defined_command' ? part : null;
      for (const sent of chunk.sent) earlier.push(sent);
    });
    return this.#publish(items, totals, source, fresh);
  }

  /** What an item knows beside its own parts. Equal signatures of equal parts are equal items. */
  #signature(
    chunk: Chunk,
    totals: Readonly<Record<ChatItem['type'], number>>,
    phase: number,
    slash: Part | null,
    mayRun: boolean,
    sent: number,
    clears: readonly Fact[],
  ): string {
    const { type } = chunk;
    if (type === 'user') return `${totals.user}`;
    if (type === 'system') return '';
    if (type === 'ai')
      return `${totals.ai} ${mayRun} ${slash?.record.id ?? ''} ${slash?.record.revision ?? ''} ${sent}`;
    return `${phase} ${clears.length} ${this.#around(chunk, -1)?.revision ?? ''} ${this.#around(chunk, 1)?.revision ?? ''}`;
  }

  /** The last response before a chunk, or the first after it. */
  #around(chunk: Chunk, step: -1 | 1): LogRecord | null {
    for (let i = step < 0 ? chunk.start - 1 : chunk.end; i >= 0 && i < this.#parts.length; i += step) {
      const { record } = this.#parts[i] as Part;
      if (record.usage && record.kind === 'assistant') return record;
      if (record.kind === 'compaction') return null;
    }
    return null;
  }

  #partsOf({ start, end }: Chunk): Part[] {
    return this.#parts.slice(start, end).filter(({ category }) => category === 'ai');
  }

  #make(chunk: Chunk, around: Surroundings): ChatItem {
    const part = this.#parts[chunk.start] as Part;
    const { record } = part;
    switch (chunk.type) {
      case 'user':
        return { type: 'user', group: userGroup(part, around.clock, around.totals.user) };
      case 'system':
        return { type: 'system', group: systemGroup(part, around.clock) };
      case 'compact': {
        const cleared = around.clears.filter(({ ref }) => isBefore(ref, record)).length;
        const phase = record.kind === 'compaction' ? around.phase + cleared : null;
        const group = compactGroup(part, around.clock, phase, this.#around(chunk, -1), this.#around(chunk, 1));
        return { type: 'compact', group };
      }
      default: {
        const parts = this.#partsOf(chunk);
        const { source } = around;
        chunk.sent = sentIn(parts);
        const processes = source.processes.startedBy(parts, source);
        const group = aiGroup(parts, processes, {
          turnIndex: around.totals.ai,
          mayRun: around.mayRun,
          slash: around.slash ? slashItem(around.slash, around.clock) : null,
          earlier: around.earlier,
          own: chunk.sent,
          context: this.#context,
          prices: source.prices,
        });
        return { type: 'ai', group };
      }
    }
  }

  #publish(
    items: readonly ChatItem[],
    totals: Readonly<Record<ChatItem['type'], number>>,
    source: ConversationSource,
    fresh: boolean,
  ): SessionConversation {
    const last = items.at(-1);
    const isOngoing = fresh && (last?.type === 'ai' ? last.group.isOngoing === true : last?.type === 'user');
    const [first] = this.#parts;
    const time = Math.max(0, (this.#parts.at(-1)?.record.time ?? 0) - (first?.record.time ?? 0) || 0);
    return {
      sessionId: this.#sessionId,
      threadId: this.#threadId,
      items,
      totalUserGroups: totals.user,
      totalSystemGroups: totals.system,
      totalAIGroups: totals.ai,
      totalCompactGroups: totals.compact,
      unlinkedProcesses: this.#context === 'main' ? source.processes.unlinked(source) : [],
      isOngoing,
      metrics: addMetrics(
        metricsOf([], time, source.prices),
        items.flatMap((item) => (item.type === 'ai' ? [item.group.metrics] : [])),
      ),
    };
  }
}

interface Surroundings {
  readonly source: ConversationSource;
  readonly totals: Readonly<Record<ChatItem['type'], number>>;
  readonly phase: number;
  readonly slash: Part | null;
  readonly mayRun: boolean;
  readonly earlier: readonly Sent[];
  readonly clock: number;
  readonly clears: readonly Fact[];
}

function partOf(id: Key, { tree, content }: ConversationSource): Part {
  const record = tree.record(id) as LogRecord;
  return readPart(record, content(record));
}

const isBefore = (ref: Fact['ref'], { lines }: LogRecord): boolean => {
  const at = lines[0]?.ref;
  return at !== undefined && at.file === ref.file && at.line > ref.line;
};

function systemGroup({ record, content, output }: Part, time: number): (ChatItem & { type: 'system' })['group'] {
  const command = content.own.find((block) => block.type === 'command');
  const texts = content.own.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isCommand = record.kind === 'built_in_command' || record.kind === 'bash';
  return {
    id: `system-${record.id}`,
    message: record,
    timestamp: atTime(time),
    commandOutput: isCommand ? output : texts.join('\n\n'),
    ...(command ? { commandName: command.name } : isCommand ? {} : { commandName: record.kind }),
  };
}

function slashItem({ record, content }: Part, time: number): SlashItem {
  const command = content.own.find((block) => block.type === 'command');
  const instructions = [...content.own, ...content.replies]
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n\n');
  return {
    id: `slash-${record.id}`,
    name: command?.name ?? '',
    ...(command?.args ? { args: command.args } : {}),
    ...(instructions === '' ? {} : { instructions, instructionsTokenCount: estimateTokens(instructions.length) }),
    timestamp: atTime(record.time ?? time),
  };
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
  return refresh(
    { conversation: new Conversation(session, thread, 'main'), processes: new Processes() },
    tree,
    session,
    thread,
    [],
    content,
    options,
  );
}

/** What a sub-agent said and did, as a conversation of its own. */
export function buildSubagentConversation(
  tree: Tree,
  session: SessionId,
  subagent: SubagentId,
  content: ContentOf,
  options: ChatOptions = {},
): SessionConversation {
  const processes = new Processes();
  const source = sourceOf(processes, tree, session, content, options);
  const ids = tree.subagentRecords(subagent);
  const path: ThreadPath = { stamp: ids, length: ids.length, from: (index) => ids.slice(index) };
  return new Conversation(subagent, null, 'subagent').refresh(source, path, [], []);
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
  const dirty = [...change.added, ...change.changed];
  known.processes.forget(tree, [...dirty, ...change.removed], dirty);
  return refresh(known, tree, session, view.threadId, dirty, content, options);
}

const EMPTY: ThreadPath = { stamp: {}, length: 0, from: () => [] };

function refresh(
  known: Kept,
  tree: Tree,
  session: SessionId,
  thread: Key | null,
  dirty: readonly Key[],
  content: ContentOf,
  options: ChatOptions,
): SessionConversation {
  const source = sourceOf(known.processes, tree, session, content, options);
  const { facts } = tree.session(session);
  const path = (thread === null ? null : tree.pathOf(session, thread)) ?? EMPTY;
  const clears = facts.filter(({ type }) => type === 'clear');
  const view = known.conversation.refresh(source, path, dirty, clears);
  kept.set(view, known);
  return view;
}

function sourceOf(
  processes: Processes,
  tree: Tree,
  session: SessionId,
  content: ContentOf,
  options: ChatOptions,
): ConversationSource {
  const facts = tree.session(session);
  processes.session = facts;
  return {
    tree,
    content,
    now: options.now ?? Date.now(),
    lastGrowth: options.lastGrowth ?? facts.endedAt,
    prices: options.prices ?? shippedPrices,
    processes,
  };
}
