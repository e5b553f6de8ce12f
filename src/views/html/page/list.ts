/** Of a list of pages: it can be narrowed, and its times are told as people say them. */
const rows = [...document.querySelectorAll<HTMLElement>('.rows li')];
const box = document.querySelector<HTMLInputElement>('.narrow');
const output = document.querySelector<HTMLOutputElement>('.hits');
const texts = rows.map((row) => (row.textContent ?? '').toLowerCase());

function narrow(): void {
  const words = (box?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((row, i) => {
    row.hidden = !words.every((word) => texts[i]?.includes(word));
    if (!row.hidden) shown++;
  });
  for (const group of document.querySelectorAll<HTMLElement>('.group'))
    group.hidden = (words.length === 0 && 'h' in group.dataset) || group.querySelector('li:not([hidden])') === null;
  if (output)
    output.textContent = words.length === 0 ? '' : `${shown.toLocaleString()} of ${rows.length.toLocaleString()}`;
}

box?.addEventListener('input', narrow);
// The browser may have kept what was typed before the page was looked at again.
narrow();

const DAY = 86_400_000;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

for (const time of document.querySelectorAll('time')) {
  const date = new Date(time.dateTime);
  if (Number.isNaN(date.getTime())) continue;
  time.title = exact.format(date);
  time.textContent = inWords(date);
}

function inWords(date: Date): string {
  const ago = Date.now() - date.getTime();
  if (ago < 0 || ago > 7 * DAY) return day.format(date);
  if (ago < DAY / 24) return relative.format(-Math.round(ago / 60_000), 'minute');
  if (ago < DAY) return relative.format(-Math.round(ago / 3_600_000), 'hour');
  return relative.format(-Math.round(ago / DAY), 'day');
}
