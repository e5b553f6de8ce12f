import { SkeinError } from './error.ts';

/** Epoch milliseconds; `to` is the first one after it. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The local day (week, month, year, minute, instant) that a person means. */
export function parseDay(text: string, now = new Date()): TimeSpan {
  const range = wholeDays(text, now) ?? partOfDay(text, now);
  if (range) return range;
  throw new SkeinError('bad_input', `Not a date: ${text.trim().replace(/\s+/g, ' ') || '(empty)'}. ${ACCEPTED}`);
}

const ACCEPTED =
  'Write 2026-11-02, 2026-11, 2026, today, yesterday, monday, "this week", "last week", "this month", "last month", 7d, 2w, 3m, "3 days ago" (weeks, months), "2 hours ago" or "2026-11-02 15:30"';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Days, weeks, months and years; null for anything else. */
export function wholeDays(text: string, now: Date): TimeSpan | null {
  const words = normalize(text);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (words === 'today') return days(year, month, day);
  if (words === 'yesterday') return days(year, month, day - 1);
  // The last one, which may be today.
  const weekday = WEEKDAYS.indexOf(words);
  if (weekday >= 0) return days(year, month, day - ((now.getDay() - weekday + 7) % 7));
  const span = /^(this|last) (week|month)$/.exec(words);
  const back = span?.[1] === 'last' ? 1 : 0;
  if (span?.[2] === 'week') return days(year, month, day - ((now.getDay() + 6) % 7) - 7 * back, 7);
  if (span) return { from: midnight(year, month - back, 1), to: midnight(year, month - back + 1, 1) };
  const ago = /^(\d{1,4})(?:([dwm])| (day|week|month)s? ago)$/.exec(words);
  if (ago) {
    const count = Number(ago[1]);
    const unit = (ago[2] ?? ago[3] ?? '').slice(0, 1);
    if (unit === 'd') return days(year, month, day - count);
    if (unit === 'w') return days(year, month, day - 7 * count);
    return days(year, month - count, Math.min(day, daysIn(year, month - count)));
  }
  const date = /^([12]\d{3})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(words);
  return date ? calendar(date[1], date[2], date[3]) : null;
}

function calendar(year: string | undefined, month: string | undefined, day: string | undefined): TimeSpan | null {
  const y = Number(year);
  if (month === undefined) return { from: midnight(y, 0, 1), to: midnight(y + 1, 0, 1) };
  const m = Number(month) - 1;
  if (m < 0 || m > 11) return null;
  if (day === undefined) return { from: midnight(y, m, 1), to: midnight(y, m + 1, 1) };
  const d = Number(day);
  return d >= 1 && d <= daysIn(y, m) ? days(y, m, d) : null;
}

const MINUTE = 60_000;

function partOfDay(text: string, now: Date): TimeSpan | null {
  const words = normalize(text);
  const ago = /^(\d{1,6}) (minute|hour)s? ago$/.exec(words);
  if (ago) {
    const from = now.getTime() - Number(ago[1]) * (ago[2] === 'hour' ? 60 : 1) * MINUTE;
    return { from, to: from + 1 };
  }
  // 2026-11-02 15:30, 2026-11-02T15:30:00.000Z, 2026-11-02T15:30+01:00
  const time = /^(\S{10})[t ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(z|[+-]\d\d:[0-5]\d)?$/.exec(words);
  if (!time || !/^\d{4}-\d\d-\d\d$/.test(time[1] ?? '') || !wholeDays(time[1] ?? '', now)) return null;
  const from = Date.parse(words.toUpperCase().replace(' ', 'T'));
  if (Number.isNaN(from)) return null;
  return { from, to: from + (time[4] ? 1 : time[3] ? 1000 : MINUTE) };
}

const normalize = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');

/** A day has 23, 24 or 25 hours: its end is the next midnight, never 24 hours later. */
const days = (year: number, month: number, day: number, count = 1): TimeSpan => ({
  from: midnight(year, month, day),
  to: midnight(year, month, day + count),
});

/** Months and days may lie outside their usual range. Where a clock change skips midnight, it is the first moment after. */
const midnight = (year: number, month: number, day: number): number => new Date(year, month, day).getTime();

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
