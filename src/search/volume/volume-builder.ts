import { secondOf } from '../score.ts';
import { attribute } from './attribute.ts';
import { grown } from './bytes.ts';
import { PostingCollector } from './collect-postings.ts';
import { NeighbourWriter, neighbourHash } from './neighbours.ts';
import { NO_PLACE, TermScanner } from './scan-terms.ts';
import { sortTerms } from './sort-terms.ts';
import { FACTS, TERM_MASK, TermTable } from './term-table.ts';
import type { TextBytes } from './text-bytes.ts';
import { lengthCode, type Volume } from './volume.ts';
import { BlockWriter } from './write-blocks.ts';

/** A piece of text that was scanned: from one place in the stream of terms to another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is kept of a message beside its terms. */
export interface Document {
  readonly id: bigint;
  readonly time: number | null;
  readonly type: number;
}

/**
 * Texts are scanned as they are read; which of them make up a message is known later. Then its spans and attributes are added one after
 * the other, and the document is ended.
 */
export class VolumeBuilder {
  readonly #table = new TermTable();
  readonly #scanner = new TermScanner(this.#table);
  readonly #postings = new PostingCollector(this.#table);
  /** By name and value: putting them together for every document would take longer than all its words. */
  readonly #attributes = new Map<string, Map<string, number>>();
  /** Terms of the document that is open which its attributes are: they are added together. */
  #attributeTerms = new Uint32Array(64);
  #attributeCount = 0;
  /** The same for all volumes: with new ones code would be compiled again. */
  readonly #neighbourWriter = new NeighbourWriter();
  readonly #blockWriter = new BlockWriter();
  /** Numbers of 64 bits are objects anywhere else. */
  #ids = new BigInt64Array(SCRATCH);
  #size = 0;
  #times: number[] = [];
  #lengths: number[] = [];
  #types: number[] = [];
  /** The neighbours in the document that is open, and the hash of its last word. */
  #pairs = new Uint32Array(SCRATCH);
  #pairCount = 0;
  #before = 0;
  /** 1: it has one. */
  #hasBefore = 0;
  #length = 0;

  /** So many documents were added. */
  get size(): number {
    return this.#size;
  }

  /** So many terms its documents have. */
  get terms(): number {
    return this.#postings.size;
  }

  /** So many different terms it knows; long ones count as several. */
  get vocabulary(): number {
    return Math.max(this.#table.size, Math.floor(this.#table.byteCount / USUAL_BYTES));
  }

  /** So many terms were scanned since spans were forgotten. */
  get waiting(): number {
    return this.#scanner.length;
  }

  /** Where the next span begins. */
  get mark(): number {
    return this.#scanner.length;
  }

  /** `strip` and `coded`: as `TermScanner` has them. */
  scan(texts: readonly string[], strip?: (text: string) => string, coded = false): Span | null {
    const from = this.#scanner.length;
    for (const text of texts) this.#scanner.scan(text, strip, coded);
    const to = this.#scanner.length;
    return to > from ? { from, to } : null;
  }

  /** A piece of a text that is bytes already: it is part of the next span. */
  scanPiece(text: TextBytes, isFirst: boolean): void {
    this.#scanner.scanPiece(text, isFirst);
  }

  /** What was added to a document that was not ended is forgotten. */
  beginDocument(): void {
    this.#postings.dropDocument();
    this.#attributeCount = 0;
    this.#pairCount = 0;
    this.#hasBefore = 0;
    this.#length = 0;
  }

  /** To the document that is open: its different terms, each once, and what stands beside what. */
  addSpan({ from, to }: Span): void {
    const { codes } = this.#scanner;
    const { facts } = this.#table;
    this.#postings.add(codes, from, to);
    // One more than there are: what counts is only known when it was put there, as a processor that guessed wrong loses more time.
    this.#reserve(to - from + 1);
    const pairs = this.#pairs;
    let pairCount = this.#pairCount;
    let before = this.#before;
    let hasBefore = this.#hasBefore;
    for (let i = from; i < to; i++) {
      const code = codes[i] as number;
      const gap = code >>> 24;
      const hash = facts[FACTS * (code & TERM_MASK)] as number;
      const isPlaced = (gap - NO_PLACE) >>> 31;
      pairs[pairCount] = neighbourHash(before, gap, hash);
      pairCount += isPlaced & hasBefore;
      hasBefore |= isPlaced;
      before ^= (before ^ hash) & -isPlaced;
    }
    this.#pairCount = pairCount;
    this.#before = before;
    this.#hasBefore = hasBefore;
    this.#length += to - from;
  }

  /** What filters look for. */
  addAttribute(name: string, value: string): void {
    this.addTerm(this.termOf(name, value));
  }

  addTerm(term: number): void {
    const count = this.#attributeCount++;
    if (count === this.#attributeTerms.length) this.#attributeTerms = grown(this.#attributeTerms, 2 * count);
    this.#attributeTerms[count] = term;
  }

  /** The number of the term that an attribute is. It holds until spans are forgotten or the volume is finished. */
  termOf(name: string, value: string): number {
    let values = this.#attributes.get(name);
    if (!values) {
      values = new Map();
      this.#attributes.set(name, values);
    }
    let term = values.get(value);
    if (term === undefined) {
      term = this.#table.addText(attribute(name, value));
      values.set(value, term);
    }
    return term;
  }

  /** Ends the document that is open, and gives its number. */
  endDocument({ id, time, type }: Document): number {
    const doc = this.#size++;
    if (doc === this.#ids.length) this.#ids = grown(this.#ids, 2 * doc);
    this.#ids[doc] = id;
    this.#times.push(secondOf(time));
    this.#lengths.push(lengthCode(this.#length));
    this.#types.push(type);
    this.#neighbourWriter.add(this.#pairs, this.#pairCount);
    this.#postings.add(this.#attributeTerms, 0, this.#attributeCount);
    this.#postings.endDocument();
    this.beginDocument();
    return doc;
  }

  /** Spans from a mark on were used, or will not be: their room is. */
  forgetSpans(from = 0): void {
    this.#scanner.forget(from);
    if (from === 0 && this.size === 0) this.#forgetTerms();
  }

  /** What was added so far; it begins anew afterwards. */
  finish(): Volume {
    const volume = {
      ids: this.#ids.slice(0, this.#size),
      times: Uint32Array.from(this.#times),
      lengths: Uint8Array.from(this.#lengths),
      types: Uint8Array.from(this.#types),
      ...this.#blocks(),
      neighbours: this.#neighbourWriter.finish(),
    };
    this.#forgetTerms();
    // One may have had a very long document.
    if (this.#pairs.length > SCRATCH) this.#pairs = new Uint32Array(SCRATCH);
    if (this.#ids.length > SCRATCH) this.#ids = new BigInt64Array(SCRATCH);
    this.#size = 0;
    this.#times = [];
    this.#lengths = [];
    this.#types = [];
    return volume;
  }

  /** But those that spans name which wait. */
  #forgetTerms(): void {
    this.#table.forget(this.#scanner.codes, this.#scanner.length);
    this.#attributes.clear();
  }

  /** Room for so many more neighbours. */
  #reserve(more: number): void {
    const pairs = this.#pairCount + more;
    if (pairs > this.#pairs.length) this.#pairs = grown(this.#pairs, Math.max(pairs, 2 * this.#pairs.length));
  }

  #blocks(): Pick<Volume, 'heads' | 'blocks'> {
    this.#postings.finish(this.#blockWriter, (terms) => sortTerms(terms, this.#table));
    return this.#blockWriter.finish();
  }
}

const SCRATCH = 1 << 12;
const USUAL_BYTES = 16;
