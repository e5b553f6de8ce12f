import { attribute } from './attribute.ts';
import { PostingCollector } from './collect-postings.ts';
import { NeighbourWriter, neighbourHash } from './neighbours.ts';
import { NO_PLACE, TermScanner } from './scan-terms.ts';
import { sortTerms } from './sort-terms.ts';
import { FACTS, grown, TERM_MASK, TermTable } from './term-table.ts';
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

const MOST_TIMES = 0xffff;

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
  #neighbourWriter = new NeighbourWriter();
  #ids: bigint[] = [];
  #times: number[] = [];
  #lengths: number[] = [];
  #types: number[] = [];
  /** How many different terms the documents have, each by itself, together. */
  #termCount = 0;
  /** The different terms of the document that is open, and how often each stands there. */
  #terms = new Uint32Array(SCRATCH);
  #counts = new Uint16Array(SCRATCH);
  #count = 0;
  /** Its neighbours, and the hash of its last word. */
  #pairs = new Uint32Array(SCRATCH);
  #pairCount = 0;
  #before = 0;
  #hasBefore = false;
  #length = 0;

  /** So many documents were added. */
  get size(): number {
    return this.#ids.length;
  }

  /** So many terms its documents have. */
  get terms(): number {
    return this.#termCount;
  }

  /** So many different terms it knows; long ones count as several. */
  get vocabulary(): number {
    return Math.max(this.#table.size, Math.floor(this.#table.unitCount / USUAL_UNITS));
  }

  /** So many terms were scanned since spans were forgotten. */
  get waiting(): number {
    return this.#scanner.length;
  }

  /** `strip`: as `TermScanner` has it. */
  scan(texts: readonly string[], strip?: (text: string) => string): Span | null {
    const from = this.#scanner.length;
    for (const text of texts) this.#scanner.scan(text, strip);
    const to = this.#scanner.length;
    return to > from ? { from, to } : null;
  }

  /** What was added to a document that was not ended is forgotten. */
  beginDocument(): void {
    this.#termCount += this.#count;
    this.#count = 0;
    this.#pairCount = 0;
    this.#hasBefore = false;
    this.#length = 0;
  }

  /** To the document that is open: its different terms, each once, and what stands beside what. */
  addSpan({ from, to }: Span): void {
    const { codes } = this.#scanner;
    const { facts } = this.#table;
    this.#reserve(to - from);
    const [terms, counts, pairs, begin] = [this.#terms, this.#counts, this.#pairs, this.#termCount];
    let count = this.#count;
    let pairCount = this.#pairCount;
    let before = this.#before;
    let hasBefore = this.#hasBefore;
    for (let i = from; i < to; i++) {
      const code = codes[i] as number;
      const gap = code >>> 24;
      const term = code & TERM_MASK;
      if (gap !== NO_PLACE) {
        const hash = facts[FACTS * term] as number;
        if (hasBefore) pairs[pairCount++] = neighbourHash(before, gap, hash);
        hasBefore = true;
        before = hash;
      }
      // One more than the place, so that a term that was not seen yet is before every document.
      const at = (facts[FACTS * term + PLACE] as number) - 1 - begin;
      if (at >= 0) {
        if ((counts[at] as number) < MOST_TIMES) counts[at] = (counts[at] as number) + 1;
        continue;
      }
      terms[count] = term;
      counts[count] = 1;
      facts[FACTS * term + PLACE] = begin + ++count;
    }
    this.#count = count;
    this.#pairCount = pairCount;
    this.#before = before;
    this.#hasBefore = hasBefore;
    this.#length += to - from;
  }

  /** What filters look for. */
  addAttribute(name: string, value: string): void {
    const from = this.#scanner.length;
    const length = this.#length;
    this.#scanner.push(this.#termOf(name, value), NO_PLACE);
    this.addSpan({ from, to: from + 1 });
    this.#length = length;
    this.#scanner.length = from;
  }

  /** Ends the document that is open, and gives its number. */
  endDocument({ id, time, type }: Document): number {
    const doc = this.#ids.push(id) - 1;
    this.#times.push(time === null ? 0 : Math.max(0, Math.min(0xffffffff, Math.floor(time / 1000))));
    this.#lengths.push(lengthCode(this.#length));
    this.#types.push(type);
    this.#neighbourWriter.add(this.#pairs, this.#pairCount);
    this.#postings.add(doc, this.#terms, this.#counts, this.#count);
    this.beginDocument();
    return doc;
  }

  /** Spans from a place on were used, or will not be: their room is. */
  forgetSpans(from = 0): void {
    this.#scanner.forget(from);
    if (from === 0 && this.size === 0) this.#forgetTerms();
  }

  /** What was added so far; it begins anew afterwards. */
  finish(): Volume {
    const volume = {
      ids: BigInt64Array.from(this.#ids),
      times: Uint32Array.from(this.#times),
      lengths: Uint8Array.from(this.#lengths),
      types: Uint8Array.from(this.#types),
      ...this.#blocks(),
      neighbours: this.#neighbourWriter.finish(),
    };
    this.#forgetTerms();
    this.#postings.clear();
    this.#neighbourWriter = new NeighbourWriter();
    this.#termCount = 0;
    // One may have had a very long document.
    this.#pairs = new Uint32Array(SCRATCH);
    this.#ids = [];
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

  #termOf(name: string, value: string): number {
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

  /** Room for so many more terms of the document. */
  #reserve(more: number): void {
    const most = Math.min(this.#count + more, this.#table.size);
    if (most > this.#terms.length) {
      this.#terms = grown(this.#terms, Math.max(most, 2 * this.#terms.length));
      this.#counts = grown(this.#counts, this.#terms.length);
    }
    const pairs = this.#pairCount + more;
    if (pairs > this.#pairs.length) this.#pairs = grown(this.#pairs, Math.max(pairs, 2 * this.#pairs.length));
  }

  #blocks(): Pick<Volume, 'heads' | 'blocks'> {
    const writer = new BlockWriter();
    const { units, starts } = this.#table;
    for (const term of this.#sorted()) {
      this.#postings.copy(term, writer);
      writer.endUnits(units, starts[term] as number, starts[term + 1] as number);
    }
    return writer.finish();
  }

  /** The terms that documents have, in the order of their texts. */
  #sorted(): Uint32Array {
    const terms = new Uint32Array(this.#table.size);
    let count = 0;
    for (let term = 0; term < terms.length; term++) if (this.#postings.docCount(term) > 0) terms[count++] = term;
    const used = terms.subarray(0, count);
    sortTerms(used, this.#table);
    return used;
  }
}

/** In the table: where a term stands among those of the document that has it last. */
const PLACE = 1;
const SCRATCH = 1 << 12;
const USUAL_UNITS = 16;
