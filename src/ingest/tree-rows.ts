import type { ResultsAt } from '../messages/index.ts';
import type { Change, Key, LogRecord, SessionId, Spent, Usage } from '../model/index.ts';
import { addAll, isPrompt } from '../model/index.ts';
import type { IndexBatch, SessionEntry, UsageEntry } from '../stores/index.ts';
import { MessageKeys, MessagePacker } from '../stores/index.ts';
import type { Tree } from '../tree/index.ts';
import { usagesOf } from '../usage/index.ts';
import { aboutHash, docHash } from './doc-hash.ts';
import { type Layout, layoutOf } from './layouts.ts';
import { messageRows, type OpenEntry, type Sayings } from './message-rows.ts';
import { SessionRows } from './session-rows.ts';
import { hashTimes, SessionSums, type Share } from './session-sums.ts';
import type { DocMessage, SaidAt } from './text-docs.ts';

/** The rows of a part of a change. */
export type RowPiece = Required<
  Pick<IndexBatch, 'messages' | 'goneMessages' | 'usages' | 'goneUsages' | 'sessions' | 'goneSessions'>
>;

/** What was written for a record: what tells whether its rows are others now. There is one for each record, so it is small. */
interface Written extends Share {
  readonly layout: Layout;
  /** For each message a hash of what its document says and where; 0: it has none. Not a list where there is one message, or no document. */
  readonly says: number | readonly number[];
  readonly hasUsage: boolean;
  /** How many responses it tells of beside its own. */
  readonly further: number;
  readonly isPrompt: boolean;
}

const PIECE_ROWS = 2000;
const WORTH_SORTING = 100;
/** More records are in no tree that fits into memory. */
const PLACES = 2 ** 21;

/** The rows of one tree. After a commit it gives those that are different now, and no others. */
export class TreeRows {
  readonly #tree: Tree;
  readonly #keys: MessageKeys;
  readonly #written = new Map<Key, Written>();
  readonly #sums = new Map<SessionId, SessionSums>();
  readonly #sessions: SessionRows;
  readonly #dirty = new Set<SessionId>();
  readonly #key: string;
  readonly #texts: RowTexts;
  readonly #resultsAt: ResultsAt;
  #isQuiet = false;
  #piece = emptyPiece();

  constructor(tree: Tree, key: string, texts: RowTexts) {
    this.#tree = tree;
    this.#key = key;
    this.#texts = texts;
    this.#resultsAt = (ref) => tree.resultsAt(ref);
    this.#keys = new MessageKeys(key);
    this.#sessions = new SessionRows(tree, (id) => this.#written.get(id)?.isPrompt === true);
  }

  /** What is written already is gone through and not given out. */
  recall(change: Change): void {
    this.#isQuiet = true;
    for (const _ of this.after(change));
    this.#isQuiet = false;
  }

