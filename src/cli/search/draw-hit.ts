import { basename } from 'node:path';
import type { Hit, SnippetPart } from '../../search/index.ts';
import { paint } from '../../terminal/output.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printable, printableLine } from '../../views/text/printable.ts';
import { cutToWidth, widthOf } from '../../views/text/width.ts';
import { commandLine } from '../command-line.ts';
import type { RootOptions } from '../options.ts';
import { bold, dim, formatNumber, shortId, shortRecordId } from '../table.ts';
import type { HitGroup } from './group-hits.ts';

/**
 *     Fix the clock  app  29ccd257
 *       2026-11-02 19:30  user
 *         … the clock is wrong …
 *         skein show 29ccd257 --at 9f2c1a77
 *       … 2 more
 *
 * `most`: so many of its hits.
 */
export function drawGroup(hits: HitGroup, most: number, options: RootOptions): string {
  const [first] = hits;
  const title = printableLine(first.sessionTitle ?? '(no title)');
  const where = `${projectName(first)}  ${shortId(first.session)}`;
  const room = (process.stdout.columns ?? WIDE) - widthOf(where) - 2;
  const head = `${bold(cutToWidth(title, Math.max(20, Math.min(100, room))))}  ${dim(where)}`;
  const rest = hits.length > most ? [dim(`  … ${formatNumber(hits.length - most)} more`)] : [];
  return [head, ...hits.slice(0, most).map((hit) => indent(drawHit(hit, options))), ...rest].join('\n');
}

const WIDE = 160;
const INDENT = 4;
/** Because a snippet ends with a word, and for ellipses. */
const SPARE = INDENT + 24;

/** What fits beside the indent of a hit. */
export const snippetWidth = (): number =>
  Math.max(40, Math.min(WIDE, (process.stdout.columns ?? WIDE + SPARE) - SPARE));

/** Without its session above it. */
export function drawFlat(hit: Hit, options: RootOptions): string {
  const title = printableLine(hit.sessionTitle ?? '(no title)').slice(0, 60);
  return `${drawHit(hit, options, `${dim(`${projectName(hit)}  ${title}`)}  `)}`;
}

const indent = (text: string): string => text.replace(/^/gm, '  ');

const drawHit = (hit: Hit, options: RootOptions, before = ''): string =>
  `${before}${dim(formatTime(hit.time))}  ${paint([hit.isError ? 'red' : 'cyan'], nameOf(hit))}\n  ${drawSnippet(hit.snippet)}\n  ${dim(openCommand(hit, options))}`;

/** `user`, `assistant`, `Bash call`, `Bash result`, with who said it where that was a sub-agent. */
export function nameOf({ type, tool, subagent, isError }: Hit): string {
  const name =
    tool === null ? type : `${printableLine(tool)} ${type === 'tool_use' ? 'call' : isError ? 'error' : 'result'}`;
  return subagent === null ? name : `${name} (sub-agent)`;
}

/** A character may take two columns, so that a snippet is wider than it is long. */
const drawSnippet = (parts: readonly SnippetPart[]): string =>
  cutParts(parts, (process.stdout.columns ?? Number.POSITIVE_INFINITY) - INDENT)
    .map(({ text, marked }) => (marked ? paint(['bold', 'yellow'], text) : text))
    .join('') || dim(NO_TEXT);

/** An answer that is calls only, found by a filter. */
export const NO_TEXT = '(no text)';

/** Fit for a terminal, and no wider than that. */
export function cutParts(parts: readonly SnippetPart[], columns: number): SnippetPart[] {
  const cut: SnippetPart[] = [];
  let left = columns;
  for (const { text, marked } of parts) {
    const line = printable(text);
    const shown = cutToWidth(line, left);
    cut.push({ text: shown, marked });
    left -= widthOf(shown);
    if (shown !== line || left <= 0) break;
  }
  return cut;
}

/** What shows the hit where it stands. */
const openCommand = ({ session, record }: Hit, options: RootOptions): string =>
  commandLine(['show', shortId(session), '--at', shortRecordId(record, session)], options);

export const projectName = ({ project }: Hit): string => printableLine(basename(project.path) || project.path);
