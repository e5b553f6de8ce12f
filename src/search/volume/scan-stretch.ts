import { runsIn, suffixAt, wordsIn } from '../words.ts';
import { isWordly, sortOf } from './sort-units.ts';

/** A run of a stretch and what stands before it. */
export interface Piece {
  readonly before: string;
  readonly words: readonly string[];
  readonly isCjk: boolean;
}

/** Letters with some of other scripts among them, up to the next separator, as the reference reads them. */
export class StretchReader {
  readonly #known = new Map<string, readonly Piece[]>();

  /** Where the stretch ends that begins at a place. */
  endOf(text: string, from: number): number {
    let to = from;
    while (to < text.length && isWordly(sortOf(text.charCodeAt(to)))) to++;
    return to;
  }

  pieces(text: string, from: number, to: number): readonly Piece[] {
    const stretch = text.slice(from, to) + suffixAt(text, to);
    const known = this.#known.get(stretch);
    if (known) return known;
    const pieces = piecesOf(stretch, to - from);
    if (stretch.length > LONGEST) return pieces;
    if (this.#known.size > REMEMBERED) this.#known.clear();
    this.#known.set(stretch, pieces);
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
