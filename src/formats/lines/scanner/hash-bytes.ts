/** A number that is equal for equal bytes: four lanes of 32 bits, which WebAssembly does at once (`hash` in assembly/scan.ts). */
export function hashBytes(bytes: Uint8Array, seed: number): number {
  const lanes = FIRST.map((lane) => lane + seed) as [number, number, number, number];
  const whole = bytes.length & ~15;
  mix(lanes, bytes, whole);
  if (whole < bytes.length) {
    const last = new Uint8Array(16);
    last.set(bytes.subarray(whole));
    mix(lanes, last, 16);
  }
  const [a, b, c, d] = lanes;
  let sum = bytes.length + turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18);
  sum = Math.imul(sum ^ (sum >>> 15), PRIME_2);
  sum = Math.imul(sum ^ (sum >>> 13), PRIME_3);
  return sum ^ (sum >>> 16);
}

function mix(lanes: [number, number, number, number], bytes: Uint8Array, length: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let [a, b, c, d] = lanes;
  for (let at = 0; at < length; at += 16) {
    a = mixed(a, view.getInt32(at, true));
    b = mixed(b, view.getInt32(at + 4, true));
    c = mixed(c, view.getInt32(at + 8, true));
    d = mixed(d, view.getInt32(at + 12, true));
  }
  lanes.splice(0, 4, a, b, c, d);
}

const mixed = (lane: number, word: number): number =>
  Math.imul(turned((lane + Math.imul(word, PRIME_2)) | 0, 13), PRIME_1);

const turned = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const FIRST = [0x24234428, PRIME_2, 0, 0x61c8864f];
