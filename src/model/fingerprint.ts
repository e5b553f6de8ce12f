/**
 * A 32-bit number that is equal for equal JSON values. It tells a replayed line from another line with the same id, so it must be
 * cheap: of a long string it reads the length, both ends and evenly spread samples.
 */
export function fingerprint(value: unknown, seed = 0): number {
  low = 0x9dc5 ^ seed;
  high = 0x811c ^ (seed >>> 16);
  budget = 400;
  add(value);
  return (low ^ high) | 0;
}

let low = 0;
let high = 0;
let budget = 0;

function mix(n: number): void {
  low = Math.imul(low ^ n, 0x01000193);
  high = Math.imul(high ^ (n + (low >>> 15)), 0x85ebca6b);
}

function add(value: unknown): void {
  if (budget-- <= 0) return;
  if (typeof value === 'string') addText(value);
  else if (typeof value === 'number') mix(Math.fround(value) * 1000 + 7);
  else if (typeof value !== 'object' || value === null) mix(value === null ? 11 : value === true ? 13 : 17);
  else if (Array.isArray(value)) {
    mix(value.length + 101);
    for (let i = 0; i < value.length; i++) add(value[i]);
  } else {
    for (const key in value) {
      addText(key);
      add((value as Record<string, unknown>)[key]);
    }
  }
}

const ENDS = 32;
const SAMPLES = 24;

function addText(text: string): void {
  const length = text.length;
  mix(length + 1009);
  if (length <= ENDS * 2) {
    for (let i = 0; i < length; i++) mix(text.charCodeAt(i));
    return;
  }
  for (let i = 0; i < ENDS; i++) mix(text.charCodeAt(i));
  for (let i = length - ENDS; i < length; i++) mix(text.charCodeAt(i));
  const step = Math.max(1, Math.floor((length - 2 * ENDS) / SAMPLES));
  for (let i = ENDS; i < length - ENDS; i += step) mix(text.charCodeAt(i));
}
