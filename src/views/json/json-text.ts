/**
 * JSON that somebody may look at on a terminal: what acts there or turns the writing direction is escaped, which means the same. A log
 * may hold values nested deeper than can be written: what lies below is left out, and everything else is there.
 */
export const jsonText = (value: unknown): string =>
  write(value).replace(ACTS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const ACTS = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function write(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cutDepth(value, DEEPEST));
  }
}

const DEEPEST = 500;

function cutDepth(value: unknown, left: number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (left === 0) return '… nested too deep';
  if (Array.isArray(value)) return value.map((each) => cutDepth(each, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutDepth(each, left - 1)]));
}
