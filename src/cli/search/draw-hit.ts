import { basename } from 'node:path';
import type { Hit, SnippetPart } from '../../search/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printable, printableLine } from '../../views/text/printable.ts';
import { cutToWidth, widthOf } from '../../views/text/width.ts';
import { commandLine } from '../command-line.ts';
import type { RootOptions } from '../options.ts';
import { bold, dim, paint, shortId, shortRecordId } from '../table.ts';

/**
 *     Fix the clock  app  29ccd257
 *       2026-11-02 19:30  user
 *         … the clock is wrong …
 *         skein show 29ccd257 --at 9f2c1a77
 */
export function drawGroup(hits: readonly Hit[], options: RootOptions): string {
  const [first] = hits;
  if (!first) return '';
  const title = printableLine(first.sessionTitle ?? '(no title)');
  const where = `${projectName(first)}  ${shortId(first.session)}`;
  const room = (process.stdout.columns ?? WIDE) - widthOf(where) - 2;
  const head = `${bold(cutToWidth(title, Math.max(20, Math.min(100, room))))}  ${dim(where)}`;
  return [head, ...hits.map((hit) => indent(drawHit(hit, options)))].join('\n');
}

const WIDE = 160;
/** For the indent, and because a snippet ends with a word. */
const SPARE = 28;

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
  `${before}${dim(formatTime(hit.time))}  ${paint(hit.isError ? 'red' : 'cyan', nameOf(hit))}\n  ${drawSnippet(hit.snippet)}\n  ${dim(openCommand(hit, options))}`;

/** `user`, `assistant`, `Bash call`, `Bash result`, with who said it where that was a sub-agent. */
export function nameOf({ type, tool, subagent, isError }: Hit): string {
  const name =
    tool === null ? type : `${printableLine(tool)} ${type === 'tool_use' ? 'call' : isError ? 'error' : 'result'}`;
  return subagent === null ? name : `${name} (sub-agent)`;
}

const drawSnippet = (parts: readonly SnippetPart[]): string =>
  parts.map(({ text, marked }) => (marked ? paint(['bold', 'yellow'], printable(text)) : printable(text))).join('');

/** What shows the hit where it stands. */
const openCommand = ({ session, record }: Hit, options: RootOptions): string =>
  commandLine(['show', shortId(session), '--at', shortRecordId(record, session)], options);

export const projectName = ({ project }: Hit): string => printableLine(basename(project.path) || project.path);
