import { MESSAGE_TYPES, type MessageEntry, type OwnEntry, type RecordEntry, type UsageEntry } from './index-store.ts';
import { hashText } from './message-keys.ts';
import { UUID_BYTES, writeUuid } from './uuid-bytes.ts';

/**
 * Rows as plain numbers and texts: they are moved to another thread without being copied, and written without an object for each of them.
 * A text is named by its place in `texts`.
 */
export interface PackedRows {
  readonly count: number;
  readonly keys: BigInt64Array<ArrayBuffer>;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
}

export interface PackedMessages extends PackedRows {
  /** Those that are uuids, 16 bytes each. */
  readonly uuids: Uint8Array<ArrayBuffer>;
  /** The further lines of all of them, one after the other. */
  readonly more: Float64Array<ArrayBuffer>;
}

/** Of a message: its own key, and that of its parent where it has one. */
export const MESSAGE_KEYS = 2;

/** Where the numbers of a message lie. */
export const At = {
  bits: 0,
  session: 1,
  kind: 2,
  time: 3,
  number: 4,
  nth: 5,
  /** A place like those in `more`. */
  ref: 6,
  /** How many places of `more` are its own. */
  more: 10,
  tool: 11,
  agent: 12,
  /** NaN: it has none. */
  doc: 13,
  /** Which of `uuids`; any other id is a text, counted down from `TEXT_ID`. */
  uuid: 14,
  width: 15,
} as const;

/** The numbers of a place: file, line, offset, bytes. */
export const REF_WIDTH = 4;

export const NONE = -1;
export const TEXT_ID = -2;

/** Bits of a message: its type lies in the lowest two. */
export const Bits = {
  type: 3,
  isSidechain: 4,
  isHidden: 8,
  isAgain: 16,
  hasParent: 32,
  hasStatus: 64,
  isError: 128,
  hasDoc: 256,
} as const;

/** The keys of a usage: its own, and that of the response. */
export const USAGE_KEYS = 2;

/** Where the numbers of a usage lie. */
export const UsageAt = {
  session: 0,
  model: 1,
  /** Tokens: input, output, read from the cache, written to it for five minutes, for an hour. */
  counts: 2,
  /** NaN: unknown. */
  cost: 7,
  fast: 8,
  time: 9,
  /** 1: of a sub-agent; 2: one that a record tells of beside its own; 4: carried over from another session. */
  flags: 10,
  width: 11,
} as const;
export const COUNTS = 5;

/**
 * Packs rows as they come: thousands of objects that wait to be packed together would be moved by the garbage collector, some of them
 * twice.
 */
export class MessagePacker {
  count = 0;
  #keys = new BigInt64Array(FIRST_ROOM * MESSAGE_KEYS);
  #numbers = new Float64Array(FIRST_ROOM * At.width);
  #uuids = new Uint8Array(FIRST_ROOM * UUID_BYTES);
  #uuidCount = 0;
  readonly #more: number[] = [];
  readonly #texts = new Texts();
  #record: RecordEntry | null = null;
  #session = NONE;
  #kind = NONE;
  #agent = NONE;

