import { onNear } from './near.ts';
import { headOf } from './nodes.ts';

const withDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const withoutDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
/** Here a reader looks for the day; what follows is of the same, or says so when it is pointed at. */
const DAYS = new Set(['user', 'command', 'bash', 'compaction', 'branch']);

/** Times stand in the page as they are in the log; somebody reads them in local time, and each is the address of its node. */
export function startTimes(): void {
  onNear(showTime);
}

/** Whether it was told in local time already or not. */
export const timeIn = (head: HTMLElement | null): string => {
  const time = head?.querySelector('time');
  return time?.dateTime || (time?.textContent ?? '');
};

export function showTime(node: HTMLElement): void {
  const link = headOf(node)?.querySelector<HTMLAnchorElement>('.at');
  const time = link?.querySelector('time');
  if (!link || !time || time.title !== '') return;
  if (node.id !== '') link.href = `#${node.id.slice(2)}`;
  const date = new Date(time.textContent ?? '');
  if (Number.isNaN(date.getTime())) return;
  time.dateTime = date.toISOString();
  time.title = date.toString();
  time.textContent = (DAYS.has(node.dataset.t ?? '') ? withDay : withoutDay).format(date);
}
