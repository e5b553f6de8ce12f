import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AttributeSets } from '../../src/ingest/attribute-sets.ts';
import { TextReceiver } from '../../src/ingest/receive-text.ts';
import { SentVolume } from '../../src/ingest/send-text.ts';
import { OwnVolume, type VolumeMaker } from '../../src/ingest/text-docs.ts';
import { newPipe, PipeState, SLOT_BYTES } from '../../src/ingest/text-pipe.ts';
import { encodeCodes } from '../../src/model/index.ts';
import type { TextEntry } from '../../src/stores/index.ts';

/** What a log makes a maker do: `texts` are scanned; documents have spans of them and a text of their own. */
interface Doc {
  readonly texts: readonly string[];
  readonly own: string | null;
  readonly attribute: string;
  readonly time: number | null;
  readonly ends: boolean;
}

/** Stops where the other end has to take something: nobody else does in this thread. */
function* make(maker: VolumeMaker, docs: readonly Doc[], coded = false): Generator<TextEntry | null> {
  const written = coded ? encodeCodes : (text: string) => text;
  const sets = new AttributeSets();
  for (const [i, { texts, own, attribute, time, ends }] of docs.entries()) {
    const spans = texts.map((text) =>
      maker.scan([written(text), 'joined'], (escaped) => escaped.replaceAll('\u001b', ''), coded),
    );
    yield null;
    const mark = maker.mark;
    maker.beginDocument();
    for (const span of spans) if (span) maker.addSpan(span);
    const span = own === null ? null : maker.scan([written(own)], undefined, coded);
    if (span) maker.addSpan(span);
    yield null;
    maker.addAttribute('file', attribute);
    maker.addAttributes(
      sets.ofMessage({ type: 'tool_use', toolName: attribute, isError: i % 2 === 0, isSidechain: true }),
    );
    maker.endDocument({ id: BigInt(i) - 7n, time, type: i % 3 });
    maker.forgetSpans(mark);
    yield null;
    if (!ends) continue;
    yield maker.end(i, [`tree ${i}`, attribute]);
    maker.forgetSpans();
  }
  yield maker.end(docs.length, []);
}

function* received(port: MessagePort, receiver: TextReceiver): Generator<TextEntry> {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
    if (next.message !== 'over') yield* receiver.take(next.message);
}

function throughPipe(docs: readonly Doc[], coded = false): TextEntry[] {
  const { port1, port2 } = new MessageChannel();
  const pipe = newPipe();
  const receiver = new TextReceiver(pipe);
  const sender = new SentVolume({ ...pipe, port: port1 });
  const entries: TextEntry[] = [];
  for (const _ of make(sender, docs, coded)) entries.push(...received(port2, receiver));
  sender.close();
  entries.push(...received(port2, receiver));
  port1.close();
  return entries;
}

const here = (docs: readonly Doc[], coded = false): TextEntry[] =>
  [...make(new OwnVolume(), docs, coded)].filter((entry) => entry !== null);

const word = fc.constantFrom(
  'a',
  'fooBar',
  'x_y',
  '漢字かな',
  'É',
  'zebra',
  'c++',
  '1',
  '\u001b[1m',
  '😀',
  '\ud800',
  '\0',
  '…',
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
const doc: fc.Arbitrary<Doc> = fc.record({
  texts: fc.array(text, { maxLength: 3 }),
  own: fc.option(text),
  attribute: text.map((path) => path.toWellFormed()),
  time: fc.option(fc.integer({ min: 0, max: 2e12 })),
  ends: fc.boolean(),
});

test('M13: what another thread makes of texts is what would be made here', () => {
  fc.assert(
    fc.property(fc.array(doc, { maxLength: 40 }), (docs) => {
      expect(throughPipe(docs)).toEqual(here(docs));
      expect([throughPipe(docs, true), here(docs, true)]).toEqual([here(docs), here(docs)]);
    }),
  );
});

test.each([
  ['words', 'word '.repeat(60_000)],
  ['one word', `${'x'.repeat(2 * SLOT_BYTES)} end`],
  ['nothing that separates', `${'漢字'.repeat(60_000)} end`],
  ['characters of every length', 'é fooBar 漢字…\u00a0x_y 😀c++\u2028'.repeat(9_000)],
  ['separators beyond ASCII', 'é\u3000漢字…'.repeat(30_000)],
])('M13: a text that is larger than what goes to another thread at once: %s', (_, long) => {
  const docs = [long, 'short', long].map((own) => ({ texts: ['before'], own, attribute: long, time: 0, ends: true }));
  const volumes = here(docs);
  expect([throughPipe(docs), throughPipe(docs, true), here(docs, true)]).toEqual([volumes, volumes, volumes]);
});

test('M10: what the other thread tells of a volume is that of this volume, or nothing', () => {
  const { port1, port2 } = new MessageChannel();
  const pipe = newPipe();
  const receiver = new TextReceiver(pipe);
  const sender = new SentVolume({ ...pipe, port: port1 });
  const add = (said: string): void => {
    sender.beginDocument();
    const span = sender.scan([said]);
    if (span) sender.addSpan(span);
    sender.endDocument({ id: 1n, time: null, type: 0 });
  };
  add('alpha beta');
  add('y '.repeat(SLOT_BYTES));
  expect(sender.terms).toBe(0);
  expect([...received(port2, receiver)]).toEqual([]);
  expect(sender.terms).toBeGreaterThan(0);
  sender.end(1, []);
  expect([sender.terms, sender.vocabulary, sender.size]).toEqual([0, 0, 0]);
  expect([...received(port2, receiver)]).toMatchObject([{ number: 1 }]);
  expect(new Int32Array(pipe.state)[PipeState.ended]).toBe(1);
  port1.close();
});
