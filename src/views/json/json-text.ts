import { ACTING } from '../printable.ts';

/**
 * JSON that somebody may look at on a terminal: what acts there or turns the writing direction is escaped, which means the same. A log
 * may hold values nested deeper than can be written: what lies below is left out, and everything else is there.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  write(value, indent).replace(EACH_ACTING, (found) => found.replace(/[\s\S]/g, escapeUnit));

/** Between the values JSON has line breaks, and no other control. */
const EACH_ACTING = new RegExp(ACTING.source, 'g');
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function write(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cutDepth(value, DEEPEST), null, indent);
  }
}

const DEEPEST = 500;

function cutDepth(value: unknown, left: number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (left === 0) return '… nested too deep';
  if (Array.isArray(value)) return value.map((each) => cutDepth(each, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutDepth(each, left - 1)]));
}
