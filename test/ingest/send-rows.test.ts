import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Written } from '../../src/ingest/index-jobs.ts';
import { RowSender, receivedRows } from '../../src/ingest/send-rows.ts';
import { newPipe, PipeState } from '../../src/ingest/text-pipe.ts';
import { type IndexBatch, MESSAGE_TYPES, type MessageEntry, type UsageEntry } from '../../src/stores/index.ts';
import { packId, unpackId } from '../../src/stores/sqlite/pack-values.ts';

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

const message: fc.Arbitrary<MessageEntry> = maybe(
  fc.record({
    id: key,
    parent: fc.option(key),
    session: text,
    uuid: fc.option(text),
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
);

const used: fc.Arbitrary<UsageEntry['usage']> = maybe(
  fc.record({
    key: text,
    model: text,
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    costUsd: fc.option(fc.double({ noNaN: true })),
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

/** Its rows are made while they are gone through. */
const madeOf = (written: Written): Written =>
  'batch' in written
    ? {
        batch: {
          ...written.batch,
          messages: [...(written.batch.messages ?? [])],
          usages: [...(written.batch.usages ?? [])],
        },
      }
    : written;

/** The other thread takes each at once. */
function through(written: readonly Written[]): Written[] {
  const { port1, port2 } = new MessageChannel();
  const pipe = newPipe();
  const sender = new RowSender({ ...pipe, port: port1 });
  const received = written.map((each) => {
    Atomics.add(new Int32Array(pipe.state), PipeState.written, 1);
    sender.send(each);
    return madeOf(receivedRows(receiveMessageOnPort(port2)?.message));
  });
  port1.close();
  return received;
}

test('M10: rows arrive in the thread that writes them as they were sent', () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(usage), fc.array(key), (messages, usages, goneMessages) => {
      const batch: IndexBatch = { tree, messages, usages, goneMessages, chunks: [] };
      expect(through([{ batch }])).toEqual([{ batch }]);
    }),
    { numRuns },
  );
});

test('M10: so does what is odd about a tree, and a batch without rows', () => {
  const findings = { tree: 't', findings: { error: 1, warning: 2, note: 3 } };
  expect(through([findings, { batch: { tree } }])).toEqual([
    findings,
    { batch: { tree, chunks: [], messages: [], usages: [] } },
  ]);
});

test('M8: a uuid takes 16 bytes, and any other id stays as it is', () => {
  const hex = fc.constantFrom(...'0123456789abcdefABCDEFg-é'.split(''));
  const almost = fc.array(hex, { minLength: 36, maxLength: 36 }).map((digits) => digits.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.uuid(), almost, fc.string()), (id) => {
      const packed = packId(id);
      expect(unpackId(packed)).toBe(id);
      expect(typeof packed !== 'string').toBe(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
    }),
    { numRuns: numRuns * 5 },
  );
});
