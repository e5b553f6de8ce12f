import { BEHIND, type Document, pieceBytes, pieceEnd, putPiece, putText, type TermSpan } from '../search/index.ts';
import type { AttributeSet } from './attribute-sets.ts';
import type { VolumeMaker } from './text-docs.ts';
import {
  ID_BYTES,
  NUMBER_BYTES,
  type PipeEnd,
  PipeSign,
  PipeState,
  SLOT_BYTES,
  SLOTS,
  waitForRoom,
} from './text-pipe.ts';

/** Of usual text: a term and what stands behind it. */
const TERM_BYTES = 6;
const ESCAPE = '\u001b';

/** Volumes that another thread makes and writes. This one waits when it is so far ahead that no slot is free. */
export class SentVolume implements VolumeMaker {
  readonly #pipe: PipeEnd;
  readonly #state: Int32Array;
  readonly #slots: Uint8Array;
  /** The slot that is being filled, or what is larger than one: where it begins and ends, and how far it is filled. */
  #bytes: Uint8Array;
  #view: DataView;
  #begin = 0;
  #at = 0;
  #end = SLOT_BYTES;
  #sent = 0;
  #ended = 0;
  #size = 0;
  /** So many bytes of text went there up to the end of each span that waits. */
  readonly #spans: number[] = [];
  readonly #attributes = new Map<string, Map<string, number>>();
  #attributeCount = 0;
  #setCount = 0;

  constructor(pipe: PipeEnd) {
    this.#pipe = pipe;
    this.#state = new Int32Array(pipe.state);
    this.#slots = new Uint8Array(pipe.slots);
    this.#bytes = this.#slots;
    this.#view = new DataView(pipe.slots);
  }

  get size(): number {
    return this.#size;
  }

  get terms(): number {
    return this.#told(PipeState.terms);
  }

  get vocabulary(): number {
    return this.#told(PipeState.vocabulary);
  }

  get waiting(): number {
    return Math.ceil((this.#spans.at(-1) ?? 0) / TERM_BYTES);
  }

  get mark(): number {
    return this.#spans.length;
  }

  scan(texts: readonly string[], strip?: (text: string) => string, coded = false): TermSpan | null {
    const before = this.#spans.at(-1) ?? 0;
    let size = before;
    for (const text of texts) size += this.#text(strip && text.includes(ESCAPE) ? strip(text) : text, coded);
    if (size === before) return null;
    this.#sign(PipeSign.endSpan, 0);
    const from = this.#spans.length;
    return { from, to: this.#spans.push(size) };
  }

  beginDocument(): void {
    this.#sign(PipeSign.beginDocument, 0);
  }

  addSpan({ from }: TermSpan): void {
    this.#sign(PipeSign.addSpan, NUMBER_BYTES);
    this.#number(from);
  }

  addAttribute(name: string, value: string): void {
    const number = this.#attributeOf(name, value);
    this.#sign(PipeSign.addAttribute, NUMBER_BYTES);
    this.#number(number);
  }

  addAttributes(set: AttributeSet): void {
    if (set.volume !== this.#ended) this.#name(set);
    this.#sign(PipeSign.addAttributes, NUMBER_BYTES);
    this.#number(set.number);
  }

  endDocument({ id, time, type }: Document): number {
    this.#sign(PipeSign.endDocument, 2 * ID_BYTES + NUMBER_BYTES);
    this.#view.setBigInt64(this.#at, id);
    this.#view.setFloat64(this.#at + ID_BYTES, time ?? Number.NaN);
    this.#at += 2 * ID_BYTES;
    this.#number(type);
    return this.#size++;
  }

  forgetSpans(from = 0): void {
    if (from > 0 && from === this.#spans.length) return;
    this.#sign(PipeSign.forgetSpans, NUMBER_BYTES);
    this.#number(from);
    this.#spans.length = from;
  }

  end(number: number, completes: readonly string[]): null {
    const room = completes.reduce((sum, key) => sum + textRoom(key), 0);
    this.#sign(PipeSign.endVolume, 2 * NUMBER_BYTES + room);
    this.#number(number);
    this.#number(completes.length);
    for (const key of completes) this.#sized(putText, key);
    this.#ended++;
    this.#size = 0;
    this.#attributes.clear();
    this.#attributeCount = 0;
    this.#setCount = 0;
    this.#send();
    return null;
  }

  /** Nothing more comes. */
  close(): void {
    this.#send();
    this.#pipe.port.postMessage('over');
  }

  /** What the other thread tells of the volume; nothing as long as it has not begun it. */
  #told(what: number): number {
    return Atomics.load(this.#state, PipeState.ended) === this.#ended ? Atomics.load(this.#state, what) : 0;
  }

  /** Gives how many bytes it has. */
  #text(text: string, coded: boolean): number {
    let size = 0;
    for (let from = 0; from < text.length; ) {
      const to = pieceEnd(text, from, coded);
      this.#sign(from === 0 ? PipeSign.firstPiece : PipeSign.piece, NUMBER_BYTES + pieceBytes(to - from, coded));
      size += this.#sized(putPiece, to - from === text.length ? text : text.slice(from, to), coded);
      this.#at += BEHIND;
      from = to;
    }
    return size;
  }

  #attributeOf(name: string, value: string): number {
    let values = this.#attributes.get(name);
    if (!values) {
      values = new Map();
      this.#attributes.set(name, values);
    }
    let number = values.get(value);
    if (number === undefined) {
      number = this.#attributeCount++;
      values.set(value, number);
      this.#sign(PipeSign.name, textRoom(name) + textRoom(value));
      this.#sized(putText, name);
      this.#sized(putText, value);
    }
    return number;
  }

  #name(set: AttributeSet): void {
    const numbers = set.attributes.map(([name, value]) => this.#attributeOf(name, value));
    this.#sign(PipeSign.nameSet, (1 + numbers.length) * NUMBER_BYTES);
    this.#number(numbers.length);
    for (const number of numbers) this.#number(number);
    set.number = this.#setCount++;
    set.volume = this.#ended;
  }

  /** Begins something that takes so many bytes more at most: it lies in one slot. */
  #sign(sign: number, room: number): void {
    if (this.#at + 1 + room > this.#end) this.#send();
    if (this.#at + 1 + room > this.#end) this.#use(new Uint8Array(1 + room), 0, 1 + room);
    this.#bytes[this.#at++] = sign;
  }

  #number(value: number): void {
    this.#view.setUint32(this.#at, value);
    this.#at += NUMBER_BYTES;
  }

  #sized(put: typeof putPiece, text: string, coded = false): number {
    const start = this.#at + NUMBER_BYTES;
    const end = put(this.#bytes, start, text, coded);
    this.#number(end - start);
    this.#at = end;
    return end - start;
  }

  /** What was filled. Afterwards a slot is free. */
  #send(): void {
    if (this.#at === this.#begin) return;
    const { port } = this.#pipe;
    if (this.#bytes === this.#slots) port.postMessage(this.#at - this.#begin);
    else port.postMessage(this.#bytes.slice(0, this.#at));
    waitForRoom(this.#state, PipeState.emptied, ++this.#sent, SLOTS);
    const begin = (this.#sent % SLOTS) * SLOT_BYTES;
    this.#use(this.#slots, begin, begin + SLOT_BYTES);
  }

  #use(bytes: Uint8Array, begin: number, end: number): void {
    if (bytes !== this.#bytes) this.#view = new DataView(bytes.buffer);
    this.#bytes = bytes;
    this.#begin = begin;
    this.#at = begin;
    this.#end = end;
  }
}

const textRoom = (text: string): number => NUMBER_BYTES + pieceBytes(text.length);
