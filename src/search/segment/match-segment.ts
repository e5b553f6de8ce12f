import { attributeName } from './attribute.ts';
import type { KeptSegment } from './merge-segments.ts';
import { PairPage } from './pairs.ts';
import type { Leaf, Plan } from './plan.ts';
import { findPrefix, findTerm, type Postings, postingsOf } from './read-blocks.ts';
import { PAGE_DOCS } from './segment.ts';

export interface NumberedSegment extends KeptSegment {
  readonly number: number;
  readonly size: number;
}

/** What a leaf found in a segment, for ranking. */
export type Evidence = Map<Leaf, readonly Postings[]>;

/** For each document 1 or 0. The dead are among them. */
export function matchSegment(plan: Plan, segment: NumberedSegment, evidence: Evidence): Uint8Array {
  const mask = (of: Plan): Uint8Array => matchSegment(of, segment, evidence);
  switch (plan.as) {
    case 'and':
      return combine(plan.of.map(mask), new Uint8Array(segment.size).fill(1), (a, b) => a & b);
    case 'or':
      return combine(plan.of.map(mask), new Uint8Array(segment.size), (a, b) => a | b);
    case 'not': {
      // What must not be there says nothing about rank.
      const found = matchSegment(plan.of, segment, new Map());
      return found.map((each) => 1 - each);
    }
    case 'leaf':
      return matchLeaf(plan, segment, evidence);
    case 'attribute':
      return matchAttribute(plan, segment);
    case 'time':
      return Uint8Array.from(segment.times, (time) => (time >= plan.from && time < plan.to ? 1 : 0));
    case 'docs': {
      const found = new Uint8Array(segment.size);
      for (const doc of plan.of(segment.number)) found[doc] = 1;
      return found;
    }
  }
}

function combine(masks: readonly Uint8Array[], start: Uint8Array, join: (a: number, b: number) => number): Uint8Array {
  for (const mask of masks)
    for (let i = 0; i < start.length; i++) start[i] = join(start[i] as number, mask[i] as number);
  return start;
}

function matchLeaf(leaf: Leaf, segment: NumberedSegment, evidence: Evidence): Uint8Array {
  const found = new Uint8Array(segment.size);
  const entries = leaf.terms.map((term) => findTerm(segment, term));
  if (entries.some((entry) => entry === null)) return found;
  const postings = entries.flatMap((entry) => (entry ? [postingsOf(entry)] : []));
  const begun = leaf.prefix === null ? [] : [...findPrefix(segment, leaf.prefix)].map(postingsOf);
  if (leaf.prefix !== null) {
    if (begun.length === 0) return found;
    for (const { docs } of begun) for (let i = 0; i < docs.length; i++) found[docs[i] as number] = 1;
  }
  const all = postings.length + (leaf.prefix === null ? 0 : 1);
  for (const { docs } of postings)
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      found[doc] = (found[doc] as number) + 1;
    }
  for (let i = 0; i < found.length; i++) found[i] = all > 0 && found[i] === all ? 1 : 0;
  if (leaf.pairs.length > 0) dropUnpaired(found, leaf.pairs, segment);
  evidence.set(leaf, [...postings, ...begun]);
  return found;
}

/** Documents that have all words, but not beside each other. */
function dropUnpaired(found: Uint8Array, pairs: readonly number[], segment: NumberedSegment): void {
  for (let first = 0; first < found.length; first += PAGE_DOCS) {
    const docs = Math.min(PAGE_DOCS, found.length - first);
    let page: PairPage | null = null;
    for (let i = 0; i < docs; i++) {
      if (found[first + i] === 0) continue;
      page ??= new PairPage(segment.pairs(first / PAGE_DOCS), docs);
      if (!page.mayHave(i, pairs)) found[first + i] = 0;
    }
  }
}

function matchAttribute(
  { name, accepts }: { readonly name: string; readonly accepts: (value: string) => boolean },
  segment: NumberedSegment,
): Uint8Array {
  const found = new Uint8Array(segment.size);
  const beginning = attributeName(name);
  for (const entry of findPrefix(segment, beginning)) {
    if (!accepts(entry.text.slice(beginning.length))) continue;
    const { docs } = postingsOf(entry);
    for (let i = 0; i < docs.length; i++) found[docs[i] as number] = 1;
  }
  return found;
}
