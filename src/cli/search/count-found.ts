import { type Found, RANKED } from '../../search/index.ts';
import { formatNumber, plural } from '../table.ts';

/** What stands below messages that were found: how many there are, and how to see the others. */
export function countMessages(found: Found, limit: number): string {
  const { hits, total } = found;
  if (hits.length === total) return allOf(found);
  if (limit >= RANKED) return `Showing ${newestOf(found)}`;
  return `Showing ${formatNumber(hits.length)} of ${allOf(found)}; ${MORE}`;
}

/** The same below sessions; all messages that can be had are in them. */
export function countSessions(found: Found, count: number, limit: number): string {
  const { hits, total } = found;
  const sessions =
    count > limit ? `Showing ${formatNumber(limit)} of ${plural(count, 'session')}` : plural(count, 'session');
  const messages = hits.length === total ? allOf(found) : newestOf(found);
  return `${sessions} with ${messages}${count > limit ? `; ${MORE}` : ''}`;
}

const MORE = '--limit shows more';

const allOf = ({ total, isCapped }: Found): string => `${isCapped ? 'more than ' : ''}${plural(total, 'message')}`;

const newestOf = (found: Found): string =>
  `the newest ${formatNumber(found.hits.length)} of ${allOf(found)}; a narrower query finds older ones`;
