const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-01-31 19:30`, local time; nothing for no time. */
export function formatTime(time: number | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return `${formatDay(time)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `2026-01-31`, local time. */
export function formatDay(time: number | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2026-01`, local time. */
export const formatMonth = (time: number | null): string => formatDay(time).slice(0, 7);

/** `2026-W05`, local time: a week belongs to the year that its Thursday lies in (ISO 8601). */
export function formatWeek(time: number | null): string {
  if (time === null) return '';
  const date = new Date(time);
  // In UTC every day has 24 hours.
  const thursday = new Date(
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7) + 3),
  );
  const year = thursday.getUTCFullYear();
  return `${year}-W${two(Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK) + 1)}`;
}

const WEEK = 7 * 24 * 3_600_000;