  add(record: RecordEntry, row: OwnEntry): void {
    if (record !== this.#record) this.#begin(record);
    if (this.#keys.length === this.count * MESSAGE_KEYS) this.#grow();
    const i = this.count++;
    const at = i * At.width;
    const numbers = this.#numbers;
    const texts = this.#texts;
    this.#keys[i * MESSAGE_KEYS] = row.id;
    if (row.parent !== null) this.#keys[i * MESSAGE_KEYS + 1] = row.parent;
    numbers[at + At.bits] = bitsOf(row) | (record.hidden ? Bits.isHidden : 0);
    numbers[at + At.session] = this.#session;
    numbers[at + At.kind] = this.#kind;
    numbers[at + At.time] = row.time ?? Number.NaN;
    numbers[at + At.number] = row.number;
    numbers[at + At.nth] = row.nth;
    numbers[at + At.ref] = texts.place(row.at.file);
    numbers[at + At.ref + 1] = row.at.line;
    numbers[at + At.ref + 2] = row.at.offset;
    numbers[at + At.ref + 3] = row.at.bytes;
    numbers[at + At.more] = row.more.length;
    for (const { file, line, offset, bytes } of row.more) this.#more.push(texts.place(file), line, offset, bytes);
    numbers[at + At.tool] = texts.place(row.toolName);
    numbers[at + At.agent] = this.#agent;
    numbers[at + At.doc] = row.doc ?? Number.NaN;
    numbers[at + At.uuid] = this.#placeOf(row.uuid);
  }

  /** Whole: they are moved to another thread. */
  take(): PackedMessages {
    return {
      count: this.count,
      keys: this.#keys.slice(0, this.count * MESSAGE_KEYS),
      numbers: this.#numbers.slice(0, this.count * At.width),
      texts: this.#texts.list,
      uuids: this.#uuids.slice(0, this.#uuidCount * UUID_BYTES),
      more: new Float64Array(this.#more),
    };
  }

  #begin(record: RecordEntry): void {
    this.#record = record;
    this.#session = this.#texts.place(record.session);
    this.#kind = this.#texts.place(record.kind);
    this.#agent = this.#texts.place(record.agent);
  }

  #placeOf(uuid: string | null): number {
    if (uuid === null) return NONE;
    if (!writeUuid(uuid, this.#uuids, this.#uuidCount * UUID_BYTES)) return TEXT_ID - this.#texts.place(uuid);
    return this.#uuidCount++;
  }

  #grow(): void {
    this.#keys = grown(this.#keys, new BigInt64Array(2 * this.#keys.length));
    this.#numbers = grown(this.#numbers, new Float64Array(2 * this.#numbers.length));
    this.#uuids = grown(this.#uuids, new Uint8Array(2 * this.#uuids.length));
  }
}

const FIRST_ROOM = 64;

function grown<List extends { set(list: List): void }>(list: List, larger: List): List {
  larger.set(list);
  return larger;
}

export function packMessages(rows: readonly MessageEntry[]): PackedMessages {
  const packer = new MessagePacker();
  for (const row of rows) packer.add(row, row);
  return packer.take();
}

function bitsOf({ type, isSidechain, isAgain, parent, isError, doc }: OwnEntry): number {
  return (
    MESSAGE_TYPES.indexOf(type) |
    (isSidechain ? Bits.isSidechain : 0) |
    (isAgain ? Bits.isAgain : 0) |
    (parent === null ? 0 : Bits.hasParent) |
    (isError === null ? 0 : Bits.hasStatus) |
    (isError ? Bits.isError : 0) |
    (doc === undefined ? 0 : Bits.hasDoc)
  );
}

export function packUsages(rows: readonly UsageEntry[]): PackedRows {
  const count = rows.length;
  const keys = new BigInt64Array(count * USAGE_KEYS);
  const numbers = new Float64Array(count * UsageAt.width);
  const texts = new Texts();
  for (let i = 0; i < count; i++) {
    const { id, session, usage, time, isSubagent, isFurther } = rows[i] as UsageEntry;
    const at = i * UsageAt.width;
    keys[i * USAGE_KEYS] = id;
    keys[i * USAGE_KEYS + 1] = hashText(usage.key);
    numbers[at + UsageAt.session] = texts.place(session);
    numbers[at + UsageAt.model] = texts.place(usage.model);
    numbers[at + UsageAt.counts] = usage.input;
    numbers[at + UsageAt.counts + 1] = usage.output;
    numbers[at + UsageAt.counts + 2] = usage.cacheRead;
    numbers[at + UsageAt.counts + 3] = usage.cacheWrite5m;
    numbers[at + UsageAt.counts + 4] = usage.cacheWrite1h;
    numbers[at + UsageAt.cost] = usage.costUsd ?? Number.NaN;
    numbers[at + UsageAt.fast] = usage.fast ? 1 : 0;
    numbers[at + UsageAt.time] = time ?? Number.NaN;
    numbers[at + UsageAt.flags] = (isSubagent ? 1 : 0) + (isFurther ? 2 : 0) + (usage.isCopy ? 4 : 0);
  }
  return { count, keys, numbers, texts: texts.list };
}

/** Memory that need not be copied on its way to another thread. */
export const movableOf = (rows: PackedRows | PackedMessages): ArrayBuffer[] => [
  rows.keys.buffer,
  rows.numbers.buffer,
  ...('uuids' in rows ? [rows.uuids.buffer, rows.more.buffer] : []),
];

/** Each of them once. */
class Texts {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  place(text: string | null): number {
    if (text === null) return NONE;
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.list.push(text) - 1;
      this.#places.set(text, place);
    }
    return place;
  }
}
