/** Columns a text takes on a terminal: two for wide characters, none for marks that join the character before. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** At most `columns` wide, with an ellipsis where something was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && ASCII.test(text)) return text;
  if (columns <= 0) return '';
  // A column holds one character at least, so the rest of a long text cannot matter.
  let cut = '';
  let width = 0;
  for (const { segment } of graphemesOf(text.slice(0, columns * 16 + 16))) {
    const next = graphemeWidth(segment);
    if (width + next > columns) return trimTo(cut, columns - 1);
    cut += segment;
    width += next;
  }
  return cut.length < text.length ? trimTo(cut, columns - 1) : cut;
}

function trimTo(text: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    const next = graphemeWidth(segment);
    if (width + next > columns) break;
    kept += segment;
    width += next;
  }
  return `${kept}…`;
}

/** The end of a text too long for its place. */
export function keepEnd(text: string, columns: number): string {
  if (columns <= 0) return '';
  const end = text.slice(-(columns * 16 + 16));
  if (end.length === text.length && widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of [...graphemesOf(end)].reverse()) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

/** Both ends of a text too long for its place. */
export function keepEnds(text: string, columns: number): string {
  const start = cutToWidth(text, Math.ceil(columns / 2));
  if (start === text || cutToWidth(text, columns) === text) return text;
  return start + keepEnd(text, columns - widthOf(start) + 1).slice(1);
}

export const padTo = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)));

const ASCII = /^[ -~]*$/;
let segmenter: Intl.Segmenter | null = null;

/** Made when the first text needs it: it takes longer to make than most commands to run. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const ZERO = /^[\p{Mark}\p{Format}\p{Control}]+$/u;
const PICTURE = /\p{Emoji_Presentation}|\ufe0f/u;

function graphemeWidth(segment: string): number {
  if (ZERO.test(segment)) return 0;
  if (PICTURE.test(segment)) return 2;
  return isWide(segment.codePointAt(0) ?? 0) ? 2 : 1;
}

/** East Asian wide and full-width blocks. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

const isWide = (code: number): boolean => code >= 0x1100 && WIDE.some(([from, to]) => code >= from && code <= to);
