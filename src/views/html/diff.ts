import { escapeText } from './escape.ts';

interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  readonly number: number | null;
}

interface Hunk {
  readonly newStart?: unknown;
  readonly lines?: unknown;
}

/** The hunks of `structuredPatch`, with line numbers of the new file. */
export function patchLines(hunks: readonly unknown[]): DiffLine[] {
  return hunks.flatMap((each) => {
    const { newStart, lines } = (each ?? {}) as Hunk;
    if (!Array.isArray(lines)) return [];
    let number = typeof newStart === 'number' ? newStart : 1;
    return lines.flatMap((line: unknown): DiffLine[] => {
      if (typeof line !== 'string' || line.startsWith('\\')) return [];
      const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
      return [{ sign, text: line.slice(1), number: sign === '-' ? null : number++ }];
    });
  });
}

/** Pi's own form: `- 12 text`, `+ 12 text`, `  12 text`, and `     ...` for what is left out. */
export function numberedLines(diff: string): DiffLine[] {
  return diff.split('\n').map((line): DiffLine => {
    const [, sign = ' ', number, text = ''] = /^([ +-]) *(\d+) ?(.*)$/.exec(line) ?? [];
    if (number === undefined) return { sign: ' ', text: line.trim(), number: null };
    return { sign: sign as DiffLine['sign'], text, number: sign === '-' ? null : Number(number) };
  });
}

/** One text that became another: what they share at both ends is context. */
export function replaceLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const line =
    (sign: DiffLine['sign']) =>
    (text: string): DiffLine => ({ sign, text, number: null });
  return [
    ...a.slice(Math.max(0, start - 3), start).map(line(' ')),
    ...a.slice(start, a.length - end).map(line('-')),
    ...b.slice(start, b.length - end).map(line('+')),
    ...b.slice(b.length - end, b.length - end + 3).map(line(' ')),
  ];
}

/** Lines that were replaced one for one mark what differs within them. */
export function renderDiff(lines: readonly DiffLine[]): string {
  const html: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const removed = run(lines, i, '-');
    const added = run(lines, i + removed, '+');
    if (removed === 0 && added === 0) {
      html.push(renderLine(lines[i] as DiffLine, null));
      i++;
      continue;
    }
    const pairs = removed === added;
    for (let j = 0; j < removed; j++)
      html.push(renderLine(lines[i + j] as DiffLine, pairs ? (lines[i + removed + j]?.text ?? null) : null));
    for (let j = 0; j < added; j++)
      html.push(renderLine(lines[i + removed + j] as DiffLine, pairs ? (lines[i + j]?.text ?? null) : null));
    i += removed + added;
  }
  return `<pre class="diff">${html.join('')}</pre>`;
}

function run(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let length = 0;
  while (lines[from + length]?.sign === sign) length++;
  return length;
}

const TAGS = { '+': 'ins', '-': 'del' } as const;

function renderLine({ sign, text, number }: DiffLine, other: string | null): string {
  const count = number === null ? '' : `${number}`;
  const line = `<i>${count.padStart(5)} ${sign} </i>${other === null ? escapeText(text) : marked(text, other)}\n`;
  return sign === ' ' ? line : `<${TAGS[sign]}>${line}</${TAGS[sign]}>`;
}

/** What is neither in the common beginning nor in the common end. */
function marked(text: string, other: string): string {
  let start = 0;
  while (start < text.length && text[start] === other[start]) start++;
  let end = 0;
  while (
    end < text.length - start &&
    end < other.length - start &&
    text[text.length - 1 - end] === other[other.length - 1 - end]
  )
    end++;
  const middle = text.slice(start, text.length - end);
  if (middle === '' || middle.length > text.length * 0.8) return escapeText(text);
  return `${escapeText(text.slice(0, start))}<b>${escapeText(middle)}</b>${escapeText(text.slice(text.length - end))}`;
}
