import { DatabaseSync } from 'node:sqlite';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Written } from '../../src/ingest/index-jobs.ts';
import { RowSender, receivedRows } from '../../src/ingest/send-rows.ts';
import { newPipe, PipeState } from '../../src/ingest/text-pipe.ts';
import { MESSAGE_TYPES, type MessageEntry, type UsageEntry } from '../../src/stores/index.ts';
import { hashText } from '../../src/stores/message-keys.ts';
import { Bits } from '../../src/stores/packed-rows.ts';
import { numberedTexts } from '../../src/stores/sqlite/index-read.ts';
import { INDEX_TABLES } from '../../src/stores/sqlite/index-schema.ts';
import { IndexWriter } from '../../src/stores/sqlite/index-write.ts';
import { unpackDetails } from '../../src/stores/sqlite/message-details.ts';
import { readUuid, UUID_BYTES, writeUuid } from '../../src/stores/uuid-bytes.ts';

const numRuns = Number(process.env.FC_RUNS ?? 100);

/** Few, so that rows have the same and other ones. */
const text = fc.constantFrom('', 'a', 'b', 'é', '漢', 'x'.repeat(300));
const count = fc.nat(2 ** 40);
const key = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const ref = fc.record({ file: text, line: count, offset: count, bytes: count });
const time = fc.option(fc.integer({ min: -1, max: 2 ** 42 }));

/** With a field, or without it. */
const maybe = <Row, Field>(row: fc.Arbitrary<Row>, field: fc.Arbitrary<Field>): fc.Arbitrary<Row & Partial<Field>> =>
  fc.tuple(row, fc.option(field)).map(([each, more]) => ({ ...each, ...more }) as Row & Partial<Field>);

/** Parents that follow from the id, and others. */
const parentOf = (id: bigint, parent: bigint | string | null): bigint | null =>
  typeof parent !== 'string' ? parent : parent === 'its record' ? id & ~0xffn : id - (id & 0xffn ? 1n : 0n);

const message: fc.Arbitrary<MessageEntry> = maybe(
  fc.record({
    id: key,
    parent: fc.option(fc.oneof(key, fc.constantFrom('its record', 'its call'))),
    session: text,
    uuid: fc.option(fc.oneof(text, fc.uuid())),
    type: fc.constantFrom(...MESSAGE_TYPES),
    kind: text,
    isSidechain: fc.boolean(),
    hidden: fc.boolean(),
    time,
    number: count,
    nth: count,
    at: ref,
    more: fc.array(ref, { maxLength: 3 }),
    toolName: fc.option(text),
    isError: fc.option(fc.boolean()),
    agent: fc.option(text),
    isAgain: fc.boolean(),
  }),
  fc.record({ doc: fc.option(count) }),
).map((row) => ({ ...row, parent: parentOf(row.id, row.parent) }));

const used: fc.Arbitrary<UsageEntry['usage']> = maybe(
  fc.record({
    key: text,
    model: text,
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    costUsd: fc.option(fc.double({ noNaN: true, min: 0 })),
  }),
  fc.constant({ fast: true as const }),
);
const usage: fc.Arbitrary<UsageEntry> = fc.record({
  id: key,
  session: text,
  usage: used,
  time,
  isSubagent: fc.boolean(),
});

const tree = { key: 't', agent: 'a', project: { id: 'p', path: '/p', names: ['p'] }, complete: true };

/** The other thread takes each at once. */
function through(written: readonly Written[]): Written[] {
  const { port1, port2 } = new MessageChannel();
  const pipe = newPipe();
  const sender = new RowSender({ ...pipe, port: port1 });
  const received = written.map((each) => {
    Atomics.add(new Int32Array(pipe.state), PipeState.written, 1);
    sender.send(each);
    return receivedRows(receiveMessageOnPort(port2)?.message);
  });
  port1.close();
  return received;
}

// biome-ignore lint/suspicious/noExplicitAny: columns of tables
type Row = any;

