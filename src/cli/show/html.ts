import type { Session } from '../../history/index.ts';
import { renderPage } from '../../views/html/render-page.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { factsOf, type SessionSummary, summarize } from '../summarize.ts';
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
  summary: SessionSummary,
  { verbose, up }: PageOptions,
): Generator<string> {
  const { title } = summary;
  const facts = factsOf(session, summary);
  return renderPage(outlineSession(session, verbose), { title, facts, ...(up === undefined ? {} : { up }) });
}