  /** The last piece may be empty. */
  *after(change: Change): Generator<RowPiece> {
    for (const id of change.removed) this.#forget(id, null);
    for (const record of this.#namedBy(change)) {
      this.#put(record);
      if (this.#isFull) yield this.#takePiece();
    }
    for (const record of this.#moved()) {
      this.#put(record);
      if (this.#isFull) yield this.#takePiece();
    }
    const ids = new Set(this.#tree.sessionIds());
    // A sub-agent without records may have moved too: only the session itself tells.
    for (const id of ids) if (this.#sessions.isAnother(id)) this.#dirty.add(id);
    for (const id of this.#sessions.ids) if (!ids.has(id)) this.#dirty.add(id);
    for (const id of this.#dirty) {
      const sums = this.#sums.get(id);
      if (sums && sums.isListed !== ids.has(id)) {
        sums.isListed = ids.has(id);
        for (const record of [...this.#recordsOf(sums)]) this.#put(record);
      }
      if (ids.has(id) && sums) for (const record of [...this.#shownAnew(id, sums)]) this.#put(record);
      if (ids.has(id) && sums && this.#texts.reads)
        for (const record of [...this.#titledAnew(id, sums)]) this.#put(record);
      if (ids.has(id)) this.#writeSession(id);
      else if (this.#sessions.drop(id)) this.#piece.goneSessions.push(id);
      if (this.#isFull) yield this.#takePiece();
    }
    this.#dirty.clear();
    yield this.#takePiece();
  }

  *#namedBy({ added, changed }: Change): Generator<LogRecord> {
    for (const place of this.#byKey(added)) {
      const record = this.#tree.addedAt(place);
      if (record) yield record;
    }
    for (const id of changed) {
      const record = this.#tree.record(id);
      if (record) yield record;
    }
  }

  /** Their places in the order of their rows, so that a store fills one page after the other. */
  #byKey(ids: readonly Key[]): Iterable<number> {
    if (ids.length < WORTH_SORTING || ids.length > PLACES) return ids.keys();
    // Each with its place in the list: numbers alone are sorted many times as fast as by a function that compares.
    const order = new Float64Array(ids.length);
    for (let i = 0; i < ids.length; i++) order[i] = this.#keys.order(ids[i] as Key) * PLACES + i;
    return order.sort().map((number) => number % PLACES);
  }

  /** Records whose session is another now. All records of a group go together: one of them tells. */
  *#moved(): Generator<LogRecord> {
    const groups = [...this.#sums.values()].flatMap((sums) => [...sums.groups()]);
    for (const { keys, sums } of groups) {
      const isElsewhere = (id: Key): boolean => (this.#tree.sessionOf(id) ?? sums.session) !== sums.session;
      const [sample] = keys;
      if (sample === undefined || !isElsewhere(sample)) continue;
      for (const id of [...keys]) {
        const record = isElsewhere(id) ? this.#tree.record(id) : null;
        if (record) yield record;
      }
    }
  }

  /** Records that a session shows now and did not show before, or the other way round. Nothing is looked through where nothing is left out. */
  *#shownAnew(id: SessionId, sums: SessionSums): Generator<LogRecord> {
    const session = this.#tree.session(id);
    const keys: Key[] = [];
    if (session.recordCount !== sums.mainCount || sums.folded.size > 0) {
      const shown = new Set(this.#tree.records(id));
      const folded = new Set([...sums.mainKeys()].filter((key) => !shown.has(key)));
      addAll(keys, different(sums.folded, folded));
      sums.folded = folded;
    }
    const listed = new Set(session.subagents.map((subagent) => subagent.id));
    const unlisted = new Set([...sums.agents].filter((agent) => !listed.has(agent)));
    const silent = new Set(session.subagents.filter(({ hidden }) => hidden).map(({ id }) => id));
    for (const agent of new Set([...different(sums.unlisted, unlisted), ...different(sums.silent, silent)]))
      addAll(keys, sums.keysOf(agent));
    sums.unlisted = unlisted;
    sums.silent = silent;
    for (const key of keys) {
      const record = this.#tree.record(key);
      if (record?.session === id) yield record;
    }
  }

  /** Records that are found by the title of their session now, or not any more. */
  *#titledAnew(id: SessionId, sums: SessionSums): Generator<LogRecord> {
    const { title } = this.#tree.session(id);
    const text = title && 'text' in title ? title.text : null;
    const first = text === null ? null : this.#tree.firstShown(id);
    const before = sums.titled;
    if ((before?.record ?? null) === first && (before?.title ?? null) === (first && text)) return;
    sums.titled = first !== null && text !== null ? { record: first, title: text } : null;
    for (const key of new Set([before?.record, first])) {
      const record = key ? this.#tree.record(key) : undefined;
      if (record?.session === id) yield record;
    }
  }

  #put(record: LogRecord): void {
    const { id, session, subagent, usage, spent = NOTHING_SPENT } = record;
    const sums = this.#sumsOf(session);
    const hidden = record.hidden || (subagent === null ? sums.folded.has(id) : sums.unlisted.has(subagent));
    const isUnseen = hidden || (subagent !== null && sums.silent.has(subagent));
    const isSilent = isUnseen || !sums.isListed;
    const title = sums.titled?.record === id ? sums.titled.title : null;
    const said: Sayings | null = this.#texts.reads ? { title, list: [] } : null;
    const rows = messageRows(record, this.#keys, this.#resultsAt, said);
    const before = this.#forget(id, session);
    const layout = layoutOf(rows);
    const times = isUnseen ? NO_TIMES : timesOf(record);
    const written: Written = {
      group: sums.enter(id, subagent, record.lines[0]?.ref.file ?? ''),
      layout,
      says: said && !isSilent ? hashesOf(rows, said.list, record) : 0,
      hasUsage: usage !== null,
      further: spent.length,
      isPrompt: isPrompt(record),
      messages: hidden ? 0 : rows.length,
      usages: hidden ? NO_USAGES : usagesOf(record),
      timeCount: times.length,
      timeHash: hashTimes(times, times.length),
    };
    this.#written.set(id, written);
    sums.replace(before?.group.sums === sums ? before : null, written, times);
    this.#dirty.add(session);
    if (before && before.layout !== layout) this.#dropMessages(id, before.layout, layout);
    if (before?.hasUsage && usage === null) this.#piece.goneUsages.push(this.#keys.record(id));
    if (before) this.#dropFurther(id, spent.length, before.further);
    if (before && before.isPrompt !== written.isPrompt) this.#sessions.forgetPrompts(session);
    if (!this.#isQuiet) this.#pushMessages(rows, hidden, said?.list ?? [], record, written, before);
    if (usage !== null)
      this.#piece.usages.push({
        id: this.#keys.record(id),
        session,
        usage,
        time: record.time,
        isSubagent: subagent !== null,
      });
    for (const [i, each] of spent.entries())
      this.#piece.usages.push({
        id: this.#keys.furtherUsage(id, i),
        session,
        usage: each.usage,
        time: each.time,
        isSubagent: subagent !== null || each.isSubagent === true,
        isFurther: true,
      });
  }

  /** The text of a message is written again only where it stands elsewhere now. */
  #pushMessages(
    rows: readonly OpenEntry[],
    hidden: boolean,
    said: readonly SaidAt[],
    record: LogRecord,
    written: Written,
    before: Written | undefined,
  ): void {
    const { session, kind, subagent: agent } = record;
    const shared = { session, kind, hidden, agent };
    let place = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as OpenEntry;
      const says = saysAt(written, i);
      // Slots grow in both layouts.
      const slot = written.layout[i] as number;
      while (before && (before.layout[place] ?? slot) < slot) place++;
      row.isAgain = before?.layout[place] === slot;
      if (!before || !row.isAgain || saysAt(before, place) !== says)
        row.doc = says === 0 ? null : this.#texts.add(row, record, this.#key, said[i] as SaidAt);
      this.#piece.messages.add(shared, row);
    }
  }

  /** Takes a record out of its session. `now`: the session it is put into again; null: it is gone, and so are its rows. */
  #forget(id: Key, now: SessionId | null): Written | undefined {
    const written = this.#written.get(id);
    if (!written) return undefined;
    const { group, layout } = written;
    const { sums } = group;
    this.#written.delete(id);
    sums.leave(id, group);
    if (now !== sums.session) sums.replace(written, null, NO_TIMES);
    this.#dirty.add(sums.session);
    if (now === null) {
      this.#dropMessages(id, layout, null);
      if (written.hasUsage) this.#piece.goneUsages.push(this.#keys.record(id));
      this.#dropFurther(id, 0, written.further);
      if (written.isPrompt) this.#sessions.forgetPrompts(sums.session);
    }
    return written;
  }

  #dropFurther(id: Key, from: number, to: number): void {
    for (let i = from; i < to; i++) this.#piece.goneUsages.push(this.#keys.furtherUsage(id, i));
  }

  #dropMessages(id: Key, layout: Layout, now: Layout | null): void {
    const kept = new Set(now);
    for (const slot of layout) if (!kept.has(slot)) this.#piece.goneMessages.push(this.#keys.message(id, slot));
  }

  #writeSession(id: SessionId): void {
    const sums = this.#sumsOf(id);
    if (sums.isStale) sums.setActive(this.#timesIn(sums));
    const entry = this.#sessions.write(id, sums);
    if (entry) this.#piece.sessions.push(entry);
  }

  *#recordsOf(sums: SessionSums): Generator<LogRecord> {
    for (const { keys } of sums.groups())
      for (const id of keys) {
        const record = this.#tree.record(id);
        if (record) yield record;
      }
  }

  *#timesIn(sums: SessionSums): Generator<number> {
    for (const record of this.#recordsOf(sums))
      if (this.#written.get(record.id)?.timeCount !== 0) yield* timesOf(record);
  }

  #sumsOf(session: SessionId): SessionSums {
    let sums = this.#sums.get(session);
    if (!sums) {
      sums = new SessionSums(session);
      this.#sums.set(session, sums);
    }
    return sums;
  }

  get #isFull(): boolean {
    return this.#piece.messages.count + this.#piece.goneMessages.length >= PIECE_ROWS || this.#texts.isFull;
  }

  #takePiece(): RowPiece {
    const { messages, ...piece } = this.#piece;
    this.#piece = emptyPiece();
    return { messages: messages.take(), ...piece };
  }
}

/** Where the texts of messages go. */
export interface RowTexts {
  /** Nothing is added where nobody reads them. */
  readonly reads: boolean;
  /** Gives the number of its document, if there is one. */
  add(message: DocMessage, record: LogRecord, tree: string, said: SaidAt): number | null;
  /** They have to be written before there are more. */
  readonly isFull: boolean;
}

interface OpenPiece extends Omit<RowPiece, 'messages'> {
  readonly messages: MessagePacker;
  readonly goneMessages: bigint[];
  readonly usages: UsageEntry[];
  readonly goneUsages: bigint[];
  readonly sessions: SessionEntry[];
  readonly goneSessions: SessionId[];
}

const emptyPiece = (): OpenPiece => ({
  messages: new MessagePacker(),
  goneMessages: [],
  usages: [],
  goneUsages: [],
  sessions: [],
  goneSessions: [],
});

const different = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [
  ...[...a].filter((each) => !b.has(each)),
  ...[...b].filter((each) => !a.has(each)),
];

function hashesOf(rows: readonly OpenEntry[], said: readonly SaidAt[], record: LogRecord): number | number[] {
  const about = aboutHash(record);
  const hashOf = (row: OpenEntry, i: number): number => docHash(row, said[i] as SaidAt, about);
  const [first] = rows;
  return first && rows.length === 1 ? hashOf(first, 0) : rows.map(hashOf);
}

const saysAt = ({ says }: Written, i: number): number => (typeof says === 'number' ? says : (says[i] as number));

const NO_TIMES: readonly number[] = [];
const NO_USAGES: readonly Usage[] = [];
const NOTHING_SPENT: readonly Spent[] = [];

/** Of a record of the main line also when its further lines were written. */
function timesOf({ time, lines, subagent }: LogRecord): number[] {
  const times = time === null ? [] : [time];
  if (subagent === null) for (const line of lines) if (line.time !== null && line.time !== time) times.push(line.time);
  return times;
}