/** What is in the tables after some batches. */
function written(batches: readonly Written[]): { messages: unknown[]; usages: unknown[] } {
  const db = new DatabaseSync(':memory:');
  db.exec(INDEX_TABLES);
  const writer = new IndexWriter(db);
  for (const each of batches) if ('batch' in each) writer.apply(each.batch, 1);
  const rows = (sql: string): Row[] => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all();
  };
  const { name, places } = numberedTexts(db);
  const messages =
    rows(`select m.*, s.id as session_id, a.text as agent_name from messages m join sessions s on s.num = m.session
    left join names a on a.num = m.agent order by m.id`).map((row) => {
      const { uuid, kind, number, nth, tool, ...refs } = unpackDetails(row.details);
      return {
        id: row.id,
        parent: row.parent,
        session: row.session_id,
        uuid,
        type: MESSAGE_TYPES[Number(row.type)],
        kind: name(kind),
        isSidechain: row.sidechain === 1n,
        hidden: row.hidden === 1n,
        time: row.time === null ? null : Number(row.time),
        number,
        nth,
        ...places(refs),
        toolName: name(tool),
        isError: Number(row.bits) & Bits.hasStatus ? (Number(row.bits) & Bits.isError) !== 0 : null,
        agent: row.agent_name,
        doc: row.doc === null ? null : Number(row.doc),
      };
    });
  const usages =
    rows(`select u.*, s.id as session_id, n.text as model_name from usages u join sessions s on s.num = u.session
    left join names n on n.num = u.model order by u.id`).map((row) => ({
      ...{ id: row.id, key: row.key, session: row.session_id, model: row.model_name },
      counts: [row.input, row.output, row.cache_read, row.cache_5m, row.cache_1h].map(Number),
      ...{ cost: row.cost, fast: row.fast === 1n, isSubagent: row.flags === 1n },
      time: row.time === null ? null : Number(row.time),
    }));
  db.close();
  return { messages, usages };
}

const sorted = <Entry extends { readonly id: bigint }>(rows: readonly Entry[]): Entry[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

test('M10: rows that were sent to the thread that writes them are in the tables as they were made', () => {
  const different = { selector: ({ id }: { id: bigint }) => id };
  fc.assert(
    fc.property(fc.uniqueArray(message, different), fc.uniqueArray(usage, different), (messages, usages) => {
      const found = written(through([{ batch: { tree, messages, usages } }]));
      expect(found.messages).toEqual(
        sorted(messages).map(({ isAgain: _, ...entry }) => ({ ...entry, doc: entry.doc ?? null })),
      );
      expect(found.usages).toEqual(
        sorted(usages).map(({ id, session, usage: used, time, isSubagent }) => ({
          ...{ id, key: hashText(used.key), session, model: used.model },
          counts: [used.input, used.output, used.cacheRead, used.cacheWrite5m, used.cacheWrite1h],
          ...{ cost: used.costUsd, fast: used.fast === true, isSubagent, time },
        })),
      );
    }),
    { numRuns },
  );
});

test('M10: hundreds of rows are sent as few are', () => {
  const [entry] = fc.sample(message, 1) as [MessageEntry];
  const messages = Array.from({ length: 300 }, (_, i) => ({ ...entry, id: BigInt(i), uuid: uuidOf(i), doc: i }));
  const found = written(through([{ batch: { tree, messages } }])).messages;
  expect(found).toEqual(messages.map(({ isAgain: _, ...each }) => each));
});

const uuidOf = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;

test('M6: a message that is written again keeps its document, unless another is told', () => {
  const [entry] = fc.sample(message, 1) as [MessageEntry];
  const first = { ...entry, doc: 7, isAgain: false };
  const batch = (doc: number | null | undefined): Written => ({
    batch: { tree, messages: [{ ...first, isAgain: true, hidden: !first.hidden, doc }] },
  });
  const docAfter = (...more: Written[]) => written(through([{ batch: { tree, messages: [first] } }, ...more])).messages;
  expect(docAfter(batch(undefined))).toMatchObject([{ doc: 7, hidden: !first.hidden }]);
  expect(docAfter(batch(8))).toMatchObject([{ doc: 8 }]);
  expect(docAfter(batch(null))).toMatchObject([{ doc: null }]);
});

test('M10: what is odd about a tree arrives, and so does the rest of a batch', () => {
  const findings = { tree: 't', findings: { error: 1, warning: 2, note: 3 } };
  const goneMessages = [1n, -(2n ** 63n)];
  expect(through([findings, { batch: { tree, goneMessages } }])).toMatchObject([
    findings,
    { batch: { tree, goneMessages, chunks: [], messages: { count: 0 }, usages: { count: 0 } } },
  ]);
});

test('M8: a uuid takes 16 bytes, and any other id stays as it is', () => {
  const hex = fc.constantFrom(...'0123456789abcdefABCDEFg-é'.split(''));
  const almost = fc.array(hex, { minLength: 36, maxLength: 36 }).map((digits) => digits.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.uuid(), almost, fc.string()), (id) => {
      const packed = new Uint8Array(UUID_BYTES);
      const isUuid = writeUuid(id, packed, 0);
      expect(isUuid).toBe(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
      expect(readUuid(isUuid ? packed : id)).toBe(id);
    }),
    { numRuns: numRuns * 5 },
  );
});
