import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { parseRange } from '../../src/cli/dates.ts';
import { parseDay, SkeinError } from '../../src/model/index.ts';

const HOUR = 3_600_000;
const ownZone = process.env.TZ;
afterEach(() => {
  if (ownZone === undefined) delete process.env.TZ;
  else process.env.TZ = ownZone;
});

/** Node reads the variable again when it is set. */
const inZone = (zone: string): void => {
  process.env.TZ = zone;
};
const iso = ({ from, to }: { from: number; to: number }): string[] =>
  [from, to].map((time) => new Date(time).toISOString().slice(0, 16));
const noon = new Date('2026-11-02T12:00:00Z');

describe('P3 a day', () => {
  test.each([
    ['UTC', ['2026-11-02T00:00', '2026-11-03T00:00']],
    ['Asia/Tokyo', ['2026-11-01T15:00', '2026-11-02T15:00']],
    ['America/New_York', ['2026-11-02T05:00', '2026-11-03T05:00']],
    ['Asia/Kathmandu', ['2026-11-01T18:15', '2026-11-02T18:15']],
  ])('is the local one in %s', (zone, range) => {
    inZone(zone);
    expect(iso(parseDay('2026-11-02'))).toEqual(range);
    expect(iso(parseDay('today', noon))).toEqual(range);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    // Midnight does not exist; midnight exists twice.
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['America/Havana', '2026-11-01', 25],
  ])('in %s, %s has %d hours', (zone, day, hours) => {
    inZone(zone);
    const { from, to } = parseDay(day);
    expect((to - from) / HOUR).toBe(hours);
    const dates = [from - 1, from, to - 1, to].map((time) => new Date(time).getDate() === Number(day.slice(8)));
    expect(dates).toEqual([false, true, true, false]);
  });

  test.each([
    ['2026-11', ['2026-11-01T00:00', '2026-12-01T00:00']],
    ['2026-12', ['2026-12-01T00:00', '2027-01-01T00:00']],
    ['2026', ['2026-01-01T00:00', '2027-01-01T00:00']],
    ['2024-02-29', ['2024-02-29T00:00', '2024-03-01T00:00']],
    ['Yesterday', ['2026-11-01T00:00', '2026-11-02T00:00']],
    [' 3  days ago ', ['2026-10-30T00:00', '2026-10-31T00:00']],
    ['0 days ago', ['2026-11-02T00:00', '2026-11-03T00:00']],
    ['2 weeks ago', ['2026-10-19T00:00', '2026-10-20T00:00']],
    ['1 month ago', ['2026-10-02T00:00', '2026-10-03T00:00']],
    ['11 months ago', ['2025-12-02T00:00', '2025-12-03T00:00']],
    ['7d', ['2026-10-26T00:00', '2026-10-27T00:00']],
    ['2W', ['2026-10-19T00:00', '2026-10-20T00:00']],
    ['3m', ['2026-08-02T00:00', '2026-08-03T00:00']],
    // It is a Monday.
    ['Monday', ['2026-11-02T00:00', '2026-11-03T00:00']],
    ['sunday', ['2026-11-01T00:00', '2026-11-02T00:00']],
    ['tuesday', ['2026-10-27T00:00', '2026-10-28T00:00']],
    ['this week', ['2026-11-02T00:00', '2026-11-09T00:00']],
    ['last week', ['2026-10-26T00:00', '2026-11-02T00:00']],
    ['this month', ['2026-11-01T00:00', '2026-12-01T00:00']],
    ['last month', ['2026-10-01T00:00', '2026-11-01T00:00']],
    ['2026-11-02T15:30', ['2026-11-02T15:30', '2026-11-02T15:31']],
    ['2026-11-02 15:30', ['2026-11-02T15:30', '2026-11-02T15:31']],
    ['2026-11-02T15:30:00+01:00', ['2026-11-02T14:30', '2026-11-02T14:30']],
  ])('%s', (text, range) => {
    inZone('UTC');
    expect(iso(parseDay(text, noon))).toEqual(range);
  });

  test.each([
    ['2026-03-31T12:00:00', '1 month ago', '2026-02-28'],
    ['2024-03-31T12:00:00', '1 month ago', '2024-02-29'],
    ['2026-05-31T12:00:00', '6 months ago', '2025-11-30'],
    ['2026-03-01T12:00:00', 'yesterday', '2026-02-28'],
    ['2026-01-01T00:00:00', 'yesterday', '2025-12-31'],
    ['2026-01-31T12:00:00', 'last month', '2025-12'],
    ['2026-03-31T12:00:00', 'last month', '2026-02'],
    ['2026-03-31T12:00:00', '1m', '2026-02-28'],
    ['2026-10-26T23:30:00', 'sunday', '2026-10-25'],
    // The day after a clock change: 24 hours earlier would be two days back.
    ['2026-03-30T00:30:00', 'yesterday', '2026-03-29'],
    ['2026-10-26T23:30:00', '2 days ago', '2026-10-24'],
  ])('at %s, %s is %s', (now, text, day) => {
    inZone('Europe/Berlin');
    expect(parseDay(text, new Date(now))).toEqual(parseDay(day));
  });

  test('hours and minutes ago are instants, across a clock change too', () => {
    inZone('Europe/Berlin');
    const now = new Date('2026-03-29T01:30:00Z');
    expect(parseDay('1 hour ago', now).from).toBe(now.getTime() - HOUR);
    expect(parseDay('90 minutes ago', now).from).toBe(now.getTime() - 1.5 * HOUR);
  });

  test('a local time is local, one with a zone is not', () => {
    inZone('Asia/Tokyo');
    expect(iso(parseDay('2026-11-02T15:30'))[0]).toBe('2026-11-02T06:30');
    expect(iso(parseDay('2026-11-02T15:30:00.000Z'))[0]).toBe('2026-11-02T15:30');
  });
});

