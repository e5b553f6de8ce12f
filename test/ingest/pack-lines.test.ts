import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LinePacker, packLines, unpackLines } from '../../src/ingest/pack-lines.ts';
import type { ChainLine, Place, Usage } from '../../src/model/index.ts';

const numRuns = Number(process.env.FC_RUNS ?? 200);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

/** Few of them, so that lines name what others named: once, twice, or before it was there. */
const id = fc.constantFrom('a', 'b', 'c', 'd');
const count = fc.nat(3);

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

const usage: fc.Arbitrary<Usage> = fc
  .record({
    key: id,
    model: fc.constantFrom('', 'one', 'two'),
    ...{ input: count, output: count, cacheRead: count, cacheWrite5m: count, cacheWrite1h: count },
    costUsd: fc.option(fc.constantFrom(0, 0.5)),
    fast: fc.boolean(),
  })
  .map(({ fast, ...rest }) => ({ ...rest, ...(fast && { fast: true as const }) }));

const said = fc.record({
  key: id,
  place,
  usage: fc.option(usage),
  calls: fc.array(fc.record({ id, name: id, tokens: fc.array(id, { maxLength: 1 }) }), { maxLength: 40 }),
  time: fc.option(count),
});

const env = { cwd: null, gitBranch: null, slug: null, version: null, session: null } as ChainLine['env'];

const linesOf = (list: readonly Pick<ChainLine, 'key' | 'place' | 'usage' | 'calls' | 'time'>[]): ChainLine[] =>
  list.map((each, i) => ({
    ...{ in: 'chain', ref: { file: 'f', line: i + 1, offset: 10 * i, bytes: 9 } },
    ...{ parent: null, edge: 'parent', kind: 'user', subagent: null, origin: null, stop: null },
    ...{ digest: i, env, more: null, warnings: [] },
    ...each,
  }));

describe('lines as a store keeps them', () => {
  test('M9 whatever they name of each other, they come back as they were', () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 12 }), (list) => {
        const lines = linesOf(list);
        const packer = new LinePacker();
        for (const line of lines) packer.add(line);
        expect(unpackLines(packLines(packer.lines), 'f')).toEqual(lines);
      }),
      { numRuns, ...seed },
    );
  });

  test('an id is written once, where a response or a call first has it', () => {
    const call = 'toolu_0123456789';
    const response = 'msg_0123456789';
    const counts = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5, costUsd: null };
    const packer = new LinePacker();
    const lines = linesOf([
      {
        ...{ key: 'k', place: { as: 'part', of: response }, time: null },
        ...{ usage: { key: response, model: 'm', ...counts }, calls: [{ id: call, name: 'Read', tokens: [] }] },
      },
      {
        ...{ key: 'l', place: { as: 'result', of: [{ call, isError: true }], text: false, body: false }, time: null },
        ...{ usage: null, calls: [] },
      },
    ]);
    for (const line of lines) packer.add(line);
    const written = Buffer.from(packer.lines).toString();
    expect(written.split(call)).toHaveLength(2);
    expect(written.split(response)).toHaveLength(2);
    expect(unpackLines(packLines(packer.lines), 'f')).toEqual(lines);
  });
});
