/** Slices of Buffer's pool share it with others; anything larger has its memory to itself. */
export const POOL = Math.max(Buffer.poolSize, 64 * 1024);

/**
 * Gives the memory of bytes back at once, which nobody may read any more: the garbage collector lets tens of megabytes of them wait. Not
 * for threads that scan texts: from the first time on all their code that reads bytes has to ask whether these are still there, and is
 * compiled again for it.
 */
export function freeBytes(bytes: ArrayBufferView): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength === 0) return;
  if (!Buffer.isBuffer(bytes) || buffer.byteLength > POOL) buffer.transfer(0);
}
