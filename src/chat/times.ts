/** Dates as the seed has them; inside we count milliseconds. A turn has dozens of equal ones, each of 96 bytes: they are shared. */
export function atTime(time: number): Date {
  const slot = time & (recent.length - 1);
  const known = recent[slot] as Date;
  if (known.getTime() === time) return known;
  const date = new Date(time);
  recent[slot] = date;
  return date;
}

const recent: Date[] = Array.from({ length: 64 }, () => new Date(Number.NaN));
