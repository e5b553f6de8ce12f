import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeSegments } from '../../src/search/segment/merge-segments.ts';
import { PairPage, pairHash } from '../../src/search/segment/pairs.ts';
import { eachEntry, findPrefix, findTerm, postingsOf } from '../../src/search/segment/read-blocks.ts';
import type { Segment } from '../../src/search/segment/segment.ts';
import { SegmentBuilder } from '../../src/search/segment/segment-builder.ts';
import { termHash } from '../../src/search/segment/term-table.ts';

const kept = (segment: Segment, dead: readonly number[] = []) => ({
  ...segment,
  heads: segment.heads === '' ? [] : segment.heads.split('\n'),
  block: (index: number) => segment.blocks[index] as Uint8Array,
  pairs: (page: number) => segment.pairs[page] as Uint8Array,
  dead: new Set(dead),
});

function build(texts: readonly string[], firstId = 0): Segment {
  const builder = new SegmentBuilder();
  texts.forEach((text, i) => {
    const span = builder.scan([text]);
    builder.add({
      id: BigInt(firstId + i),
      time: i * 1000,
      type: 0,
      spans: span ? [span] : [],
      attributes: ['all', ''],
    });
  });
  return builder.finish();
}

const read = (segment: Segment): Map<string, [number, number][]> =>
  new Map(
    [...eachEntry(kept(segment))].map((entry) => {
      const { docs, times } = postingsOf(entry);
      return [entry.text, [...docs].map((doc, i) => [doc, times[i] as number])];
    }),
  );

const texts = fc.array(
  fc
    .array(fc.constantFrom('a', 'fooBar', 'x_y', '漢字かな', 'É', 'zebra', 'c++', '1'), { maxLength: 30 })
    .map((words) => words.join(' ')),
  { maxLength: 400 },
);

describe('segments of the full text', () => {
  test('M13: every term is found with its documents and how often it stands there', () => {
    const segment = build(['the zebra saw the Zebra', 'parseZebra', 'nothing']);
    expect(read(segment).get('zebra')).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(postingsOf(findTerm(kept(segment), 'parsezebra') as never).docs).toEqual(Uint32Array.of(1));
    expect(findTerm(kept(segment), 'zeb')).toBeNull();
    expect([...findPrefix(kept(segment), 'pars')].map(({ text }) => text)).toEqual(['parse', 'parsezebra']);
  });

  test('M13: what is put together is what would have been built at once, without the dead', () => {
    fc.assert(
      fc.property(texts, texts, fc.infiniteStream(fc.boolean()), (first, second, coins) => {
        const isDead = (of: readonly string[]) => of.flatMap((_, i) => (coins.next().value ? [i] : []));
        const [deadFirst, deadSecond] = [isDead(first), isDead(second)];
        const merged = mergeSegments([kept(build(first), deadFirst), kept(build(second, 1000), deadSecond)]);
        const alive = [
          ...first.filter((_, i) => !deadFirst.includes(i)),
          ...second.filter((_, i) => !deadSecond.includes(i)),
        ];
        const whole = build(alive);
        expect(read(merged)).toEqual(read(whole));
        expect(merged.lengths).toEqual(whole.lengths);
        expect(merged.pairs).toEqual(whole.pairs);
        expect(merged.ids.length).toBe(alive.length);
      }),
      { numRuns: 60 },
    );
  });

  test('M14: a pair of words that stand beside each other is always seen, others rarely', () => {
    const builder = new SegmentBuilder();
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
    const span = builder.scan([words.join(' ')]);
    builder.add({ id: 0n, time: null, type: 0, spans: span ? [span] : [], attributes: [] });
    const page = new PairPage(builder.finish().pairs[0] as Uint8Array, 1);
    const hashOf = (a: number, b: number) => pairHash(hashes[a] as number, 0, hashes[b] as number);
    const hashes = words.map(termHash);
    for (let i = 1; i < words.length; i++) expect(page.mayHave(0, [hashOf(i - 1, i)])).toBe(true);
    let wrong = 0;
    for (let i = 2; i < words.length; i++) if (page.mayHave(0, [hashOf(i, i - 2)])) wrong++;
    expect(wrong).toBeLessThan(60);
  });
});
