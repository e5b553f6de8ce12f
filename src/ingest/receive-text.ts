import { BEHIND, type TermSpan, TextBytes, textIn, VolumeBuilder } from '../search/index.ts';
import type { TextEntry } from '../stores/index.ts';
import { ID_BYTES, NUMBER_BYTES, type PipeEnd, PipeSign, PipeState, SLOT_BYTES, SLOTS } from './text-pipe.ts';

/** An attribute, and the number its term had when spans had been forgotten so many times: it holds until they are again. */
interface Named {
  readonly name: string;
  readonly value: string;
  term: number;
  asOf: number;
}

/** The other end of a pipe: makes the volumes that `SentVolume` tells of. */
export class TextReceiver {
  readonly #state: Int32Array;
  readonly #slots: TextBytes;
  readonly #builder = new VolumeBuilder();
  #spans: TermSpan[] = [];
  #attributes: Named[] = [];
  #sets: (readonly Named[])[] = [];
  #forgotten = 0;
  #received = 0;
  /** What is being read. */
  #text: TextBytes;
  #at = 0;

  constructor(pipe: Omit<PipeEnd, 'port'>) {
    this.#state = new Int32Array(pipe.state);
    this.#slots = TextBytes.over(new Uint8Array(pipe.slots));
    this.#text = this.#slots;
  }

  /** Gives the volumes that end in what came. */
  *take(came: number | Uint8Array): Generator<TextEntry> {
    const isSlot = typeof came === 'number';
    this.#text = isSlot ? this.#slots : TextBytes.over(came);
    this.#at = isSlot ? (this.#received % SLOTS) * SLOT_BYTES : 0;
    const end = this.#at + (isSlot ? came : came.length);
    while (this.#at < end) {
      const entry = this.#next();
      if (!entry) continue;
      this.#tell();
      Atomics.add(this.#state, PipeState.ended, 1);
      yield entry;
    }
    this.#tell();
    this.#received++;
    Atomics.store(this.#state, PipeState.emptied, this.#received);
    Atomics.notify(this.#state, PipeState.emptied);
  }

  #tell(): void {
    Atomics.store(this.#state, PipeState.terms, this.#builder.terms);
    Atomics.store(this.#state, PipeState.vocabulary, this.#builder.vocabulary);
  }

  #next(): TextEntry | null {
    const builder = this.#builder;
    const sign = this.#text.bytes[this.#at++] as number;
    switch (sign) {
      case PipeSign.firstPiece:
      case PipeSign.piece:
        this.#piece(sign === PipeSign.firstPiece);
        break;
      case PipeSign.endSpan:
        this.#spans.push({ from: this.#spans.at(-1)?.to ?? 0, to: builder.mark });
        break;
      case PipeSign.beginDocument:
        builder.beginDocument();
        break;
      case PipeSign.addSpan:
        builder.addSpan(this.#spans[this.#number()] as TermSpan);
        break;
      case PipeSign.name:
        this.#attributes.push({ name: this.#string(), value: this.#string(), term: 0, asOf: -1 });
        break;
      case PipeSign.addAttribute:
        this.#addAttribute(this.#attributes[this.#number()] as Named);
        break;
      case PipeSign.nameSet:
        this.#sets.push(Array.from({ length: this.#number() }, () => this.#attributes[this.#number()] as Named));
        break;
      case PipeSign.addAttributes:
        for (const named of this.#sets[this.#number()] as readonly Named[]) this.#addAttribute(named);
        break;
      case PipeSign.endDocument:
        this.#endDocument();
        break;
      case PipeSign.forgetSpans:
        this.#spans.length = this.#number();
        this.#forgotten++;
        builder.forgetSpans(this.#spans.at(-1)?.to ?? 0);
        break;
      case PipeSign.endVolume:
        return this.#endVolume();
      default:
        throw new Error(`unknown sign ${sign} in a pipe`);
    }
    return null;
  }

  #piece(isFirst: boolean): void {
    const size = this.#number();
    this.#text.point(this.#at, this.#at + size);
    this.#builder.scanPiece(this.#text, isFirst);
    this.#at += size + BEHIND;
  }

  /** A document has half a dozen, and most have the same. */
  #addAttribute(named: Named): void {
    if (named.asOf !== this.#forgotten) named.term = this.#builder.termOf(named.name, named.value);
    named.asOf = this.#forgotten;
    this.#builder.addTerm(named.term);
  }

  #endDocument(): void {
    const { view } = this.#text;
    const id = view.getBigInt64(this.#at);
    const time = view.getFloat64(this.#at + ID_BYTES);
    this.#at += 2 * ID_BYTES;
    this.#builder.endDocument({ id, time: Number.isNaN(time) ? null : time, type: this.#number() });
  }

  #endVolume(): TextEntry {
    const number = this.#number();
    const completes = Array.from({ length: this.#number() }, () => this.#string());
    this.#attributes = [];
    this.#sets = [];
    return { number, completes, volume: this.#builder.size === 0 ? null : this.#builder.finish() };
  }

  #number(): number {
    this.#at += NUMBER_BYTES;
    return this.#text.view.getUint32(this.#at - NUMBER_BYTES);
  }

  #string(): string {
    const size = this.#number();
    this.#at += size;
    return textIn(this.#text.bytes, this.#at - size, this.#at);
  }
}
