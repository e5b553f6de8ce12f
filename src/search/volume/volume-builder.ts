import { attribute } from './attribute.ts';
import { NeighbourWriter, neighbourHash } from './neighbours.ts';
import { NO_PLACE, TermScanner } from './scan-terms.ts';
import { sortTerms } from './sort-terms.ts';
import { grown, TermTable } from './term-table.ts';
import { lengthCode, type Volume } from './volume.ts';
import { BlockWriter } from './write-blocks.ts';

/** A piece of text that was scanned: from one place in the stream of terms to another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Document {
  readonly id: bigint;
  readonly time: number | null;
  readonly type: number;
  readonly spans: readonly Span[];
  /** Names and values, in turn: what filters look for. */
  readonly attributes: readonly string[];
}

const MOST_TIMES = 0xffff;

/** Texts are scanned as they are read; which of them make up a message is known later. */
export class VolumeBuilder {
  readonly #table = new TermTable();
  readonly #scanner = new TermScanner(this.#table);
  /** By name and value: putting them together for every document would take longer than all its words. */
  readonly #attributes = new Map<string, Map<string, number>>();
  #neighbourWriter = new NeighbourWriter();
  #ids: bigint[] = [];
  #times: number[] = [];
  #lengths: number[] = [];
  #types: number[] = [];
  /** The different terms of all documents, one document after the other, and how often each stands there. */
  #terms = new Uint32Array(1 << 14);
  #counts = new Uint16Array(1 << 14);
  #termCount = 0;
  /** How many of them there are up to the end of each document. */
  #ends: number[] = [];
  /** Of the neighbours in a document. */
  #hashes = new Uint32Array(1 << 10);

  /** So many documents were added. */
  get size(): number {
    return this.#ids.length;
  }

  /** So many terms its documents have. */
  get terms(): number {
    return this.#termCount;
  }

  /** So many different terms it knows. */
  get vocabulary(): number {
    return this.#table.size;
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

  /** Gives its number. */
  add({ id, time, type, spans, attributes }: Document): number {
    const begin = this.#termCount;
    let length = 0;
    for (const { from, to } of spans) length += to - from;
    const pairs = this.#gather(spans, length, begin);
    this.#neighbourWriter.add(this.#hashes, pairs);
    const from = this.#scanner.length;
    for (let i = 0; i + 1 < attributes.length; i += 2)
      this.#scanner.push(this.#termOf(attributes[i] as string, attributes[i + 1] as string), NO_PLACE);
    this.#gather([{ from, to: this.#scanner.length }], this.#scanner.length - from, begin);
    this.#scanner.length = from;
    this.#ends.push(this.#termCount);
    this.#times.push(time === null ? 0 : Math.max(0, Math.min(0xffffffff, Math.floor(time / 1000))));
    this.#lengths.push(lengthCode(length));
    this.#types.push(type);
    return this.#ids.push(id) - 1;
  }

  /** Spans from a place on were used, or will not be: their room is. */
  forgetSpans(from = 0): void {
    this.#scanner.length = from;
  }

  /** What was added so far; it begins anew afterwards. */
  finish(): Volume {
    const volume = {
      ids: BigInt64Array.from(this.#ids),
      times: Uint32Array.from(this.#times),
      lengths: Uint8Array.from(this.#lengths),
      types: Uint8Array.from(this.#types),
      ...this.#invert(),
      neighbours: this.#neighbourWriter.finish(),
    };
    // Spans that wait name terms by their numbers.
    if (this.#scanner.length === 0) {
      this.#table.clear();
      this.#attributes.clear();
    } else this.#table.forgetFacts();
    this.#neighbourWriter = new NeighbourWriter();
    this.#termCount = 0;
    this.#ids = [];
    this.#times = [];
    this.#lengths = [];
    this.#types = [];
    this.#ends = [];
    return volume;
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

  /** The different terms of spans, each once, and what stands beside what. `begin`: where the terms of the document begin. */
  #gather(spans: readonly Span[], length: number, begin: number): number {
    const { codes } = this.#scanner;
    const { facts } = this.#table;
    while (this.#termCount + length > this.#terms.length) {
      this.#terms = grown(this.#terms, this.#terms.length * 2);
      this.#counts = grown(this.#counts, this.#terms.length);
    }
    if (length > this.#hashes.length) this.#hashes = new Uint32Array(length * 2);
    const [terms, counts, hashes] = [this.#terms, this.#counts, this.#hashes];
    let count = this.#termCount;
    let pairs = 0;
    let before = 0;
    let isFirst = true;
    for (const { from, to } of spans) {
      for (let i = from; i < to; i++) {
        const code = codes[i] as number;
        const gap = code >>> 24;
        const term = code & 0xffffff;
        if (gap !== NO_PLACE) {
          const hash = facts[2 * term] as number;
          if (!isFirst) hashes[pairs++] = neighbourHash(before, gap, hash);
          isFirst = false;
          before = hash;
        }
        // One more than the place, so that a term that was not seen yet is before every document.
        const at = (facts[2 * term + 1] as number) - 1;
        if (at >= begin) {
          if ((counts[at] as number) < MOST_TIMES) counts[at] = (counts[at] as number) + 1;
          continue;
        }
        terms[count] = term;
        counts[count] = 1;
        facts[2 * term + 1] = ++count;
      }
    }
    this.#termCount = count;
    return pairs;
  }

  /** From "which terms has a document" to "which documents has a term": put in place by their numbers. */
  #invert(): Pick<Volume, 'heads' | 'blocks'> {
    const size = this.#table.size;
    const starts = new Uint32Array(size + 1);
    for (let i = 0; i < this.#termCount; i++) {
      const term = this.#terms[i] as number;
      starts[term] = (starts[term] as number) + 1;
    }
    let sum = 0;
    for (let term = 0; term <= size; term++) {
      const count = starts[term] as number;
      starts[term] = sum;
      sum += count;
    }
    const next = starts.slice(0, -1);
    const docs = new Uint32Array(this.#termCount);
    const times = new Uint16Array(this.#termCount);
    let at = 0;
    for (let doc = 0; doc < this.#ends.length; doc++) {
      for (const end = this.#ends[doc] as number; at < end; at++) {
        const term = this.#terms[at] as number;
        const place = next[term] as number;
        next[term] = place + 1;
        docs[place] = doc;
        times[place] = this.#counts[at] as number;
      }
    }
    const writer = new BlockWriter();
    const table = this.#table;
    for (const term of this.#sorted(starts)) {
      writer.addDocs(docs, times, starts[term] as number, starts[term + 1] as number);
      writer.endUnits(table.units, table.starts[term] as number, table.starts[term + 1] as number);
    }
    return writer.finish();
  }

  #sorted(starts: Uint32Array): Uint32Array {
    const terms = new Uint32Array(this.#table.size);
    let count = 0;
    for (let term = 0; term < terms.length; term++)
      if ((starts[term + 1] as number) > (starts[term] as number)) terms[count++] = term;
    const used = terms.subarray(0, count);
    sortTerms(used, this.#table);
    return used;
  }
}
