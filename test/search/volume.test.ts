import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeVolumes } from '../../src/search/volume/merge-volumes.ts';
import { neighbourHash, WantedNeighbours } from '../../src/search/volume/neighbours.ts';
import { eachEntry, findPrefix, findTerm, postingsOf } from '../../src/search/volume/read-blocks.ts';
import { TermTable } from '../../src/search/volume/term-table.ts';
import type { Volume } from '../../src/search/volume/volume.ts';
import { VolumeBuilder } from '../../src/search/volume/volume-builder.ts';
import type { Postings } from '../../src/search/volume/walk-block.ts';
import { wordsIn } from '../../src/search/words.ts';

const kept = (volume: Volume, dead: readonly number[] = []) => ({
  ...volume,
  heads: volume.heads === '' ? [] : volume.heads.split('\n'),
  block: (index: number) => volume.blocks[index] as Uint8Array,
  neighbours: (page: number) => volume.neighbours[page] as Uint8Array,
  dead: new Set(dead),
});

function addText(builder: VolumeBuilder, texts: readonly string[]): void {
  const span = builder.scan(texts);
  if (span) builder.addSpan(span);
}

function build(texts: readonly string[], firstId = 0): Volume {
  const builder = new VolumeBuilder();
  texts.forEach((text, i) => {
    addText(builder, [text]);
    builder.addAttribute('all', '');
    builder.endDocument({ id: BigInt(firstId + i), time: i * 1000, type: 0 });
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
  test('M13: merged, long documents are what they were', () => {
    const long = (seed: number): string => Array.from({ length: 9000 }, (_, i) => `w${(i * seed) % 7919}`).join(' ');
    const [first, second] = [[long(3), 'short one', long(5)], [long(7)]] as const;
    const merged = mergeVolumes([kept(build(first)), kept(build(second, first.length))]);
    const whole = build([...first, ...second]);
    expect(merged.neighbours).toEqual(whole.neighbours);
    expect(merged.blocks).toEqual(whole.blocks);
  });

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

  test('M13: the documents of a term are found, however many there are and however far from each other', () => {
    const counts = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 1, 1, 2, 127, 128, 300));
    const gaps = fc.constantFrom(0, 0, 0, 1, 62, 63, 64, 200);
    fc.assert(
      fc.property(fc.array(fc.tuple(counts, counts, gaps), { maxLength: 300 }), (all) => {
        const docs = all.flatMap(([a, b, gap]) => ['x '.repeat(a) + 'y '.repeat(b), ...Array<string>(gap).fill('z')]);
        const timesOf = (letter: string) =>
          docs.flatMap((text, doc) => {
            const count = text.split(letter).length - 1;
            return count > 0 ? [[doc, count]] : [];
          });
        const found = read(build(docs));
        for (const letter of ['x', 'y', 'z']) expect(found.get(letter) ?? []).toEqual(timesOf(letter));
      }),
      { numRuns: 60 },
    );
  });

  test('M13: text that waits while a volume is written is found in the next one, and the terms of the first are forgotten', () => {
    for (const count of [10, 150_000]) {
      const builder = new VolumeBuilder();
      addText(builder, [Array.from({ length: count }, (_, i) => `w${i}`).join(' ')]);
      const waits = builder.scan(['alpha w5 Beta w9 w5']);
      builder.endDocument({ id: 0n, time: 0, type: 0 });
      expect(read(builder.finish()).size).toBe(count);
      if (waits) builder.addSpan(waits);
      builder.addAttribute('all', '');
      builder.endDocument({ id: 1n, time: 0, type: 0 });
      const once = [[0, 1]];
      expect([...read(builder.finish())]).toEqual([
        ['\u0001all\u0001', once],
        ['alpha', once],
        ['beta', once],
        ['w5', [[0, 2]]],
        ['w9', once],
      ]);
      builder.forgetSpans();
      builder.finish();
      expect(builder.vocabulary).toBe(0);
    }
  });

  test('M13: nothing stays of a document that was not ended', () => {
    const builder = new VolumeBuilder();
    addText(builder, ['half of it']);
    builder.beginDocument();
    addText(builder, ['all of it']);
    builder.endDocument({ id: 0n, time: 0, type: 0 });
    const volume = builder.finish();
    expect([...read(volume).keys()]).toEqual(['all', 'it', 'of']);
    expect(volume.neighbours).toEqual(build(['all of it']).neighbours);
  });

  test('M13: terms stand in the order of their texts, whatever they are made of', () => {
    const words = fc.stringMatching(/^[aab0-9éß漢ぁ𝒜_#+Z]{1,12}$/u);
    fc.assert(
      fc.property(fc.array(words, { maxLength: 300 }), fc.array(fc.string({ unit: 'binary' })), (all, values) => {
        const builder = new VolumeBuilder();
        addText(builder, all);
        for (const value of values) builder.addAttribute('file', value);
        builder.endDocument({ id: 0n, time: 0, type: 0 });
        const terms = [...read(builder.finish()).keys()];
        expect(terms).toEqual([...new Set(terms)].sort((a, b) => (a < b ? -1 : 1)));
        expect(terms.filter((term) => !term.startsWith('\u0001'))).toEqual(
          [...new Set(wordsIn(all.join(' ')).map(({ term }) => term))].sort((a, b) => (a < b ? -1 : 1)),
        );
      }),
      { numRuns: 200 },
    );
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
    addText(builder, [words.join(' ')]);
    builder.endDocument({ id: 0n, time: null, type: 0 });
    const page = builder.finish().neighbours[0] as Uint8Array;
    const hashOf = (a: number, b: number) => neighbourHash(hashes[a] as number, 0, hashes[b] as number);
    const table = new TermTable();
    const hashes = words.map((word) => table.hash(table.addText(word)));
    const mayHave = (hash: number): boolean => {
      const dropped: number[] = [];
      new WantedNeighbours([hash]).dropIn(page, 0, 1, Uint32Array.of(0), 0, (doc) => dropped.push(doc));
      return dropped.length === 0;
    };
    for (let i = 1; i < words.length; i++) expect(mayHave(hashOf(i - 1, i))).toBe(true);
    let wrong = 0;
    for (let i = 2; i < words.length; i++) if (mayHave(hashOf(i, i - 2))) wrong++;
    expect(wrong).toBeLessThan(60);
  });
});
