import { type LineText, lineTexts, resultText, touchedFiles } from '../messages/index.ts';
import {
  type Block,
  type CodedResult,
  decodeCodes,
  encodeCodes,
  type FileId,
  type Line,
  type LineRef,
  type LogRecord,
  mayFold,
  saidInLines,
  stripEscapes,
} from '../model/index.ts';
import { TYPES, VolumeBuilder } from '../search/index.ts';
import { docNumber, type MessageEntry, type TextEntry, TITLED } from '../stores/index.ts';
import { type AttributeSet, AttributeSets, type MarkedMessage } from './attribute-sets.ts';
import { findTexts, MANY, type ScannedText } from './find-texts.ts';
import type { Texts } from './texts.ts';

/** What a message says and where: the texts of `of` in these lines. */
export interface SaidAt {
  readonly refs: readonly LineRef[];
  readonly of: LineText['of'];
  readonly call: string | null;
  /** Only one of those in its line: so many stand before it. Null: all. */
  readonly nth: number | null;
  /** The line of the call that names files, for a result too, and how many calls stand in it before that one. */
  readonly callAt: LineRef | null;
  readonly callNth: number;
  /** Is found with it. */
  readonly title: string | null;
}

/** What is known of a message beside its text. */
export type DocMessage = MarkedMessage & Pick<MessageEntry, 'id' | 'time'>;

/** Reads a line again that is not remembered any more. */
export type ReadAgain = (ref: LineRef) => readonly Block[];

/** Makes volumes of texts: here, or in another thread. */
export interface VolumeMaker
  extends Pick<
    VolumeBuilder,
    | 'size'
    | 'terms'
    | 'vocabulary'
    | 'waiting'
    | 'mark'
    | 'scan'
    | 'beginDocument'
    | 'addSpan'
    | 'addAttribute'
    | 'endDocument'
    | 'forgetSpans'
  > {
  addAttributes(set: AttributeSet): void;
  /** Ends a volume, and says of which trees all text is written with it. What has to be written for that; null: somebody else does. */
  end(number: number, completes: readonly string[]): TextEntry | null;
}

/** Here. */
export class OwnVolume extends VolumeBuilder implements VolumeMaker {
  addAttributes({ attributes }: AttributeSet): void {
    for (const [name, value] of attributes) this.addAttribute(name, value);
  }

  end(number: number, completes: readonly string[]): TextEntry {
    return { number, completes, volume: this.size === 0 ? null : this.finish() };
  }
}

/** How much is held. More would need more memory, less would make more volumes to look into. */
export interface TextLimits {
  /** A volume is written at so many terms or documents. */
  readonly terms: number;
  readonly documents: number;
  /** So many terms, in so many lines, may wait for their messages. Where four times as many do, further lines are read again. */
  readonly waiting: number;
  readonly lines: number;
  /** Different terms; their numbers have 24 bits. */
  readonly vocabulary: number;
}

const LIMITS: TextLimits = {
  terms: 1_500_000,
  documents: 60_000,
  waiting: 500_000,
  lines: 20_000,
  vocabulary: 500_000,
};

export interface TextOptions {
  readonly limits?: TextLimits;
  readonly maker?: VolumeMaker;
}

/** Texts of lines → documents of the full text. It goes through all trees that are read, one after the other. */
export class TextDocs implements Texts {
  readonly reads = true;
  readonly #builder: VolumeMaker;
  readonly #sets = new AttributeSets();
  readonly #lines = new Map<FileId, Map<number, readonly ScannedText[]>>();
  #lineCount = 0;
  /** The line that was asked for last: the messages of one record ask for the same ones. */
  #lastRef: LineRef | null = null;
  #lastTexts: readonly ScannedText[] = NOTHING;
  /** Lines that were read again and are held have their spans before this mark. */
  #kept = 0;
  #number: number;
  readonly #nextNumber: () => number;

  readonly #limits: TextLimits;

  /** `nextNumber` gives the numbers of volumes. */
  constructor(nextNumber: () => number, { limits = LIMITS, maker = new OwnVolume() }: TextOptions = {}) {
    this.#limits = limits;
    this.#builder = maker;
    this.#nextNumber = nextNumber;
    this.#number = nextNumber();
  }

  get isHeavy(): boolean {
    return this.#waitMore(1) || this.#isWordy;
  }

  get isFull(): boolean {
    const { terms, size, waiting, vocabulary } = this.#builder;
    if (terms > this.#limits.terms || size > this.#limits.documents) return true;
    // The terms of lines that wait would not be forgotten with the volume: these lines come into it first.
    return vocabulary > this.#limits.vocabulary * (waiting === 0 ? 1 : 2);
  }

  /** Than so many times what may wait. */
  #waitMore(times: number): boolean {
    const { waiting, lines } = this.#limits;
    return this.#builder.waiting > times * waiting || this.#lineCount > times * lines;
  }

