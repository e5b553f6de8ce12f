import { writeJson } from '../../model/index.ts';
import { ACTING } from '../printable.ts';

/** JSON that somebody may look at on a terminal: what acts there or turns the writing direction is escaped, which means the same. */
export const jsonText = (value: unknown, indent?: number): string =>
  writeJson(value, indent).replace(EACH_ACTING, (found) => found.replace(/[\s\S]/g, escapeUnit));

/** Between the values JSON has line breaks, and no other control. */
const EACH_ACTING = new RegExp(ACTING.source, 'g');
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
