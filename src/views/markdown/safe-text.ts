import { printable } from '../printable.ts';

/**
 * What somebody said as a part of a larger document: it stays Markdown, but leaves nothing open behind it, has no heading above `depth`,
 * and loads and runs nothing.
 */
export function safeText(text: string, depth: number): string {
  const lines: string[] = [];
  let fence: Fence | null = null;
  let isOpen = false;
  for (const line of printable(text).split('\n')) {
    if (fence && leaves(line, fence)) {
      lines.push(endOf(fence));
      fence = null;
    }
    if (fence) {
      lines.push(line);
      if (isEnd(line, fence)) fence = null;
      continue;
    }
    fence = fenceAt(line);
    const safe = escapeMarkup(line, isOpen);
    // Code that begins in one line and ends in another is hard to tell: until the paragraph ends, nothing counts as code.
    isOpen = !fence && line.trim() !== '' && (isOpen || safe.isOpen);
    // Some readers see the head of a table in a bar.
    lines.push(fence ? line.replaceAll('|', ' ') : withoutHeading(safe.text, lines.at(-1) ?? '', depth));
  }
  if (fence) lines.push(endOf(fence));
  return lines.join('\n');
}

interface Fence {
  readonly indent: string;
  readonly mark: string;
}

function fenceAt(line: string): Fence | null {
  const [, indent = '', mark = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && rest.includes('`')) ? null : { indent, mark };
}

function isEnd(line: string, { mark }: Fence): boolean {
  const [, end = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return end[0] === mark[0] && end.length >= mark.length;
}

/** In an item of a list a fence ends with the item, and what follows would be live. */
const leaves = (line: string, { indent }: Fence): boolean => line.trim() !== '' && !line.startsWith(indent);

const endOf = ({ indent, mark }: Fence): string => indent + mark;

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
  let isOpen = false;
  MARKUP.lastIndex = 0;
  for (let match = MARKUP.exec(line); match; match = MARKUP.exec(line)) {
    const { 0: found, index } = match;
    const end =
      found.startsWith('`') && !isLoose ? nextRun(ends, found.length, MARKUP.lastIndex) : addressEnd(line, index);
    if (found.startsWith('`') && end === null) isOpen = true;
    const isMarkup = found === '!' || (found === '<' && end === null) || (found === ']' && mayRun(line, index));
    MARKUP.lastIndex = end ?? MARKUP.lastIndex;
    text += line.slice(done, index) + (isMarkup ? `\\${found}` : line.slice(index, MARKUP.lastIndex));
    done = MARKUP.lastIndex;
  }
  return { text: text + line.slice(done), isOpen };
}

/** `](` and `]:` begin where a link leads. A footnote begins like one, and leads nowhere. */
function mayRun(line: string, at: number): boolean {
  HARMLESS.lastIndex = at;
  return !HARMLESS.test(line) && !(line[at + 1] === ':' && line[line.lastIndexOf('[', at) + 1] === '^');
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
