import type { Session } from '../../history/index.ts';
import { sessionRow } from '../../history/index.ts';
import { buildOutline } from '../../outline/index.ts';
import type { PriceTable } from '../../usage/index.ts';
import { renderPage } from '../../views/html/render-page.ts';
import { formatTime } from '../../views/text/format-time.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { formatCost, formatNumber, plural } from '../table.ts';
import type { Selection, ShowOptions } from './index.ts';

/** The whole session as a page of its own. */
export function showHtml({ session }: Selection, output: Output, options: ShowOptions): void {
  for (const piece of sessionPage(session, { verbose: options.verbose ?? false, prices: openPrices(options) }))
    output.write(piece);
}

export interface PageOptions {
  readonly verbose: boolean;
  readonly prices: PriceTable;
  /** Address of the list this page belongs to. */
  readonly up?: string;
}

export function sessionPage(session: Session, { verbose, prices, up }: PageOptions): Generator<string> {
  const row = sessionRow(session, { prices });
  const title = row.title ?? session.id;
  const content = (record: Parameters<Session['content']>[0]) => session.content(record, { annotations: true });
  const outline = buildOutline(session.logs.read().tree, session.id, content, { verbose, title });
  const { input, output, cacheRead, cacheWrite } = row.usage;
  const facts = [
    row.project.path,
    ...(row.gitBranch === null ? [] : [row.gitBranch]),
    formatTime(row.startedAt),
    plural(row.recordCount, 'record'),
    ...(row.threadCount > 1 ? [plural(row.threadCount, 'thread')] : []),
    `${formatNumber(input + output + cacheRead + cacheWrite)} tokens`,
    formatCost(row.usage),
  ];
  return renderPage(outline, { title, facts, ...(up === undefined ? {} : { up }) });
}
