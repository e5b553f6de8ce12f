/**
 * A value of a log as JSON; '' where JSON has no word for it. A log may hold values nested deeper than `JSON.stringify` can follow: what
 * lies below is left out, and everything else is there. `indent` lays it out, as long as indenting does not take more than what is said.
 */
export function writeJson(value: unknown, indent = 0): string {
  if (indent > 0 && !isDeeper(value, LAID_OUT)) return JSON.stringify(value, null, indent) ?? '';
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cutDepth(value, DEEPEST));
  }
}

const LAID_OUT = 50;
const DEEPEST = 500;

/** Whether a value has more levels than that. */
export const isDeeper = (value: unknown, than: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (than === 0 || Object.values(value).some((inner) => isDeeper(inner, than - 1)));

function cutDepth(value: unknown, left: number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (left === 0) return '… nested too deep';
  if (Array.isArray(value)) return value.map((each) => cutDepth(each, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutDepth(each, left - 1)]));
}