test('P3 what is no date is told, with what would be one', () => {
  expect(() => parseDay('last tuesday')).toThrow(
    'Not a date: last tuesday. Write 2026-11-02, 2026-11, 2026, today, yesterday, monday, "this week", "last week", "this month", "last month", 7d, 2w, 3m, "3 days ago" (weeks, months), "2 hours ago" or "2026-11-02 15:30"',
  );
});

test.each([
  '',
  ' ',
  'tuesda',
  'next week',
  'last year',
  '7x',
  '7 d',
  'd',
  'tomorrow',
  '2026-02-30',
  '2026-02-29',
  '2026-13',
  '2026-00-01',
  '2026-1-2',
  '2026-11-00',
  '26-11-02',
  '0099',
  '2026-11-02T24:00',
  '2026-11-02T15:60',
  '2026-02-30T10:00',
  '2026-11T10:00',
  'yesterday 10:00',
  '2026-11-02T15',
  '2026-11-02T15:30+25:99',
  '-1 days ago',
  '1.5 days ago',
  '99999999999 days ago',
  '2 days',
  '1e3',
  '2026-11-02; 2026-11-03',
])('P3 not a date: "%s"', (text) => {
  expect(() => parseDay(text, noon)).toThrow(SkeinError);
  expect(() => parseDay(text, noon)).toThrow(/^Not a date: /);
});

describe('P4 a range', () => {
  const range = (options: Parameters<typeof parseRange>[0]) => parseRange(options, noon);

  test('is nothing without options', () => expect(range({})).toBeNull());

  test('--until includes its day', () => {
    inZone('UTC');
    expect(iso(range({ since: '2026-11-01', until: '2026-11-02' }) ?? { from: 0, to: 0 })).toEqual([
      '2026-11-01T00:00',
      '2026-11-03T00:00',
    ]);
  });

  test('is open where nothing is said', () => {
    expect(range({ since: 'today' })?.to).toBe(Infinity);
    expect(range({ until: 'today' })?.from).toBe(-Infinity);
  });

  test('--on is one day, or a month', () => {
    expect(range({ on: 'yesterday' })).toEqual(parseDay('yesterday', noon));
    expect(range({ on: '2026-10' })).toEqual(parseDay('2026-10'));
  });

  test.each([
    [{ on: 'today', since: 'today' }, '--on means one day: leave it out, or leave out --since and --until'],
    [{ on: '1 hour ago' }, '--on takes a day, a week, a month or a year, not a time: 1 hour ago'],
    [{ on: 'last tuesday' }, /^Not a date: last tuesday/],
    [{ since: '2026-11-02', until: '2026-11-01' }, '--since 2026-11-02 is after --until 2026-11-01'],
    [{ since: 'today', until: 'yesterday' }, '--since today is after --until yesterday'],
  ])('%j is an error', (options, message) => {
    expect(() => range(options)).toThrow(message);
    expect(() => range(options)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

const ZONES = ['UTC', 'Europe/Berlin', 'America/Havana', 'America/Sao_Paulo', 'Asia/Tehran', 'Pacific/Chatham'];

test('P3 the days follow each other without gap or overlap, and each holds its own moments', () => {
  const times = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), times, (zone, now) => {
      inZone(zone);
      const today = parseDay('today', now);
      expect(today.from <= now.getTime() && now.getTime() < today.to).toBe(true);
      expect(parseDay('yesterday', now).to).toBe(today.from);
      expect(parseDay('1 day ago', now)).toEqual(parseDay('yesterday', now));
      expect(parseDay('1 week ago', now)).toEqual(parseDay('7d', now));
      const week = parseDay('this week', now);
      expect(week.from <= now.getTime() && now.getTime() < week.to).toBe(true);
      expect(parseDay('last week', now).to).toBe(week.from);
      expect(week.from).toBe(parseDay('monday', now).from);
      const month = now.getMonth() === 0 ? 11 : now.getMonth() - 1;
      expect(new Date(parseDay('1 month ago', now).from).getMonth()).toBe(month);
    }),
    { numRuns: 1000 },
  );
});

test('P3 any text is a range or an error a user can act on', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,4}(-\d\d){0,2}(T\d\d:\d\d)?$/));
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const { from, to } = parseDay(text, noon);
        expect(from < to).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(SkeinError);
      }
    }),
  );
});
