import { runsIn, suffixAt, wordsIn } from '../words.ts';

/** A run of a stretch and what stands before it. */
export interface Piece {
  readonly before: string;
  readonly words: readonly string[];
  readonly isCjk: boolean;
}

/** Letters with some of other scripts among them, up to the next separator, as the reference reads them. */
export class StretchReader {
  readonly #known = new Map<string, readonly Piece[]>();

  /** With what may belong to it behind it. */
  pieces(stretch: string, behind: string): readonly Piece[] {
    const whole = stretch + suffixAt(behind, 0);
    const known = this.#known.get(whole);
    if (known) return known;
    const pieces = piecesOf(whole, stretch.length);
    if (whole.length > LONGEST) return pieces;
    if (this.#known.size > REMEMBERED) this.#known.clear();
    this.#known.set(whole, pieces);
    return pieces;
  }
}

/** The same words come again and again. */
const REMEMBERED = 20_000;
const LONGEST = 64;

/** `size`: without the sign behind it. */
function piecesOf(stretch: string, size: number): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { run, start, isCjk } of runsIn(stretch.slice(0, size))) {
    const before = stretch.slice(done, start);
    done = start + run.length;
    const sign = isCjk || done < size ? '' : stretch.slice(size);
    pieces.push({ before, words: wordsIn(run + sign).map(({ term }) => term), isCjk });
  }
  if (done < size) pieces.push({ before: stretch.slice(done, size), words: [], isCjk: false });
  return pieces;
}
