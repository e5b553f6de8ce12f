/** So many bytes are read together, even where fewer are wanted: then these count. */
export const AT_ONCE = 8;
/** By how many are wanted, what to keep of the first four and of the others; nothing of more than can be read at once. */
export const LOW_BYTES = Int32Array.from({ length: AT_ONCE + 2 }, (_, size) => keep(size));
export const HIGH_BYTES = Int32Array.from({ length: AT_ONCE + 2 }, (_, size) => keep(size - 4));

function keep(size: number): number {
  if (size <= 0 || size > AT_ONCE) return 0;
  return size < 4 ? 2 ** (8 * size) - 1 : -1;
}
