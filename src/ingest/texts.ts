import type { Block, CodedResult, Line, LogRecord } from '../model/index.ts';
import type { TextEntry } from '../stores/index.ts';
import type { DocMessage, ReadAgain, SaidAt, VolumeMaker } from './text-docs.ts';

/** What becomes of the texts of lines that are read. */
export interface Texts {
  /** Whether it wants to read lines. */
  readonly reads: boolean;
  /** It is time for rows to be made, so that texts find their messages. */
  readonly isHeavy: boolean;
  /** What was added has to be written (`take`). */
  readonly isFull: boolean;
  /** A line that may be part of a message. `coded`: what it says, instead of its blocks. */
  readLine(line: Line, blocks: () => readonly Block[], coded?: CodedResult): void;
  /** The number of the document that has the text of a message; null: none has. */
  add(message: DocMessage, record: LogRecord, tree: string, said: SaidAt, readAgain: ReadAgain): number | null;
  /** All lines that were read belong to messages that were added, or to none. */
  forgetLines(): void;
  /** What was added has to be written, and then these trees are complete; null: there is nothing to do here. */
  take(completes: readonly string[]): TextEntry | null;
}

/** For an index without full text. A tree is complete when its rows are written. */
export class NoTexts implements Texts {
  readonly reads = false;
  readonly isHeavy = false;
  readonly isFull = false;
  readonly #maker: Pick<VolumeMaker, 'end'>;

  constructor(maker: Pick<VolumeMaker, 'end'> = NO_VOLUME) {
    this.#maker = maker;
  }

  readLine(): void {}

  add(): null {
    return null;
  }

  forgetLines(): void {}

  take(completes: readonly string[]): TextEntry | null {
    return completes.length === 0 ? null : this.#maker.end(0, completes);
  }
}

const NO_VOLUME: Pick<VolumeMaker, 'end'> = { end: (number, completes) => ({ number, completes, volume: null }) };
