/** How far a file was read, and what must still be true of it on disk for that to hold. */
export interface Cursor {
  /** Bytes that were read. */
  readonly size: number;
  /** CRC-32 of all of them. */
  readonly crc: number;
  /** CRC-32 of the first `HEAD` of them. */
  readonly head: number;
  /** Their end: where it begins, and its CRC-32. */
  readonly tail: { readonly start: number; readonly crc: number };
  readonly inode: number;
  readonly modified: number;
}

/** So much of a file's beginning is compared on every append. */
export const HEAD = 4096;
