import type { LineRef } from '../model/index.ts';
import { type IndexBatch, MESSAGE_TYPES, type MessageEntry, type UsageEntry } from '../stores/index.ts';
import { packLines } from './pack-lines.ts';

/** Rows as plain numbers and texts: copied to another thread in a moment, where objects would take as long as to write them. */
interface PackedRows {
  readonly count: number;
  readonly keys: BigInt64Array<ArrayBuffer>;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
}

/** What is to be written, on its way to the thread that writes it. Its chunks are not packed yet: that one does it. */
export interface SentBatch extends Omit<IndexBatch, 'messages' | 'usages'> {
  readonly messages: PackedRows;
  readonly usages: PackedRows;
}

export function packBatch(batch: IndexBatch): SentBatch {
  return {
    ...batch,
    messages: pack(batch.messages ?? [], packMessage),
    usages: pack(batch.usages ?? [], packUsage),
  };
}

/** Memory that need not be copied. */
export const movable = ({ messages, usages, chunks = [] }: SentBatch): ArrayBuffer[] => [
  ...[messages, usages].flatMap(({ keys, numbers }) => [keys.buffer, numbers.buffer]),
  ...chunks.map(({ bytes }) => bytes.buffer as ArrayBuffer),
];

export function unpackBatch(sent: SentBatch): IndexBatch {
  return {
    ...sent,
    chunks: sent.chunks?.map((chunk) => ({ ...chunk, bytes: packLines(chunk.bytes) })) ?? [],
    messages: unpack(sent.messages, new UnpackedMessage()),
    usages: unpack(sent.usages, new UnpackedUsage()),
  };
}

function pack<Row>(rows: Iterable<Row>, packRow: (row: Row, into: RowPacker) => void): PackedRows {
  const packer = new RowPacker();
  for (const row of rows) {
    packRow(row, packer);
    packer.count++;
  }
  return packer.take();
}

function* unpack<Row>(packed: PackedRows, row: Row & Unpacks): Generator<Row> {
  const unpacker = new RowUnpacker(packed);
  for (let i = 0; i < packed.count; i++) {
    row.take(unpacker);
    yield row;
  }
}

/** One object for all rows: who writes them forgets each at once. */
interface Unpacks {
  take(from: RowUnpacker): void;
}

/** Whose texts come again. */
const Column = { session: 0, kind: 1, file: 2, tool: 3, agent: 4, model: 1 } as const;

class RowPacker {
  count = 0;
  #keys = new BigInt64Array(16);
  #keyCount = 0;
  #numbers = new Float64Array(256);
  #numberCount = 0;
  readonly #texts: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #last: (string | null)[] = [null, null, null, null, null];
  readonly #lastPlaces: number[] = [0, 0, 0, 0, 0];

