const PIECE = 4096;

/**
 * A long loop, some steps at a time, for what is done once for every volume. A function that is called often is compiled once; a loop in
 * one that is called once is compiled from its middle, each time anew. So is a function made for one volume: `step` must not be.
 */
export function inPieces<Given>(
  given: Given,
  length: number,
  step: (given: Given, from: number, to: number) => void,
): void {
  for (let from = 0; from < length; from += PIECE) step(given, from, Math.min(length, from + PIECE));
}
