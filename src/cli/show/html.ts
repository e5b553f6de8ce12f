import type { Session } from '../../history/index.ts';
import { renderPage } from '../../views/html/render-page.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { type SessionSummary, summarize } from '../summarize.ts';
import { formatNumber, plural } from '../table.ts';
import type { Selection, ShowOptions } from './index.ts';

/** The whole session as a page of its own. */
export function showHtml({ session }: Selection, output: Output, options: ShowOptions): void {
  const summary = summarize(session, openPrices(options));
  for (const piece of sessionPage(session, summary, { verbose: options.verbose ?? false })) output.write(piece);
}

export interface PageOptions {
  readonly verbose: boolean;
  /** Address of the list this page belongs to. */
  readonly up?: string;
}

export function sessionPage(
  session: Session,
  { title, models, branch, startedAt, records, threads, tokens, cost }: SessionSummary,
  { verbose, up }: PageOptions,
): Generator<string> {
  const facts = [
    session.conceal(session.project.path),
    branch,
    models.join(', '),
    formatTime(startedAt),
    plural(records, 'record'),
    threads > 1 ? plural(threads, 'thread') : '',
    `${formatNumber(tokens)} tokens`,
    cost,
  ].filter((fact) => fact !== '');
  return renderPage(outlineSession(session, verbose), { title, facts, ...(up === undefined ? {} : { up }) });
}