  key(value: bigint): void {
    if (this.#keyCount === this.#keys.length) {
      const grown = new BigInt64Array(2 * this.#keyCount);
      grown.set(this.#keys);
      this.#keys = grown;
    }
    this.#keys[this.#keyCount++] = value;
  }

  number(value: number): void {
    if (this.#numberCount === this.#numbers.length) {
      const grown = new Float64Array(2 * this.#numberCount);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#numberCount++] = value;
  }

  /** One that other rows are likely to have too, most of all the row before in the same column. */
  text(value: string | null, column: (typeof Column)[keyof typeof Column]): void {
    if (value === null) {
      this.number(NONE);
      return;
    }
    if (value !== this.#last[column]) {
      let place = this.#known.get(value);
      if (place === undefined) {
        place = this.#texts.push(value) - 1;
        this.#known.set(value, place);
      }
      this.#last[column] = value;
      this.#lastPlaces[column] = place;
    }
    this.number(this.#lastPlaces[column] as number);
  }

  /** One of this row alone. */
  ownText(value: string | null): void {
    this.number(value === null ? NONE : this.#texts.push(value) - 1);
  }

  take(): PackedRows {
    return {
      count: this.count,
      keys: this.#keys.slice(0, this.#keyCount),
      numbers: this.#numbers.slice(0, this.#numberCount),
      texts: this.#texts,
    };
  }
}

class RowUnpacker {
  readonly #rows: PackedRows;
  #keyAt = 0;
  #at = 0;

  constructor(rows: PackedRows) {
    this.#rows = rows;
  }

  key(): bigint {
    return this.#rows.keys[this.#keyAt++] as bigint;
  }

  number(): number {
    return this.#rows.numbers[this.#at++] as number;
  }

  /** NaN stands for null: no number of a row is one. */
  numberOrNull(): number | null {
    const value = this.number();
    return Number.isNaN(value) ? null : value;
  }

  textOrNull(): string | null {
    const place = this.number();
    return place === NONE ? null : this.text(place);
  }

  text(place = this.number()): string {
    return this.#rows.texts[place] as string;
  }
}

const NONE = -1;

/** Bits of a message: its type lies in the lowest two. */
const IS_SIDECHAIN = 4;
const IS_HIDDEN = 8;
const IS_AGAIN = 16;
const HAS_PARENT = 32;
const HAS_STATUS = 64;
const IS_ERROR = 128;
const HAS_DOC = 256;

function packMessage(row: MessageEntry, into: RowPacker): void {
  const { parent, isError, at, more, doc } = row;
  into.number(
    MESSAGE_TYPES.indexOf(row.type) |
      (row.isSidechain ? IS_SIDECHAIN : 0) |
      (row.hidden ? IS_HIDDEN : 0) |
      (row.isAgain ? IS_AGAIN : 0) |
      (parent === null ? 0 : HAS_PARENT) |
      (isError === null ? 0 : isError ? HAS_STATUS | IS_ERROR : HAS_STATUS) |
      (doc === undefined ? 0 : HAS_DOC),
  );
  into.key(row.id);
  if (parent !== null) into.key(parent);
  into.text(row.session, Column.session);
  into.ownText(row.uuid);
  into.text(row.kind, Column.kind);
  into.number(row.time ?? Number.NaN);
  into.number(row.number);
  into.number(row.nth);
  packRef(at, into);
  into.number(more.length);
  for (const ref of more) packRef(ref, into);
  into.text(row.toolName, Column.tool);
  into.text(row.agent, Column.agent);
  if (doc !== undefined) into.number(doc ?? Number.NaN);
}

class UnpackedMessage implements MessageEntry, Unpacks {
  id = 0n;
  parent: bigint | null = null;
  session = '';
  uuid: string | null = null;
  type: MessageEntry['type'] = 'user';
  kind = '';
  isSidechain = false;
  hidden = false;
  time: number | null = null;
  number = 0;
  nth = 0;
  at: LineRef = { file: '', line: 0, offset: 0, bytes: 0 };
  more: readonly LineRef[] = NO_REFS;
  toolName: string | null = null;
  isError: boolean | null = null;
  agent: string | null = null;
  isAgain = false;
  doc: number | null | undefined = undefined;

  take(from: RowUnpacker): void {
    const bits = from.number();
    this.id = from.key();
    this.parent = bits & HAS_PARENT ? from.key() : null;
    this.session = from.text();
    this.uuid = from.textOrNull();
    this.type = MESSAGE_TYPES[bits & 3] as MessageEntry['type'];
    this.kind = from.text();
    this.isSidechain = (bits & IS_SIDECHAIN) !== 0;
    this.hidden = (bits & IS_HIDDEN) !== 0;
    this.time = from.numberOrNull();
    this.number = from.number();
    this.nth = from.number();
    this.at = unpackRef(from);
    this.more = unpackRefs(from);
    this.toolName = from.textOrNull();
    this.isError = bits & HAS_STATUS ? (bits & IS_ERROR) !== 0 : null;
    this.agent = from.textOrNull();
    this.isAgain = (bits & IS_AGAIN) !== 0;
    this.doc = bits & HAS_DOC ? from.numberOrNull() : undefined;
  }
}

function packRef({ file, line, offset, bytes }: LineRef, into: RowPacker): void {
  into.text(file, Column.file);
  into.number(line);
  into.number(offset);
  into.number(bytes);
}

const unpackRef = (from: RowUnpacker): LineRef => ({
  file: from.text(),
  line: from.number(),
  offset: from.number(),
  bytes: from.number(),
});

function unpackRefs(from: RowUnpacker): readonly LineRef[] {
  const count = from.number();
  return count === 0 ? NO_REFS : Array.from({ length: count }, () => unpackRef(from));
}

const NO_REFS: readonly LineRef[] = [];

function packUsage({ id, session, usage, time, isSubagent }: UsageEntry, into: RowPacker): void {
  into.key(id);
  into.text(session, Column.session);
  into.ownText(usage.key);
  into.text(usage.model, Column.model);
  into.number(usage.input);
  into.number(usage.output);
  into.number(usage.cacheRead);
  into.number(usage.cacheWrite5m);
  into.number(usage.cacheWrite1h);
  into.number(usage.costUsd ?? Number.NaN);
  into.number(usage.fast ? 1 : 0);
  into.number(time ?? Number.NaN);
  into.number(isSubagent ? 1 : 0);
}

class UnpackedUsage implements UsageEntry, Unpacks {
  id = 0n;
  session = '';
  usage: UsageEntry['usage'] = NO_USAGE;
  time: number | null = null;
  isSubagent = false;

  take(from: RowUnpacker): void {
    this.id = from.key();
    this.session = from.text();
    const usage = {
      key: from.text(),
      model: from.text(),
      input: from.number(),
      output: from.number(),
      cacheRead: from.number(),
      cacheWrite5m: from.number(),
      cacheWrite1h: from.number(),
      costUsd: from.numberOrNull(),
    };
    this.usage = from.number() === 1 ? { ...usage, fast: true } : usage;
    this.time = from.numberOrNull();
    this.isSubagent = from.number() === 1;
  }
}

const NO_USAGE: UsageEntry['usage'] = {
  key: '',
  model: '',
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  costUsd: null,
};
