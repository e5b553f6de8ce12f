import type { Session } from '../../history/index.ts';
import { pageScriptHash, pageStyleHash } from '../../views/html/page-assets.ts';
import { jsonOutline } from '../../views/json/json-outline.ts';
import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import { outlineSession } from '../outline-session.ts';
import { sessionPage } from '../show/html.ts';
import { factsOf, type SessionSummary } from '../summarize.ts';

/** The forms of an export, and how their files end. */
export const ENDINGS = { html: 'html', markdown: 'md', json: 'json' } as const;
export type Form = keyof typeof ENDINGS;

/** `up`: the list the page belongs to. */
export function renderSession(
  session: Session,
  summary: SessionSummary,
  form: Form,
  { verbose, up }: { readonly verbose: boolean; readonly up?: string },
): Iterable<string> {
  if (form === 'html') return sessionPage(session, summary, { verbose, ...(up === undefined ? {} : { up }) });
  const outline = outlineSession(session, verbose);
  return form === 'json'
    ? jsonOutline(outline, undefined, () => session.unreadable)
    : renderMarkdown(outline, factsOf(session, summary));
}

/** Raised when the same files come out differently. */
const VERSION = 6;

/** Differs where the same session would be written differently. */
export const lookOf = ({ form, verbose, pricesStamp }: Look): string =>
  `${VERSION} ${form} ${verbose} ${pricesStamp} ${form === 'html' ? `${pageScriptHash} ${pageStyleHash}` : ''}`;

interface Look {
  readonly form: Form;
  readonly verbose: boolean;
  /** Tells one table of prices from another. */
  readonly pricesStamp: string;
}
