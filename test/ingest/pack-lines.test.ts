import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinePacker, packLines, unpackLines } from '../../src/ingest/pack-lines.ts';
import type { ChainLine, Line, Place } from '../../src/model/index.ts';

const numRuns = Number(process.env.FC_RUNS ?? 200);

/** Few, so that neighbours say the same and other things, and name what others named: once, twice, or before it was there. */
const id = fc.constantFrom('a', 'b', '', 'é"\\', '\ud800');
const count = fc.constantFrom(0, 1, 2 ** 40);
const texts = fc.array(id, { maxLength: 2 });

const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constant<Place>({ as: 'record' }),
  fc.record({ as: fc.constant('part' as const), of: id, request: fc.constantFrom(0, 1, 2, -7) }),
  fc.record({
    as: fc.constant('result' as const),
    of: fc.array(fc.record({ call: id, isError: fc.boolean() }), { maxLength: 2 }),
    text: fc.boolean(),
    body: fc.boolean(),
  }),
  fc.record({ as: fc.constant('annotation' as const), joins: fc.boolean(), gathers: fc.boolean() }),
);

const figures = { key: id, model: id, input: count, output: count, cacheRead: count };
const usage = fc.record(
  { ...figures, cacheWrite5m: count, cacheWrite1h: count, costUsd: fc.option(count), fast: fc.constant(true as const) },
  { requiredKeys: ['key', 'model', 'input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'costUsd'] },
);

const said = fc.record({
  key: id,
  parent: fc.option(id),
  edge: fc.constantFrom('parent' as const, 'compaction' as const, 'fork' as const),
  kind: id,
  place,
  time: fc.option(count),
  subagent: fc.option(id),
  origin: fc.constantFrom(null, 'human' as const),
  // More than wait for a result at once.
  calls: fc.array(fc.record({ id, name: id, tokens: texts }), { maxLength: 40 }),
  more: fc.option(fc.record({ injected: texts })),
  usage: fc.option(usage),
  stop: fc.option(id),
  digest: fc.constantFrom(0, 1, -(2 ** 31)),
  env: fc.record({ cwd: fc.option(id), gitBranch: fc.option(id), slug: fc.option(id), version: id, session: id }),
  warnings: fc.constant<ChainLine['warnings']>([]),
});

/** Lines one after the other, with as many bytes as they say. */
const chunk = fc.array(fc.tuple(said, count, fc.boolean()), { maxLength: 6 }).map((list) => {
  let offset = 0;
  return list.map(([says, bytes, isQueue], i): Line => {
    const ref = { file: 'f', line: i + 1, offset, bytes };
    offset += bytes + 1;
    return isQueue ? { in: 'queue', ref, ...says, op: 'enqueue', empty: false } : { in: 'chain', ref, ...says };
  });
});

test('M9 lines are put back as they were, whatever they say, in however many steps they were packed', () => {
  fc.assert(
    fc.property(chunk, fc.nat(6), (lines, step) => {
      const packer = new LinePacker();
      lines.forEach((line, i) => {
        if (i === step) packer.lines;
        packer.add(line);
      });
      expect(unpackLines(packLines(packer.lines), 'f')).toEqual(lines);
    }),
    { numRuns },
  );
});

test('M9 an id is written once, where a response or a call first has it', () => {
  const call = 'toolu_0123456789';
  const response = 'msg_0123456789';
  const counts = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5, costUsd: null };
  const env = { cwd: null, gitBranch: null, slug: null, version: '', session: '' };
  const usual = {
    parent: null,
    edge: 'parent',
    kind: 'user',
    time: 1,
    subagent: null,
    origin: null,
    stop: null,
  } as const;
  const line = (number: number, says: Pick<ChainLine, 'place' | 'usage' | 'calls'>): ChainLine => ({
    ...{ in: 'chain', ref: { file: 'f', line: number, offset: 10 * number, bytes: 9 }, key: `k${number}`, ...usual },
    ...{ digest: 1, env, more: null, warnings: [], ...says },
  });
  const lines = [
    line(1, {
      place: { as: 'part', of: response, request: 7 },
      usage: { key: response, model: 'm', ...counts },
      calls: [{ id: call, name: 'Read', tokens: [] }],
    }),
    line(2, {
      place: { as: 'result', of: [{ call, isError: true }], text: false, body: false },
      ...{ usage: null, calls: [] },
    }),
  ];
  const packer = new LinePacker();
  for (const each of lines) packer.add(each);
  const written = Buffer.from(packer.lines).toString();
  expect(written.split(call)).toHaveLength(2);
  expect(written.split(response)).toHaveLength(2);
  expect(unpackLines(packLines(packer.lines), 'f')).toEqual(lines);
});
