type Lanes = [number, number, number, number];

/** A number that is equal for equal bytes: four lanes of 32 bits, which WebAssembly does at once (`hash` in assembly/scan.ts). */
export function hashBytes(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const lanes = FIRST.map((lane) => lane + seed) as Lanes;
  let at = 0;
  if (bytes.length >= WIDE) {
    const others = [1, 2, 3].map((more) => lanes.map((lane) => lane + more) as Lanes);
    for (; at + WIDE <= bytes.length; at += WIDE)
      for (const [i, each] of [lanes, ...others].entries()) mixBytes(each, view, at + 16 * i);
    for (const [a, b, c, d] of others) mix(lanes, a, b, c, d);
  }
  for (; at + 16 <= bytes.length; at += 16) mixBytes(lanes, view, at);
  if (at < bytes.length) {
    const last = new Uint8Array(16);
    last.set(bytes.subarray(at));
    mixBytes(lanes, new DataView(last.buffer), 0);
  }
  const [a, b, c, d] = lanes;
  let sum = bytes.length + turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18);
  sum = Math.imul(sum ^ (sum >>> 15), PRIME_2);
  sum = Math.imul(sum ^ (sum >>> 13), PRIME_3);
  return sum ^ (sum >>> 16);
}

const WIDE = 64;

function mixBytes(lanes: Lanes, view: DataView, at: number): void {
  const word = (i: number): number => view.getInt32(at + 4 * i, true);
  mix(lanes, word(0), word(1), word(2), word(3));
}

function mix(lanes: Lanes, a: number, b: number, c: number, d: number): void {
  lanes[0] = mixed(lanes[0], a);
  lanes[1] = mixed(lanes[1], b);
  lanes[2] = mixed(lanes[2], c);
  lanes[3] = mixed(lanes[3], d);
}

const mixed = (lane: number, word: number): number =>
  Math.imul(turned((lane + Math.imul(word, PRIME_2)) | 0, 13), PRIME_1);

const turned = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const FIRST = [0x24234428, PRIME_2, 0, 0x61c8864f];
