import { randomBytes } from 'node:crypto';
import { visible } from '../views/printable.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** Text in these styles, where it may have any. */
export type Paint = (styles: readonly Style[], text: string) => string;

/** How each begins and ends, as terminals number it. */
const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/**
 * Stands for the beginning of a code until a text leaves the program. Drawn anew by each process: nothing that was read can hold it, so
 * an escape sequence in a text is never one of ours. Of controls only: it is part of no word for whoever looks at the text on its way.
 */
const MARK = Array.from(randomBytes(24), (byte) => String.fromCharCode(byte & 7)).join('');
const NUMBERS = [...new Set(Object.values(CODES).flat())];
/** The first control after the line breaks. */
const FIRST = 0x0e;
const MARKED = new RegExp(`${MARK}([\\x0e-\\x1f])`);

/** Colour only where a person looks (`NO_COLOR` and the like honoured). */
export const paintFor =
  (stream: Pick<NodeJS.WriteStream, 'isTTY' | 'hasColors'>): Paint =>
  (styles, text) =>
    text === '' || !stream.isTTY || process.env.NO_COLOR || !stream.hasColors()
      ? text
      : styles.reduceRight((inner, style) => `${mark(CODES[style][0])}${inner}${mark(CODES[style][1])}`, text);

const mark = (code: number): string => MARK + String.fromCharCode(FIRST + NUMBERS.indexOf(code));
const sequenceOf = (marked: string): string => `\u001b[${NUMBERS[marked.charCodeAt(0) - FIRST]}m`;

/** A text as it may reach a terminal: our styles as escape sequences, and everything else that would act made visible. */
export const forTerminal = (text: string): string =>
  text.includes(MARK)
    ? text
        .split(MARKED)
        .map((part, i) => (i % 2 === 1 ? sequenceOf(part) : visible(part)))
        .join('')
    : visible(text);

/** The same where each line has its place. */
export const lineForTerminal = (line: string): string => forTerminal(line).replaceAll('\n', ' ');

/** As it stands in a file. */
export const withoutStyle = (text: string): string =>
  text.includes(MARK)
    ? text
        .split(MARKED)
        .filter((_, i) => i % 2 === 0)
        .join('')
    : text;
