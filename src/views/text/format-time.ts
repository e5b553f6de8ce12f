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
