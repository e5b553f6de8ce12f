import type { Change, Key, LogRecord, SessionId, SubagentId } from '../model/index.ts';
import type { IndexBatch, MessageEntry, SessionEntry, UsageEntry } from '../stores/index.ts';
import { MessageKeys } from '../stores/index.ts';
import type { Tree } from '../tree/index.ts';
import { docHash } from './doc-hash.ts';
import { countOf, type MessageRow, messageRows, type ResultsAt } from './message-rows.ts';
import { SessionRows } from './session-rows.ts';
import { SessionSums, type Share } from './session-sums.ts';
import type { SaidAt } from './text-docs.ts';

/** The rows of a part of a change. */
export type RowPiece = Required<
  Pick<IndexBatch, 'messages' | 'goneMessages' | 'usages' | 'goneUsages' | 'sessions' | 'goneSessions'>
>;

/** What was written for a record. */
interface Written {
  readonly session: SessionId;
  /** The file or the sub-agent with which it changes its session. */
  readonly group: string;
  readonly agent: SubagentId | null;
  /** Which messages: `u` for a call, `r` for one with its result, `s` for a result without call. */
  readonly layout: string;
  /** Where the text of each message stands, as numbers: which message, and a hash of the places. */
  readonly says: readonly number[];
  readonly hasUsage: boolean;
  readonly isHuman: boolean;
  /** Null: it is in no view and in no sum. */
  readonly share: Share | null;
}

const PIECE_ROWS = 4000;
const WORTH_SORTING = 100;

/** The rows of one tree. After a commit it gives those that are different now, and no others. */
export class TreeRows {
  readonly #tree: Tree;
  readonly #keys: MessageKeys;
  readonly #resultsAt: ResultsAt;
  readonly #written = new Map<Key, Written>();
  readonly #groups = new Map<string, Set<Key>>();
  readonly #sums = new Map<SessionId, SessionSums>();
  readonly #sessions: SessionRows;
  readonly #dirty = new Set<SessionId>();
  readonly #key: string;
  readonly #texts: RowTexts;
  #isQuiet = false;
  #piece = emptyPiece();