  get #isWordy(): boolean {
    return this.#builder.vocabulary > this.#limits.vocabulary;
  }

  readLine(line: Line, blocks: () => readonly Block[], coded?: CodedResult): void {
    if (line.in !== 'queue' && (line.in !== 'chain' || line.place.as === 'annotation')) return;
    if (this.#builder.waiting > 4 * this.#limits.waiting || this.#lineCount > this.#limits.lines || this.#isWordy)
      return;
    this.#keep(line.ref, coded ? [this.#scanCoded(coded)] : this.#scan(blocks(), line.env.cwd));
  }

  add(message: DocMessage, record: LogRecord, tree: string, said: SaidAt, readAgain: ReadAgain): number {
    const builder = this.#builder;
    const begun = builder.mark;
    const { cwd } = record.env;
    // A line that could not be read again may have left one open.
    builder.beginDocument();
    let hasImage = false;
    // Before the others: the message before it was that call, or looked at it.
    const called = said.callAt
      ? findTexts(this.#textsAt(said.callAt, cwd, readAgain), 'call', said.call, said.callNth)
      : NOTHING;
    for (const text of this.#textsOf(said, record, readAgain)) {
      if (text.span) builder.addSpan(text.span);
      if (text.hasImage) hasImage = true;
    }
    const span = said.title === null ? null : builder.scan([said.title]);
    if (span) builder.addSpan(span);
    if (said.title !== null) builder.addAttribute(TITLED, '');
    for (const { files } of called) for (const { path } of files) builder.addAttribute('file', path);
    if (hasImage) builder.addAttribute('image', '');
    builder.addAttributes(this.#sets.ofRecord(record, tree));
    builder.addAttributes(this.#sets.ofMessage(message));
    const document = builder.endDocument({ id: message.id, time: message.time, type: TYPES.indexOf(message.type) });
    // What was scanned for this message alone.
    builder.forgetSpans(Math.max(begun, this.#kept));
    return docNumber(this.#number, document);
  }

  forgetLines(): void {
    this.#lines.clear();
    this.#lineCount = 0;
    this.#lastRef = null;
    this.#kept = 0;
    this.#builder.forgetSpans();
  }

  take(completes: readonly string[]): TextEntry | null {
    const isEmpty = this.#builder.size === 0;
    if (isEmpty && completes.length === 0) return null;
    const taken = this.#builder.end(this.#number, completes);
    if (isEmpty) return taken;
    // The terms of lines that wait are not forgotten with the volume.
    if (this.#builder.vocabulary > this.#limits.vocabulary / 2) this.forgetLines();
    this.#number = this.#nextNumber();
    return taken;
  }

  /** An answer that may have been written again is read again: what of it stands is told by all it says. */
  #textsOf({ refs, of, call, nth }: SaidAt, { kind, env }: LogRecord, readAgain: ReadAgain): readonly ScannedText[] {
    const textsAt = (ref: LineRef) => findTexts(this.#textsAt(ref, env.cwd, readAgain), of, call, nth);
    const [first] = refs;
    if (first && refs.length === 1) return textsAt(first);
    const texts = refs.flatMap(textsAt);
    if (of !== 'own' || !mayFold(kind, texts)) return texts;
    return findTexts(this.#scan(saidInLines(kind, refs.map(readAgain)), env.cwd), of, call, nth);
  }

  #textsAt(ref: LineRef, cwd: string | null, readAgain: ReadAgain): readonly ScannedText[] {
    const known = ref === this.#lastRef ? this.#lastTexts : this.#lines.get(ref.file)?.get(ref.line);
    const texts = known ?? this.#scan(readAgain(ref), cwd);
    if (texts.length < MANY) {
      if (!known) return texts;
    } else if (!known) {
      // Each of its messages would read it again.
      this.#keep(ref, texts);
      this.#kept = this.#builder.mark;
    }
    this.#lastRef = ref;
    this.#lastTexts = texts;
    return texts;
  }

  #keep({ file, line }: LineRef, texts: readonly ScannedText[]): void {
    this.#lineCount++;
    let lines = this.#lines.get(file);
    if (!lines) {
      lines = new Map();
      this.#lines.set(file, lines);
    }
    lines.set(line, texts);
  }

  #scan(blocks: readonly Block[], cwd: string | null): readonly ScannedText[] {
    const found = lineTexts(blocks);
    if (found.length === 0) return NOTHING;
    return found.map(({ of, call, texts, hasImage, sorts = 0, tool, input }) => ({
      of,
      call,
      hasImage,
      sorts,
      span: this.#builder.scan(texts, stripEscapes),
      files: tool === undefined ? NOTHING : touchedFiles(tool, input, cwd),
    }));
  }

  #scanCoded(result: CodedResult): ScannedText {
    const { of, call, texts, hasImage } = resultText(result);
    return { of, call, hasImage, sorts: 0, span: this.#builder.scan(texts, stripCodes, true), files: NOTHING };
  }
}

/** Some of what is stripped are characters beyond ASCII. */
const stripCodes = (codes: string): string => encodeCodes(stripEscapes(decodeCodes(codes)));

/** Most lines touch no file, and some say nothing. */
const NOTHING: readonly never[] = [];
