/** As JSON. A log may hold values nested deeper than can be written: what lies below is left out, and everything else is there. */
export function writeJson(value: unknown): string {
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
