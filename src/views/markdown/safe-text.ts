import { addAll, largest } from '../../model/index.ts';
import { printable } from '../printable.ts';

/**
 * What somebody said as a part of a larger document: it stays Markdown, but leaves nothing open behind it, has no heading above `depth`,
 * and loads and runs nothing.
 */
export function safeText(text: string, depth: number): string {
  const lines: string[] = [];
  let fence: Fence | null = null;
  let isOpen = false;
  const close = (last: string | null): void => {
    if (fence) addAll(lines, fenced(fence, last));
    fence = null;
  };
  for (const line of printable(text).split('\n')) {
    const open = fence as Fence | null;
    if (open && leaves(line, open)) close(null);
    else if (open) {
      if (isEnd(line, open)) close(line);
      else open.lines.push(line);
      continue;
    }
    fence = fenceAt(line);
    if (fence) {
      isOpen = false;
      continue;
    }
    const safe = escapeMarkup(line, isOpen);
    // Code that begins in one line and ends in another is hard to tell: until the paragraph ends, nothing counts as code.
    isOpen = line.trim() !== '' && (isOpen || safe.isOpen);
    lines.push(withoutHeading(safe.text, lines.at(-1) ?? '', depth));
  }
  close(null);
  return lines.join('\n');
}

interface Fence {
  readonly indent: string;
  readonly mark: string;
  readonly info: string;
  /** What stands in it. */
  readonly lines: string[];
}

function fenceAt(line: string): Fence | null {
  const [, indent = '', mark = '', info = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? null : { indent, mark, info, lines: [] };
}

function isEnd(line: string, { mark }: Fence): boolean {
  const [, end = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return end[0] === mark[0] && end.length >= mark.length;
}

/** In an item of a list a fence ends with the item, and what follows would be live. */
const leaves = (line: string, { indent }: Fence): boolean => line.trim() !== '' && !line.startsWith(indent);

/**
 * Readers do not agree on what ends a fence: where something in it may, its marks become longer than all that stands in it. Some see the
 * head of a table in a bar. `last`: the line that ends it; null: none does.
 */
function fenced({ indent, mark, info, lines }: Fence, last: string | null): string[] {
  const isClear = !lines.some((line) => /^\s*(?:`{3,}|~{3,})/.test(line));
  const sign = mark[0] as string;
  const runs = lines.map((line) =>
    largest(
      [...line.matchAll(sign === '~' ? /~+/g : /`+/g)].map(([run]) => run.length),
      0,
    ),
  );
  const safe = isClear ? mark : sign.repeat(Math.max(mark.length, largest(runs, 0) + 1));
  return [indent + safe + info.replaceAll('|', ' '), ...lines, isClear && last !== null ? last : indent + safe];
}

const DEEPEST = 6;

/** A heading goes below the one it stands under; a text that an underline would make one stays a text. */
function withoutHeading(line: string, before: string, depth: number): string {
  const [, indent = '', marks = '', rest = ''] = /^( {0,3})(#{1,6})(?=\s|$)(.*)$/.exec(line) ?? [];
  if (marks !== '')
    return depth < DEEPEST
      ? `${indent}${'#'.repeat(Math.min(DEEPEST, depth + marks.length))}${rest}`
      : `${indent}\\${marks}${rest}`;
  if (/^ {0,3}=+\s*$/.test(line)) return line.replace('=', '\\=');
  if (/^ {0,3}-+\s*$/.test(line) && before.trim() !== '') return `\n${line}`;
  return line;
}

const MARKUP = /\\.|`+|<(?=[a-z/!?])|!(?=\[)|\](?=[(:])/gi;
/** Where a link leads: to a page, an address or a file beside this one. Anything else may be run by who clicks on it. */
const HARMLESS = /\](?:\(|:)[ \t]*<?(?:https?:\/\/|mailto:|[#/.]|[\w-]+[/.#?)])/iy;
/** A footnote leads nowhere, but not every reader knows of footnotes: for others it leads to its first word. */
const FOOTNOTE = /\]:[ \t]*[^\s:&\\<>]+(?=\s|$)/y;
const ADDRESS = /<(?:https?:\/\/|mailto:)[^\s<>]*>/iy;

export const safeLine = (line: string): string => escapeMarkup(line, false).text;

/**
 * Tags, pictures and links that may run something become text; code stays as it is, addresses too. `isOpen`: there is a mark of code
 * without its other half.
 */
function escapeMarkup(line: string, isLoose: boolean): { readonly text: string; readonly isOpen: boolean } {
  const ends = runsOf(line);
  let text = '';
  let done = 0;
  let isOpen = isLoose;
  MARKUP.lastIndex = 0;
  for (let match = MARKUP.exec(line); match; match = MARKUP.exec(line)) {
    const { 0: found, index } = match;
    // For some readers an address goes on to the next space: a backslash in it protects nothing, and a mark of code begins none.
    if (found.startsWith('\\') && isInAddress(line, index)) {
      MARKUP.lastIndex = index + 1;
      continue;
    }
    const isCode = found.startsWith('`');
    if (isCode && isInAddress(line, index)) isOpen = true;
    const end = isCode && !isOpen ? nextRun(ends, found.length, MARKUP.lastIndex) : addressEnd(line, index);
    if (isCode && end === null) isOpen = true;
    const isMarkup = found === '!' || (found === '<' && end === null) || (found === ']' && mayRun(line, index));
    MARKUP.lastIndex = end ?? MARKUP.lastIndex;
    text += line.slice(done, index) + (isMarkup ? escaped(found, line, index) : line.slice(index, MARKUP.lastIndex));
    done = MARKUP.lastIndex;
  }
  return { text: text + line.slice(done), isOpen };
}

/** A backslash behind an address without brackets would belong to the address, and what follows would be live. */
export function escaped(sign: string, line: string, at: number): string {
  if (sign === '<') return '&lt;';
  return isInAddress(line, at) ? `&#${sign.charCodeAt(0)};` : `\\${sign}`;
}

function isInAddress(line: string, at: number): boolean {
  let from = at;
  while (from > 0 && at - from < LONGEST_WORD && !/\s/.test(line[from - 1] as string)) from--;
  return at - from === LONGEST_WORD || /:\/\/|www\.|@/i.test(line.slice(from, at));
}

const LONGEST_WORD = 500;

/** `](` and `]:` begin where a link leads. */
function mayRun(line: string, at: number): boolean {
  HARMLESS.lastIndex = at;
  if (HARMLESS.test(line)) return false;
  FOOTNOTE.lastIndex = at;
  return !(line[line.lastIndexOf('[', at) + 1] === '^' && FOOTNOTE.test(line));
}

function addressEnd(line: string, at: number): number | null {
  ADDRESS.lastIndex = at;
  return ADDRESS.test(line) ? ADDRESS.lastIndex : null;
}

/** Where runs of backticks end, by their length, the last first. */
function runsOf(line: string): Map<number, number[]> {
  const ends = new Map<number, number[]>();
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].reverse()) {
    const list = ends.get(run.length);
    if (list) list.push(index + run.length);
    else ends.set(run.length, [index + run.length]);
  }
  return ends;
}

/** Code ends with as many backticks as it began with. */
function nextRun(ends: Map<number, number[]>, length: number, after: number): number | null {
  const list = ends.get(length) ?? [];
  while (list.length > 0 && (list.at(-1) as number) <= after) list.pop();
  return list.at(-1) ?? null;
}