  constructor(tree: Tree, key: string, resultsAt: ResultsAt, texts: RowTexts) {
    this.#tree = tree;
    this.#key = key;
    this.#texts = texts;
    this.#keys = new MessageKeys(key);
    this.#resultsAt = resultsAt;
    this.#sessions = new SessionRows(tree);
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
    for (const ids of [this.#byKey(change.added), change.changed]) {
      for (const id of ids) {
        const record = this.#tree.record(id);
        if (record) this.#put(record);
        if (this.#isFull) yield this.#takePiece();
      }
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
      if (ids.has(id) && sums) for (const record of [...this.#titledAnew(id, sums)]) this.#put(record);
      if (ids.has(id)) this.#writeSession(id);
      else if (this.#sessions.drop(id)) this.#piece.goneSessions.push(id);
      if (this.#isFull) yield this.#takePiece();
    }
    this.#dirty.clear();
    yield this.#takePiece();
  }

  /** In the order of their rows, so that a store fills one page after the other. */
  #byKey(ids: readonly Key[]): readonly Key[] {
    if (ids.length < WORTH_SORTING) return ids;
    const keys = new BigInt64Array(ids.map((id) => this.#keys.record(id)));
    const order = Uint32Array.from(ids.keys()).sort((a, b) => ((keys[a] as bigint) < (keys[b] as bigint) ? -1 : 1));
    return Array.from(order, (index) => ids[index] as Key);
  }

  /** Records whose session is another now. All records of a file, and of a sub-agent, go together: one of them tells. */
  *#moved(): Generator<LogRecord> {
    for (const ids of [...this.#groups.values()]) {
      const [sample] = ids;
      if (sample === undefined || !this.#isElsewhere(sample)) continue;
      for (const id of [...ids]) {
        const record = this.#tree.record(id);
        if (record && this.#isElsewhere(id)) yield record;
      }
    }
  }

  #isElsewhere(id: Key): boolean {
    const session = this.#tree.record(id)?.session;
    return session !== undefined && session !== this.#written.get(id)?.session;
  }

  /** Records that a session shows now and did not show before, or the other way round. Nothing is looked through where nothing is left out. */
  *#shownAnew(id: SessionId, sums: SessionSums): Generator<LogRecord> {
    const session = this.#tree.session(id);
    const keys: Key[] = [];
    if (session.recordCount !== sums.main.size || sums.folded.size > 0) {
      const shown = new Set(this.#tree.records(id));
      const folded = new Set([...sums.main].filter((key) => !shown.has(key)));
      keys.push(...different(sums.folded, folded));
      sums.folded = folded;
    }
    const listed = new Set(session.subagents.map((subagent) => subagent.id));
    const unlisted = new Set([...sums.subagents.keys()].filter((agent) => !listed.has(agent)));
    const silent = new Set(session.subagents.filter(({ hidden }) => hidden).map(({ id }) => id));
    for (const agent of new Set([...different(sums.unlisted, unlisted), ...different(sums.silent, silent)]))
      keys.push(...(sums.subagents.get(agent) ?? []));
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
    const text = title && title.from !== 'prompt' ? title.text : null;
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
    const { id, session, subagent, usage } = record;
    const sums = this.#sumsOf(session);
    const hidden = record.hidden || (subagent === null ? sums.folded.has(id) : sums.unlisted.has(subagent));
    const isSilent = hidden || !sums.isListed || (subagent !== null && sums.silent.has(subagent));
    const title = sums.titled?.record === id ? sums.titled.title : null;
    const rows = messageRows(record, hidden, this.#keys, this.#resultsAt);
    const before = this.#forget(id, session);
    const layout = layoutOf(rows);
    const written: Written = {
      session,
      group: subagent === null ? `file ${record.lines[0]?.ref.file}` : `subagent ${subagent}`,
      agent: subagent,
      layout,
      says: rows.flatMap(({ row, said }, i) => [
        slotOf(row),
        isSilent ? 0 : docHash(row, record, said, i === 0 ? title : null),
      ]),
      hasUsage: usage !== null,
      isHuman: record.origin === 'human' && !record.hidden,
      share: hidden ? null : { agent: subagent, messages: countOf(record, rows), usage, times: timesOf(record) },
    };
    if (before && before.layout !== layout) this.#dropMessages(id, before.layout, layout);
    if (before?.hasUsage && usage === null) this.#piece.goneUsages.push(this.#keys.record(id));
    if (before && before.isHuman !== written.isHuman) this.#sessions.forgetPrompts(session);
    if (!this.#isQuiet) this.#pushMessages(rows, record, written, before, title);
    if (usage !== null)
      this.#piece.usages.push({
        id: this.#keys.record(id),
        session,
        usage,
        time: record.time,
        isSubagent: subagent !== null,
      });
    this.#remember(id, written, before, sums);
  }

  /** The text of a message is written again only where it stands elsewhere now. */
  #pushMessages(
    rows: readonly MessageRow[],
    record: LogRecord,
    { says }: Written,
    before: Written | undefined,
    title: string | null,
  ): void {
    const known = new Map<number, number>();
    if (before)
      for (let i = 0; i < before.says.length; i += 2) known.set(before.says[i] as number, before.says[i + 1] as number);
    rows.forEach(({ row, said }, i) => {
      const slot = says[2 * i] as number;
      const isAgain = known.has(slot);
      if (isAgain && known.get(slot) === says[2 * i + 1]) this.#piece.messages.push({ ...row, isAgain });
      else {
        const doc =
          says[2 * i + 1] === 0 ? null : this.#texts.add(row, record, this.#key, i === 0 ? { ...said, title } : said);
        this.#piece.messages.push({ ...row, isAgain, doc });
      }
    });
  }

  #remember(id: Key, written: Written, before: Written | undefined, sums: SessionSums): void {
    const { group, agent, share, session } = written;
    this.#written.set(id, written);
    addTo(this.#groups, group, id);
    if (agent === null) sums.main.add(id);
    else addTo(sums.subagents, agent, id);
    sums.replace(before?.session === session ? before.share : null, share);
    this.#dirty.add(session);
  }

  /** Takes a record out of its session. `now`: the session it is put into again; null: it is gone, and so are its rows. */
  #forget(id: Key, now: SessionId | null): Written | undefined {
    const written = this.#written.get(id);
    if (!written) return undefined;
    const { session, group, agent, share } = written;
    const sums = this.#sumsOf(session);
    this.#written.delete(id);
    this.#groups.get(group)?.delete(id);
    if (this.#groups.get(group)?.size === 0) this.#groups.delete(group);
    if (agent === null) sums.main.delete(id);
    else sums.subagents.get(agent)?.delete(id);
    if (now !== session) sums.replace(share, null);
    this.#dirty.add(session);
    if (now === null) {
      this.#dropMessages(id, written.layout, null);
      if (written.hasUsage) this.#piece.goneUsages.push(this.#keys.record(id));
      if (written.isHuman) this.#sessions.forgetPrompts(session);
    }
    return written;
  }

  #dropMessages(id: Key, layout: string, now: string | null): void {
    const kept = new Set(now === null ? [] : idsOf(id, now, this.#keys));
    for (const row of idsOf(id, layout, this.#keys)) if (!kept.has(row)) this.#piece.goneMessages.push(row);
    if (now === null) this.#piece.goneMessages.push(this.#keys.record(id));
  }

  #writeSession(id: SessionId): void {
    const sums = this.#sumsOf(id);
    if (sums.isStale) sums.setActive(this.#timesIn(sums));
    const entry = this.#sessions.write(id, sums);
    if (entry) this.#piece.sessions.push(entry);
  }

  *#recordsOf(sums: SessionSums): Generator<LogRecord> {
    for (const ids of [sums.main, ...sums.subagents.values()])
      for (const id of ids) {
        const record = this.#tree.record(id);
        if (record) yield record;
      }
  }

  *#timesIn(sums: SessionSums): Generator<number> {
    for (const ids of [sums.main, ...sums.subagents.values()])
      for (const id of ids) yield* this.#written.get(id)?.share?.times ?? [];
  }

  #sumsOf(session: SessionId): SessionSums {
    let sums = this.#sums.get(session);
    if (!sums) {
      sums = new SessionSums();
      this.#sums.set(session, sums);
    }
    return sums;
  }

  get #isFull(): boolean {
    return this.#piece.messages.length + this.#piece.goneMessages.length >= PIECE_ROWS || this.#texts.isFull;
  }

  #takePiece(): RowPiece {
    const piece = this.#piece;
    this.#piece = emptyPiece();
    return piece;
  }
}

/** Where the texts of messages go. */
export interface RowTexts {
  /** Gives the number of its document. */
  add(message: MessageEntry, record: LogRecord, tree: string, said: SaidAt): number;
  /** They have to be written before there are more. */
  readonly isFull: boolean;
}

/** As `MessageKeys` counts the messages of a record. */
function slotOf({ type, number, toolName }: MessageEntry): number {
  if (type === 'tool_use') return 1 + 3 * number;
  if (type === 'tool_result') return (toolName === null ? 3 : 2) + 3 * number;
  return 0;
}

interface OpenPiece extends RowPiece {
  readonly messages: MessageEntry[];
  readonly goneMessages: bigint[];
  readonly usages: UsageEntry[];
  readonly goneUsages: bigint[];
  readonly sessions: SessionEntry[];
  readonly goneSessions: SessionId[];
}

const emptyPiece = (): OpenPiece => ({
  messages: [],
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

const LAYOUTS = new Map<string, string>();

/** Few layouts are different: each is held once. */
function layoutOf(rows: readonly MessageRow[]): string {
  if (rows.length === 1) return '';
  let layout = '';
  for (const {
    row: { type, toolName },
  } of rows) {
    if (type === 'tool_use') layout += 'u';
    else if (type === 'tool_result') layout = toolName === null ? `${layout}s` : `${layout.slice(0, -1)}r`;
  }
  const known = LAYOUTS.get(layout);
  if (known !== undefined) return known;
  LAYOUTS.set(layout, layout);
  return layout;
}

function idsOf(record: Key, layout: string, keys: MessageKeys): bigint[] {
  const ids: bigint[] = [];
  let calls = 0;
  let strays = 0;
  for (const sign of layout) {
    if (sign === 's') ids.push(keys.strayResult(record, strays++));
    else {
      ids.push(keys.toolUse(record, calls));
      if (sign === 'r') ids.push(keys.toolResult(record, calls));
      calls++;
    }
  }
  return ids;
}

/** Of a record of the main line also when its further lines were written. */
function timesOf({ time, lines, subagent }: LogRecord): number[] {
  const times = time === null ? [] : [time];
  if (subagent === null) for (const line of lines) if (line.time !== null && line.time !== time) times.push(line.time);
  return times;
}

function addTo<Group extends string>(groups: Map<Group, Set<Key>>, group: Group, id: Key): void {
  const ids = groups.get(group);
  if (ids) ids.add(id);
  else groups.set(group, new Set([id]));
}
