import { ESCAPE_UNIT } from './sort-units.ts';

interface Write {
  ucs2Write(this: Uint8Array, text: string, offset: number, length: number): number;
}

/** Node copies text natively; reading it unit by unit takes longer than all that is done with the units. */
const native = (globalThis as unknown as { Buffer?: { prototype: Write } }).Buffer?.prototype;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** So many units of a text lie ready at once, unless one word is longer. */
export const PIECE = 1 << 14;

/** A piece of a text, as numbers. */
export class TextUnits {
  /** Behind the piece stands an escape character: nothing else is as rare. */
  units = new Uint16Array(PIECE + 1);
  #bytes = new Uint8Array(this.units.buffer);

  /** Takes as much of a text from a place on as there is room for; gives how much that is. */
  fill(text: string, from: number): number {
    const length = Math.min(text.length - from, this.units.length - 1);
    const piece = length === text.length ? text : text.slice(from, from + length);
    if (native && isLittleEndian) native.ucs2Write.call(this.#bytes, piece, 0, 2 * length);
    else for (let i = 0; i < length; i++) this.units[i] = piece.charCodeAt(i);
    this.units[length] = ESCAPE_UNIT;
    return length;
  }

  resize(room: number): void {
    if (room + 1 === this.units.length) return;
    this.units = new Uint16Array(room + 1);
    this.#bytes = new Uint8Array(this.units.buffer);
  }
}
