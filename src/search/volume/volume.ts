/**
 * A part of the full text: some messages (documents) and, for every term in them, which of them have it. Documents have numbers from 0
 * on. A volume does not change; messages that are gone are marked as dead beside it until volumes are put together.
 */
export interface Volume {
  /** Of the message each document is. */
  readonly ids: BigInt64Array;
  /** In seconds since 1970; 0: not known. */
  readonly times: Uint32Array;
  /** How long each is, by `lengthCode`. */
  readonly lengths: Uint8Array;
  /** Of what type its message is, as a number. */
  readonly types: Uint8Array;
  /** The first term of each block, in order, a line each. */
  readonly heads: string;
  /** Terms that follow each other, with their documents. */
  readonly blocks: readonly Uint8Array[];
  /** What stands beside what, `PAGE_DOCS` documents a page. */
  readonly neighbours: readonly Uint8Array[];
}

export const PAGE_DOCS = 256;

/** One byte is enough for ranking. */
export const lengthCode = (words: number): number => Math.min(255, Math.round(8 * Math.log2(1 + words)));
export const lengthOf = (code: number): number => 2 ** (code / 8) - 1;
