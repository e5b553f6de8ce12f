import { attributeName } from './attribute.ts';
import { addBits, type Bits, clearBit, docsIn, dropBits, isEmpty, keepBits, type Scratch, setBit } from './bits.ts';
import type { KeptVolume } from './merge-volumes.ts';
import { WantedNeighbours } from './neighbours.ts';
import type { Leaf, Plan } from './plan.ts';
import { addTimes, findPrefix, findTerm, markDocs } from './read-blocks.ts';
import { PAGE_DOCS } from './volume.ts';
import type { Postings } from './walk-block.ts';

export interface NumberedVolume extends KeptVolume {
  readonly number: number;
  readonly size: number;
  /** Of its documents those that are messages. */
  readonly alive: Bits;
}

/** What a query finds in one volume. */
export class VolumeMatch {
  readonly #volume: NumberedVolume;
  readonly #scratch: Scratch;
  readonly #found = new Map<Leaf, LeafPostings | null>();

  /** What it finds is good until `scratch` is cleared. */
  constructor(volume: NumberedVolume, scratch: Scratch) {
    this.#volume = volume;
    this.#scratch = scratch;
  }

  /** Those documents among some that a plan finds: what follows need not look at others. */
  match(plan: Plan, among: Bits): Bits {
    const { size, number, times } = this.#volume;
    switch (plan.as) {
      case 'and': {
        let found = among;
        for (const each of dearLast(plan.of)) {
          if (isEmpty(found)) break;
          found = this.match(each, found);
        }
        return found;
      }
      case 'or':
        return plan.of.reduce((found, each) => addBits(found, this.match(each, among)), this.#noBits());
      case 'not':
        return dropBits(addBits(this.#noBits(), among), this.match(plan.of, among));
      case 'leaf':
        return this.#matchLeaf(plan, among);
      case 'attribute':
        return keepBits(this.#matchAttribute(plan), among);
      case 'time': {
        const found = this.#noBits();
        for (let doc = 0; doc < size; doc++) {
          const time = times[doc] as number;
          if (time >= plan.from && time < plan.to) setBit(found, doc);
        }
        return keepBits(found, among);
      }
      case 'docs': {
        const found = this.#noBits();
        for (const doc of plan.of(number)) setBit(found, doc);
        return keepBits(found, among);
      }
    }
  }

  /** Adds how often a leaf stands in documents; see `addTimes`. */
  count(leaf: Leaf, slots: Uint32Array, counts: Uint32Array): void {
    const postings = this.#postings(leaf);
    for (const each of [...(postings?.terms ?? []), ...(postings?.begun ?? [])]) addTimes(each, slots, counts);
  }

  #matchLeaf(leaf: Leaf, among: Bits): Bits {
    const postings = this.#postings(leaf);
    const found = this.#noBits();
    if (!postings) return found;
    const { terms, begun } = postings;
    for (const each of begun ?? terms.slice(0, 1)) markDocs(each, found);
    for (const each of begun ? terms : terms.slice(1)) {
      const other = this.#noBits();
      markDocs(each, other);
      keepBits(found, other);
    }
    keepBits(found, among);
    if (leaf.neighbours.length > 0) this.#dropApart(found, leaf.neighbours);
    return found;
  }

  #noBits(): Bits {
    return this.#scratch.bits(this.#volume.size);
  }

  /** Null: there is nothing of it here. */
  #postings(leaf: Leaf): LeafPostings | null {
    const known = this.#found.get(leaf);
    if (known !== undefined) return known;
    const found = findLeaf(leaf, this.#volume);
    this.#found.set(leaf, found);
    return found;
  }

  /** Documents that have all words, but not beside each other. */
  #dropApart(found: Bits, neighbours: readonly number[]): void {
    const { size } = this.#volume;
    const wanted = new WantedNeighbours(neighbours);
    const docs = docsIn(found, this.#scratch);
    for (let at = 0; at < docs.length; ) {
      const number = Math.floor((docs[at] as number) / PAGE_DOCS);
      const first = number * PAGE_DOCS;
      const page = this.#volume.neighbours(number);
      at = wanted.dropIn(page, first, Math.min(PAGE_DOCS, size - first), docs, at, (doc) => clearBit(found, doc));
    }
  }

  #matchAttribute({ name, accepts, piece = '' }: Extract<Plan, { as: 'attribute' }>): Bits {
    const found = this.#noBits();
    const beginning = attributeName(name);
    const bytes = new TextEncoder().encode(piece);
    for (const walk of findPrefix(this.#volume, beginning))
      if (walk.mayHave(bytes, beginning.length) && accepts(walk.text.slice(beginning.length)))
        markDocs(walk.postings, found);
    return found;
  }
}

interface LeafPostings {
  /** Of all its terms. */
  readonly terms: readonly Postings[];
  /** Of those that begin with its prefix; null: it has none. */
  readonly begun: readonly Postings[] | null;
}

function findLeaf({ terms, prefix }: Leaf, volume: NumberedVolume): LeafPostings | null {
  const found: Postings[] = [];
  for (const term of terms) {
    const own = findTerm(volume, term);
    if (!own) return null;
    found.push(own);
  }
  if (prefix === null) return found.length > 0 ? { terms: found, begun: null } : null;
  const begun = Array.from(findPrefix(volume, prefix), ({ postings }) => postings);
  return begun.length > 0 ? { terms: found, begun } : null;
}

/** What asks for neighbours reads much of every document that is left. */
const dearLast = (plans: readonly Plan[]): readonly Plan[] =>
  plans.toSorted((a, b) => Number(asksNeighbours(a)) - Number(asksNeighbours(b)));

function asksNeighbours(plan: Plan): boolean {
  if (plan.as === 'and' || plan.as === 'or') return plan.of.some(asksNeighbours);
  if (plan.as === 'not') return asksNeighbours(plan.of);
  return plan.as === 'leaf' && plan.neighbours.length > 0;
}
