import { attributeName } from './attribute.ts';
import type { KeptVolume } from './merge-volumes.ts';
import { NeighbourPage } from './neighbours.ts';
import type { Leaf, Plan } from './plan.ts';
import { type Entry, findPrefix, findTerm, type Postings, postingsOf } from './read-blocks.ts';
import { PAGE_DOCS } from './volume.ts';

export interface NumberedVolume extends KeptVolume {
  readonly number: number;
  readonly size: number;
}

/** What a leaf found in a volume, for ranking. */
export type Evidence = Map<Leaf, readonly Postings[]>;

/** For each document 1 or 0. The dead are among them. */
export function matchVolume(plan: Plan, volume: NumberedVolume, evidence: Evidence): Uint8Array {
  const mask = (of: Plan): Uint8Array => matchVolume(of, volume, evidence);
  switch (plan.as) {
    case 'and':
      return combine(plan.of.map(mask), new Uint8Array(volume.size).fill(1), (a, b) => a & b);
    case 'or':
      return combine(plan.of.map(mask), new Uint8Array(volume.size), (a, b) => a | b);
    case 'not': {
      // What must not be there says nothing about rank.
      const found = matchVolume(plan.of, volume, new Map());
      return found.map((each) => 1 - each);
    }
    case 'leaf':
      return matchLeaf(plan, volume, evidence);
    case 'attribute':
      return matchAttribute(plan, volume);
    case 'time':
      return Uint8Array.from(volume.times, (time) => (time >= plan.from && time < plan.to ? 1 : 0));
    case 'docs': {
      const found = new Uint8Array(volume.size);
      for (const doc of plan.of(volume.number)) found[doc] = 1;
      return found;
    }
  }
}

function combine(masks: readonly Uint8Array[], start: Uint8Array, join: (a: number, b: number) => number): Uint8Array {
  for (const mask of masks)
    for (let i = 0; i < start.length; i++) start[i] = join(start[i] as number, mask[i] as number);
  return start;
}

function matchLeaf(leaf: Leaf, volume: NumberedVolume, evidence: Evidence): Uint8Array {
  const found = new Uint8Array(volume.size);
  const postings: Postings[] = [];
  for (const term of leaf.terms) {
    const own = findTerm(volume, term);
    if (!own) return found;
    postings.push(own);
  }
  const begun = leaf.prefix === null ? null : together(findPrefix(volume, leaf.prefix), volume.size);
  if (begun) {
    if (begun.docs.length === 0) return found;
    for (let i = 0; i < begun.docs.length; i++) found[begun.docs[i] as number] = 1;
  }
  const [only] = postings;
  if (only && postings.length === 1 && leaf.prefix === null)
    for (let i = 0; i < only.docs.length; i++) found[only.docs[i] as number] = 1;
  else keepAll(found, postings, leaf.prefix === null ? 0 : 1);
  if (leaf.neighbours.length > 0) dropApart(found, leaf.neighbours, volume);
  evidence.set(leaf, begun ? [...postings, begun] : postings);
  return found;
}

/** Many terms as if they were one. */
function together(entries: Iterable<Pick<Entry, 'docCount' | 'bytes'>>, size: number): Postings {
  const counts = new Uint32Array(size);
  for (const entry of entries) {
    const { docs, times } = postingsOf(entry);
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      counts[doc] = (counts[doc] as number) + (times[i] as number);
    }
  }
  let found = 0;
  for (let doc = 0; doc < size; doc++) if (counts[doc] !== 0) found++;
  const [docs, times] = [new Uint32Array(found), new Uint16Array(found)];
  for (let doc = 0, at = 0; doc < size; doc++) {
    if (counts[doc] === 0) continue;
    docs[at] = doc;
    times[at++] = Math.min(0xffff, counts[doc] as number);
  }
  return { docs, times };
}

/** Of documents that were counted `before` times those that have all terms. */
function keepAll(found: Uint8Array, postings: readonly Postings[], before: number): void {
  for (const { docs } of postings)
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      found[doc] = (found[doc] as number) + 1;
    }
  const all = before + postings.length;
  for (let i = 0; i < found.length; i++) found[i] = all > 0 && found[i] === all ? 1 : 0;
}

/** Documents that have all words, but not beside each other. */
function dropApart(found: Uint8Array, neighbours: readonly number[], volume: NumberedVolume): void {
  for (let first = 0; first < found.length; first += PAGE_DOCS) {
    const docs = Math.min(PAGE_DOCS, found.length - first);
    let page: NeighbourPage | null = null;
    for (let i = 0; i < docs; i++) {
      if (found[first + i] === 0) continue;
      page ??= new NeighbourPage(volume.neighbours(first / PAGE_DOCS), docs);
      if (!page.mayHave(i, neighbours)) found[first + i] = 0;
    }
  }
}

function matchAttribute(
  { name, accepts }: { readonly name: string; readonly accepts: (value: string) => boolean },
  volume: NumberedVolume,
): Uint8Array {
  const found = new Uint8Array(volume.size);
  const beginning = attributeName(name);
  for (const entry of findPrefix(volume, beginning)) {
    if (!accepts(entry.text.slice(beginning.length))) continue;
    const { docs } = postingsOf(entry);
    for (let i = 0; i < docs.length; i++) found[docs[i] as number] = 1;
  }
  return found;
}
