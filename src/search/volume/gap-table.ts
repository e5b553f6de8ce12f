import { AT_ONCE, HIGH_BYTES, LOW_BYTES } from './mask-bytes.ts';

/**
 * What stands between words comes again and again: it is read byte by byte once, and found by its bytes from then on.
 */
export class GapTable {
  /** The first four bytes, the next four, how many there are, and the gap. */
  readonly #slots = new Int32Array(SLOT << SLOT_BITS).fill(UNKNOWN_GAP);

  /** `gaps` becomes what stands before each run, or `UNKNOWN_GAP`. As in `TermTable.find` there is no call and no loop inside this one. */
  find(view: DataView, start: number, runs: Uint32Array, count: number, gaps: Int32Array): void {
    const slots = this.#slots;
    const lowBytes = LOW_BYTES;
    const highBytes = HIGH_BYTES;
    let last = start;
    for (let i = 0; i < count; i += 2) {
      const from = runs[i] as number;
      let size = from - last;
      // White space makes no difference: a new line is often far indented.
      if (size > AT_ONCE) {
        if (view.getInt32(from - 4, true) === SPACES) {
          size -= 4;
          if (size > AT_ONCE && view.getInt32(from - 8, true) === SPACES) size -= 4;
        }
        if (size > AT_ONCE) size = AT_ONCE + 1;
      }
      const low = view.getInt32(last, true) & (lowBytes[size] as number);
      const high = view.getInt32(last + 4, true) & (highBytes[size] as number);
      const slot = slotOf(low, high, size);
      const differs =
        ((slots[slot] as number) ^ low) | ((slots[slot + 1] as number) ^ high) | ((slots[slot + 2] as number) ^ size);
      gaps[i >> 1] = differs === 0 ? (slots[slot + 3] as number) : UNKNOWN_GAP;
      last = runs[i + 1] as number;
    }
  }

  /** What stands between two places is this one. */
  put(view: DataView, from: number, to: number, gap: number): void {
    const size = to - from;
    if (size > AT_ONCE) return;
    const low = view.getInt32(from, true) & (LOW_BYTES[size] as number);
    const high = view.getInt32(from + 4, true) & (HIGH_BYTES[size] as number);
    this.#slots.set([low, high, size, gap], slotOf(low, high, size));
  }
}

const slotOf = (low: number, high: number, size: number): number =>
  (Math.imul(Math.imul(high, FACTOR) ^ low ^ size, FACTOR) >>> (32 - SLOT_BITS)) << 2;

export const UNKNOWN_GAP = -1;
const SLOT_BITS = 9;
const SLOT = 4;
const FACTOR = 0x9e3779b1 | 0;
/** Four. */
const SPACES = 0x20202020;
