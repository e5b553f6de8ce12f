import type { LineRef } from '../model/index.ts';
import { type IndexBatch, MESSAGE_TYPES, type MessageEntry, type UsageEntry } from '../stores/index.ts';
import { packLines } from './pack-lines.ts';
import { type PackedRows, RowPacker, RowUnpacker } from './packed-rows.ts';

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

/** Its rows are made while they are gone through: nobody holds all of them. */
export function unpackBatch(sent: SentBatch): IndexBatch {
  return {
    ...sent,
    chunks: sent.chunks?.map((chunk) => ({ ...chunk, bytes: packLines(chunk.bytes) })) ?? [],
    messages: unpack(sent.messages, unpackMessage),
    usages: unpack(sent.usages, unpackUsage),
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

function* unpack<Row>(packed: PackedRows, unpackRow: (from: RowUnpacker) => Row): Generator<Row> {
  const unpacker = new RowUnpacker(packed);
  for (let i = 0; i < packed.count; i++) yield unpackRow(unpacker);
}

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
  into.text(row.session);
  into.ownText(row.uuid);
  into.text(row.kind);
  into.number(row.time ?? Number.NaN);
  into.number(row.number);
  into.number(row.nth);
  packRef(at, into);
  into.number(more.length);
  for (const ref of more) packRef(ref, into);
  into.text(row.toolName);
  into.text(row.agent);
  if (doc !== undefined) into.number(doc ?? Number.NaN);
}

function unpackMessage(from: RowUnpacker): MessageEntry {
  const bits = from.number();
  return {
    id: from.key(),
    parent: bits & HAS_PARENT ? from.key() : null,
    session: from.text(),
    uuid: from.textOrNull(),
    type: MESSAGE_TYPES[bits & 3] as MessageEntry['type'],
    kind: from.text(),
    isSidechain: (bits & IS_SIDECHAIN) !== 0,
    hidden: (bits & IS_HIDDEN) !== 0,
    time: from.numberOrNull(),
    number: from.number(),
    nth: from.number(),
    at: unpackRef(from),
    more: unpackRefs(from),
    toolName: from.textOrNull(),
    isError: bits & HAS_STATUS ? (bits & IS_ERROR) !== 0 : null,
    agent: from.textOrNull(),
    isAgain: (bits & IS_AGAIN) !== 0,
    doc: bits & HAS_DOC ? from.numberOrNull() : undefined,
  };
}

function packRef({ file, line, offset, bytes }: LineRef, into: RowPacker): void {
  into.text(file);
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
  into.text(session);
  into.ownText(usage.key);
  into.text(usage.model);
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

function unpackUsage(from: RowUnpacker): UsageEntry {
  const id = from.key();
  const session = from.text();
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
  const isFast = from.number() === 1;
  return {
    id,
    session,
    usage: isFast ? { ...usage, fast: true } : usage,
    time: from.numberOrNull(),
    isSubagent: from.number() === 1,
  };
}
