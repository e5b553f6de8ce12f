import { crc32 } from 'node:zlib';

export const SUM_LENGTH = 8;

/** A text that says whether it, and what else is kept beside it, is what was written: SQLite notices damage of its own structure only. */
export const checked = (text: string, beside: readonly unknown[] = []): string => text + sumOf(text, beside);

/** The text as it was given; throws where it is not, as SQLite does where it meets damage. */
export function unchecked(stored: string, beside: readonly unknown[] = []): string {
  const text = stored.slice(0, -SUM_LENGTH);
  if (sumOf(text, beside) === stored.slice(-SUM_LENGTH)) return text;
  throw Object.assign(new Error('what stands there is not what was written'), { errcode: CORRUPT });
}

const CORRUPT = 11;

const sumOf = (text: string, beside: readonly unknown[]): string =>
  crc32(text, crc32(beside.join('\n')))
    .toString(16)
    .padStart(SUM_LENGTH, '0');
