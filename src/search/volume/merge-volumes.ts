import { grown } from './bytes.ts';
import { filtersOf, NeighbourWriter } from './neighbours.ts';
import { type Entry, eachEntry, postingsOf, type Terms } from './read-blocks.ts';

import { PAGE_DOCS, type Volume } from './volume.ts';
import { BlockWriter, MOST_TIMES, TIMES_BITS } from './write-blocks.ts';

/** A volume as it is kept. */
export interface KeptVolume extends Terms, Pick<Volume, 'ids' | 'times' | 'lengths' | 'types'> {
  neighbours(page: number): Uint8Array;
  /** Documents that are no message any more. */
  readonly dead: ReadonlySet<number>;
}

/** One volume with what is alive in several, in their order. */
export function mergeVolumes(volumes: readonly KeptVolume[]): Volume {
  const alive = volumes.map(numberAnew);
  const pick = <Numbers extends Iterable<number | bigint>>(of: (volume: KeptVolume) => Numbers): (number | bigint)[] =>
    volumes.flatMap((volume) => [...of(volume)].filter((_, doc) => !volume.dead.has(doc)));
  const writer = new BlockWriter();
  let all = new Uint32Array(1 << 10);
  for (const { text, entries } of inOrder(volumes)) {
    let count = 0;
    for (const { entry, volume } of entries) {
      const { numbers, first } = alive.at(volume) as Renumbered;
      const { docs, times } = postingsOf(entry);
      for (let i = 0; i < docs.length; i++) {
        const number = numbers ? (numbers[docs[i] as number] as number) : (docs[i] as number);
        if (number < 0) continue;
        for (let left = times[i] as number; left > 0; left -= MOST_TIMES) {
          if (count === all.length) all = grown(all, 2 * count);
          all[count++] = ((first + number) << TIMES_BITS) | Math.min(left, MOST_TIMES);
        }
      }
    }
    if (count === 0) continue;
    writer.addDocs(all, 0, count);
    writer.endTerm(text);
  }
  return {
    ids: BigInt64Array.from(pick(({ ids }) => ids) as bigint[]),
    times: Uint32Array.from(pick(({ times }) => times) as number[]),
    lengths: Uint8Array.from(pick(({ lengths }) => lengths) as number[]),
    types: Uint8Array.from(pick(({ types }) => types) as number[]),
    ...writer.finish(),
    neighbours: mergeNeighbours(volumes),
  };
}

interface Renumbered {
  /** Where its documents begin in the new volume. */
  readonly first: number;
  /** The number of each among the living, -1 for the dead; null: all live. */
  readonly numbers: Int32Array | null;
}

function numberAnew(volume: KeptVolume, index: number, volumes: readonly KeptVolume[]): Renumbered {
  let first = 0;
  for (const { ids, dead } of volumes.slice(0, index)) first += ids.length - dead.size;
  if (volume.dead.size === 0) return { first, numbers: null };
  let next = 0;
  return { first, numbers: Int32Array.from(volume.ids, (_, doc) => (volume.dead.has(doc) ? -1 : next++)) };
}

/** Every term once, with the volumes that have it. */
function* inOrder(volumes: readonly Terms[]): Generator<{ text: string; entries: { entry: Entry; volume: number }[] }> {
  const walks = volumes.map((volume) => eachEntry(volume));
  const next = walks.map((walk) => walk.next());
  for (;;) {
    let text: string | null = null;
    for (const { done, value } of next) if (!done && (text === null || value.text < text)) text = value.text;
    if (text === null) return;
    const entries: { entry: Entry; volume: number }[] = [];
    next.forEach(({ done, value }, volume) => {
      if (done || value.text !== text) return;
      entries.push({ entry: value, volume });
      next[volume] = (walks[volume] as Generator<Entry>).next();
    });
    yield { text, entries };
  }
}

function mergeNeighbours(volumes: readonly KeptVolume[]): readonly Uint8Array[] {
  const writer = new NeighbourWriter();
  for (const volume of volumes) {
    for (let first = 0; first < volume.ids.length; first += PAGE_DOCS) {
      const docs = Math.min(PAGE_DOCS, volume.ids.length - first);
      filtersOf(volume.neighbours(first / PAGE_DOCS), docs).forEach((filter, i) => {
        if (!volume.dead.has(first + i)) writer.addFilter(filter);
      });
    }
  }
  return writer.finish();
}
