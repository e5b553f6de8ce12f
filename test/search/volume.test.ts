import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeVolumes } from '../../src/search/volume/merge-volumes.ts';
import { NeighbourPage, neighbourHash } from '../../src/search/volume/neighbours.ts';
import { eachEntry, findPrefix, findTerm, postingsOf } from '../../src/search/volume/read-blocks.ts';
import { termHash } from '../../src/search/volume/term-table.ts';
import type { Volume } from '../../src/search/volume/volume.ts';
import { VolumeBuilder } from '../../src/search/volume/volume-builder.ts';
import type { Postings } from '../../src/search/volume/walk-block.ts';

const kept = (volume: Volume, dead: readonly number[] = []) => ({
  ...volume,
  heads: volume.heads === '' ? [] : volume.heads.split('\n'),
  block: (index: number) => volume.blocks[index] as Uint8Array,
  neighbours: (page: number) => volume.neighbours[page] as Uint8Array,
  dead: new Set(dead),
});

function build(texts: readonly string[], firstId = 0): Volume {
  const builder = new VolumeBuilder();
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

const read = (volume: Volume): Map<string, [number, number][]> =>
  new Map(
    [...eachEntry(kept(volume))].map((entry) => {
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

describe('volumes of the full text', () => {
  test('M13: every term is found with its documents and how often it stands there', () => {
    const volume = build(['the zebra saw the Zebra', 'parseZebra', 'nothing']);
    expect(read(volume).get('zebra')).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(postingsOf(findTerm(kept(volume), 'parsezebra') as Postings).docs).toEqual(Uint32Array.of(1));
    expect(findTerm(kept(volume), 'zeb')).toBeNull();
    expect(Array.from(findPrefix(kept(volume), 'pars'), ({ text }) => text)).toEqual(['parse', 'parsezebra']);
    expect(Array.from(findPrefix(kept(volume), 'zz'))).toEqual([]);
  });

  test('M13: what is put together is what would have been built at once, without the dead', () => {
    fc.assert(
      fc.property(texts, texts, fc.infiniteStream(fc.boolean()), (first, second, coins) => {
        const isDead = (of: readonly string[]) => of.flatMap((_, i) => (coins.next().value ? [i] : []));
        const [deadFirst, deadSecond] = [isDead(first), isDead(second)];
        const merged = mergeVolumes([kept(build(first), deadFirst), kept(build(second, 1000), deadSecond)]);
        const alive = [
          ...first.filter((_, i) => !deadFirst.includes(i)),
          ...second.filter((_, i) => !deadSecond.includes(i)),
        ];
        const whole = build(alive);
        expect(read(merged)).toEqual(read(whole));
        expect(merged.lengths).toEqual(whole.lengths);
        expect(merged.neighbours).toEqual(whole.neighbours);
        expect(merged.ids.length).toBe(alive.length);
      }),
      { numRuns: 60 },
    );
  });

  test('M14: words that stand beside each other are always seen so, others rarely', () => {
    const builder = new VolumeBuilder();
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
    const span = builder.scan([words.join(' ')]);
    builder.add({ id: 0n, time: null, type: 0, spans: span ? [span] : [], attributes: [] });
    const page = new NeighbourPage(builder.finish().neighbours[0] as Uint8Array, 1);
    const hashOf = (a: number, b: number) => neighbourHash(hashes[a] as number, 0, hashes[b] as number);
    const hashes = words.map(termHash);
    for (let i = 1; i < words.length; i++) expect(page.mayHave(0, Uint32Array.of(hashOf(i - 1, i)))).toBe(true);
    let wrong = 0;
    for (let i = 2; i < words.length; i++) if (page.mayHave(0, Uint32Array.of(hashOf(i, i - 2)))) wrong++;
    expect(wrong).toBeLessThan(60);
  });
});
