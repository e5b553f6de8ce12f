/**
 * A 32-bit number that is equal for equal JSON values. It tells a replayed line from another line with the same id, so it must be
 * cheap: of a long string it reads the length, both ends and evenly spread samples.
 */
export function fingerprint(value: unknown, seed = 0): number {
  budget = 200;
  return add(0x811c9dc5 ^ seed, value) | 0;
}

let budget = 0;

function add(hash: number, value: unknown): number {
  if (budget-- <= 0) return hash;
  if (typeof value === 'string') return addText(hash, value);
  if (typeof value === 'number') return mix(hash, Math.fround(value) * 1000 + 7);
  if (typeof value !== 'object' || value === null) return mix(hash, value === null ? 11 : value === true ? 13 : 17);
  if (Array.isArray(value)) {
    hash = mix(hash, value.length + 101);
    for (let i = 0; i < value.length; i++) hash = add(hash, value[i]);
    return hash;
  }
  for (const key in value) {
    hash = add(mix(hash, key.length * 31 + key.charCodeAt(0)), (value as Record<string, unknown>)[key]);
  }
  return hash;
}

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193) ^ (hash >>> 15);

const SHORT = 40;
const ENDS = 14;
const SAMPLES = 8;

function addText(hash: number, text: string): number {
  const length = text.length;
  hash = mix(hash, length + 1009);
  if (length <= SHORT) {
    const even = length & ~1;
    hash = addPairs(hash, text, 0, even);
    return even < length ? mix(hash, text.charCodeAt(even)) : hash;
  }
  hash = addPairs(hash, text, 0, ENDS);
  hash = addPairs(hash, text, length - ENDS, length);
  const step = Math.max(1, Math.floor((length - 2 * ENDS) / SAMPLES));
  for (let i = ENDS; i < length - ENDS; i += step) hash = addPairs(hash, text, i, i + 2);
  return hash;
}

/** Two characters at a time: an even number of them. */
function addPairs(hash: number, text: string, start: number, end: number): number {
  for (let i = start; i < end; i += 2) hash = mix(hash, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
  return hash;
}
