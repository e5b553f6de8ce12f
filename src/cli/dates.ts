import { parseDay, SkeinError, type TimeSpan, wholeDays } from '../model/index.ts';
import { printableLine } from '../views/text/printable.ts';

export interface RangeOptions {
  readonly on?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** What `--on`, `--since` and `--until` mean together, `--until` included; null when none of them is given. */
export function parseRange({ on, since, until }: RangeOptions, now = new Date()): TimeSpan | null {
  if (on !== undefined) {
    if (since !== undefined || until !== undefined)
      throw new SkeinError('bad_input', '--on means one day: leave it out, or leave out --since and --until');
    const day = wholeDays(on, now);
    if (day) return day;
    parseDay(on, now);
    throw new SkeinError('bad_input', `--on takes a day, a week, a month or a year, not a time: ${printableLine(on)}`);
  }
  if (since === undefined && until === undefined) return null;
  const from = since === undefined ? -Infinity : parseDay(since, now).from;
  const to = until === undefined ? Infinity : parseDay(until, now).to;
  if (from >= to)
    throw new SkeinError(
      'bad_input',
      `--since ${printableLine(since ?? '')} is after --until ${printableLine(until ?? '')}`,
    );
  return { from, to };
}
