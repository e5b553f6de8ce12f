import { LineReader, type Logs, readOffloaded, type Unread } from '../history/index.ts';
import { joinTexts, type LineText, lineTexts } from '../messages/index.ts';
import { type LineRef, saidInLines, stripEscapes } from '../model/index.ts';
import type { FoundPlace } from '../stores/index.ts';
import type { RawPhrase } from './raw-phrase.ts';

/** Hits lie far from each other. */
const WINDOW = 2048;

/** What messages say that a store names by their places. Nothing is read but their lines. */
export class StoredText {
  readonly #logs: ReadonlyMap<string, Logs>;
  readonly #readers = new Map<string, LineReader>();

  /** `logs`: by the key of their tree. */
  constructor(logs: ReadonlyMap<string, Logs>) {
    this.#logs = logs;
  }

  /** As `searchText` gives it. */
  textOf({ tree, type, at, more, nth, toolName }: FoundPlace): string {
    const logs = this.#logs.get(tree);
    if (!logs) return '';
    const blocksAt = (ref: LineRef) => this.#blocksAt(tree, logs, ref);
    const saidAt = (ref: LineRef): LineText[] => lineTexts(blocksAt(ref));
    if (type === 'user' || type === 'assistant')
      return textIn(lineTexts(saidInLines(type, [at, ...more].map(blocksAt))), 'own');
    const here = saidAt(at).filter(({ of }) => of === (type === 'tool_use' ? 'call' : 'result'))[nth];
    if (!here) return '';
    // A call stands for itself, and so does a result without one.
    if (type === 'tool_use' || toolName === null) return stripEscapes(joinTexts(here.texts));
    const results = [at, ...more].flatMap((ref) => saidAt(ref).filter(({ call }) => call === here.call));
    return textIn(results, 'result');
  }

  /** Whether a message certainly has no phrase, told without reading what it says. */
  lacks({ tree, type, at, more }: FoundPlace, phrase: RawPhrase): boolean {
    const logs = this.#logs.get(tree);
    if (!logs) return false;
    const reader = this.#readerOf(tree, logs);
    const mayBeTagged = type === 'user' || type === 'assistant';
    return [at, ...more].every((ref) => {
      const line = reader.bytes(ref);
      return line !== null && !phrase.mayBeIn(line, mayBeTagged);
    });
  }

  /** What could not be read so far. */
  get unread(): Unread[] {
    return [...this.#readers.values()].flatMap(({ unread }) => unread);
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  #readerOf(tree: string, logs: Logs): LineReader {
    let reader = this.#readers.get(tree);
    if (!reader) {
      reader = new LineReader(logs, WINDOW);
      this.#readers.set(tree, reader);
    }
    return reader;
  }

  #blocksAt(tree: string, logs: Logs, ref: LineRef) {
    const reader = this.#readerOf(tree, logs);
    return reader
      .read([ref])
      .flatMap(({ blocks }) => blocks())
      .map((block) => (block.type === 'result' ? readOffloaded(logs, block, reader) : block));
  }
}

const textIn = (said: readonly LineText[], wanted: LineText['of']): string =>
  stripEscapes(joinTexts(said.filter(({ of }) => of === wanted).flatMap(({ texts }) => texts)));
