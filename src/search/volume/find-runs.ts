/**
 * Where runs of letters and digits of ASCII begin and end, one after the other: the places go into `bounds`, and how many they are is
 * given. Four bytes are judged at once, without asking what each is: what comes next in a text cannot be foretold, and a processor that
 * guessed wrong loses more time than all of this takes. Behind the last byte stand zeros.
 */
export function findRuns(view: DataView, from: number, to: number, bounds: Uint32Array): number {
  let count = 0;
  let before = 0;
  for (let base = from; base <= to; base += 32) {
    let runs = 0;
    for (let at = 0; at < 32; at += 4) runs |= lettersIn(view.getInt32(base + at, true)) << at;
    // One where something begins or ends.
    let changes = runs ^ ((runs << 1) | before);
    before = runs >>> 31;
    while (changes !== 0) {
      bounds[count++] = base + 31 - Math.clz32(changes & -changes);
      changes &= changes - 1;
    }
  }
  return count;
}

/**
 * A bit for each of four bytes. The highest bit of a byte tells whether a number in it is as large as another: 0x80 less that one is added.
 * What is as large as the first of a range and not as the one behind its last differs in that bit, and so does what is in one of two ranges.
 */
function lettersIn(four: number): number {
  const low = four & 0x7f7f7f7f;
  const small = low | 0x20202020;
  const letters = (small + (0x80 - A) * EACH) ^ (small + (0x80 - Z - 1) * EACH);
  const digits = (low + (0x80 - ZERO) * EACH) ^ (low + (0x80 - NINE - 1) * EACH);
  // Brings the bits of the four bytes together.
  return Math.imul((letters ^ digits) & ~four & 0x80808080, (1 << 21) | (1 << 14) | (1 << 7) | 1) >>> 28;
}

const EACH = 0x01010101;
const [A, Z, ZERO, NINE] = [0x61, 0x7a, 0x30, 0x39];
