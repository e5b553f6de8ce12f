import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../src/cli/fit-columns.ts';
import { formatSize, formatTable } from '../../src/cli/table.ts';
import { keepEnd, keepEnds, widthOf } from '../../src/views/text/width.ts';

const COLUMNS: readonly Column[] = [
  { title: 'WHEN' },
  { title: 'TITLE', flexible: 10, most: 30 },
  { title: 'BRANCH', spare: 1 },
  { title: 'MARK', spare: 3 },
  { title: 'COST', align: 'right', spare: 2 },
];
const ROW = ['2026-11-02', 'A title that is rather long', 'main', '', '$5.45'];
const titles = (width: number): string[] => (formatTable(COLUMNS, [ROW], width).split('\n')[0] ?? '').split(/ +/);

describe('P3 a table on a screen', () => {
  test('leaves out what says nothing, then what matters least, before a text has no room', () => {
    expect(titles(100)).toEqual(['WHEN', 'TITLE', 'BRANCH', 'MARK', 'COST']);
    expect(titles(40)).toEqual(['WHEN', 'TITLE', 'BRANCH', 'COST']);
    expect(titles(32)).toEqual(['WHEN', 'TITLE', 'COST']);
    expect(titles(24)).toEqual(['WHEN', 'TITLE']);
  });

  test('gives what is left to one column, up to what it needs and may have', () => {
    expect(formatTable(COLUMNS, [ROW], 32)).toBe('WHEN        TITLE           COST\n2026-11-02  A title that…  $5.45');
    expect(formatTable([{ title: 'T', most: 8 }], [['0123456789']])).toBe('T\n0123456…');
  });

  test('is never wider than the screen, whatever it holds', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('日本語のタイトル', '🎉👍🎉', 'x'.repeat(50), ''));
    const cut = fc.constantFrom<Column>({ title: 'A' }, { title: 'A', cut: 'start' }, { title: 'A', cut: 'middle' });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        cut,
        fc.array(fc.tuple(cell, cell, cell, cell, cell)),
        (width, first, rows) => {
          const columns = [first, ...COLUMNS.slice(1)];
          const plain = rows.map((row) => row.map((text) => text.replace(/[^ -~\u3000-\u9fff]/gu, '')));
          for (const line of formatTable(columns, plain, width).split('\n'))
            expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

test('P3 a path keeps its end, a summary both ends', () => {
  expect(keepEnd('/home/me/work/app', 9)).toBe('…work/app');
  expect(keepEnd('/app', 9)).toBe('/app');
  expect(keepEnds('first prompt → last prompt', 15)).toBe('first p… prompt');
  expect(keepEnds('日本語のタイトル', 8)).toBe('日…トル');
  expect(keepEnds('short', 8)).toBe('short');
});

test('P3 a size of a few lines is told too', () => {
  expect([0, 180, 12_345, 99_999, 100_000, 25_000_000, 2e9].map(formatSize)).toEqual([
    '0.0 MB',
    '0.2 KB',
    '12 KB',
    '100 KB',
    '0.1 MB',
    '25 MB',
    '2.00 GB',
  ]);
});
