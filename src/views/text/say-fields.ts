import type { Fields } from './json-values.ts';
import { linesOf, preview, shortValue, wholeValue } from './shorten.ts';

const SHOWN_FIELDS = 10;

/** Nothing is known of it: `key: value`, one per line. */
export function sayFields(data: Fields, verbose: boolean): string {
  const lines = Object.entries(data).map(([key, value]) => {
    const said = linesOf(verbose ? wholeValue(value) : shortValue(value));
    return `${shortValue(key)}: ${said.join('\n  ')}`.trimEnd();
  });
  return preview(lines.join('\n'), verbose, SHOWN_FIELDS);
}
