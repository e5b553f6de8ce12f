import type { Session } from '../../history/index.ts';
import type { OutlineOptions } from '../../outline/index.ts';
import { renderPage } from '../../views/html/render-page.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { NO_TITLE } from '../session-table.ts';
import { factsOf, type SessionSummary, summarize } from '../summarize.ts';
import { askedFor, type Selection, type ShowOptions } from './index.ts';

/** The whole session as a page of its own; a thread or a sub-agent that was asked for narrows it. */
export function showHtml(selection: Selection, output: Output, options: ShowOptions): void {
  const { session } = selection;
  const summary = summarize(session, openPrices(options));
  const only = askedFor(selection, options);
  const page = sessionPage(session, summary, { verbose: options.verbose ?? false, ...(only && { only }) });
  for (const piece of page) output.write(piece);
}

export interface PageOptions {
  readonly verbose: boolean;
  /** Address of the list this page belongs to. */
  readonly up?: string;
  /** A part of the session. */
  readonly only?: OutlineOptions['only'];
}

export function sessionPage(
  session: Session,
  summary: SessionSummary,
  { verbose, up, only }: PageOptions,
): Generator<string> {
  const facts = factsOf(session, summary, only);
  return renderPage(outlineSession(session, verbose, only), {
    title: summary.title ?? NO_TITLE,
    facts,
    ...(up === undefined ? {} : { up }),
  });
}
