import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinePacker, packLines, unpackLines } from '../../src/ingest/pack-lines.ts';
import type { ChainLine, Line, Place } from '../../src/model/index.ts';

const numRuns = Number(process.env.FC_RUNS ?? 200);

/** Few, so that neighbours say the same and other things. */
const id = fc.constantFrom('a', 'b', 'é"\\', '\ud800');
const count = fc.constantFrom(0, 1, 2 ** 40);
const texts = fc.array(id, { maxLength: 2 });

const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constant<Place>({ as: 'record' }),
  fc.record({ as: fc.constant('part' as const), of: id }),
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
  calls: fc.array(fc.record({ id, name: id, tokens: texts }), { maxLength: 2 }),
  usage: fc.option(usage),
  stop: fc.option(id),
  digest: fc.constantFrom(0, 1, -(2 ** 31)),
  env: fc.record({ cwd: fc.option(id), gitBranch: fc.option(id), slug: fc.option(id), version: id, session: id }),
  more: fc.option(fc.record({ injected: texts })),
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

test('lines are put back as they were, whatever they say, in however many steps they were packed', () => {
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
