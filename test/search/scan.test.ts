import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { History } from '../../src/history/index.ts';
import { findNeedle } from '../../src/history/scan/find-needle.ts';
import { STEP, scanBytes } from '../../src/history/scan/scan-bytes.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { ingest } from '../../src/ingest/index.ts';
import { stripEscapes } from '../../src/model/index.ts';
import { type Found, matcherOf, type Pattern, parseQuery, type Wanted } from '../../src/search/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { find, idsOf, SESSION, writeRoot } from '../kit/search-backends.ts';
import { searched } from '../kit/searched.ts';
import { user } from '../kit/transcript.ts';

const scanOf = (root: string, threads = 0): ScanSearch =>
  new ScanSearch(History.open({ roots: [root] }).projects, { threads });
const findPattern = (search: ScanSearch, as: Pattern['as'], text: string): Promise<Found> =>
  search.search({ clause: null, pattern: { as, text }, limit: 1000 });

describe('M14 substring and regex go through the bytes', () => {
  test.each([
    ['substring', 'parse_ZEBRA', ['a1']],
    ['substring', 'ebra_qu', ['a1']],
    ['substring', 'permission d', ['a1_result_1']],
    ['substring', '本', ['a1_result_0']],
    ['substring', 'é', ['u1']],
    ['substring', '; //', ['a1_result_0']],
    ['substring', 'nothing of this', []],
    ['regex', 'z[e]bra_\\w+', ['a1']],
    ['regex', '^grep', ['a1_result_1', 'a1_tool_1']],
    ['regex', '\\bC\\+\\+', ['a2']],
  ] as const)('%s %s finds %j', async (as, text, expected) => {
    expect(idsOf(await findPattern(scanOf(writeRoot({ '-r/s9.jsonl': SESSION })), as, text))).toEqual(expected);
  });

  test('threads find the same', async () => {
    const files = { '-r/s9.jsonl': SESSION, '-q/t.jsonl': [user('v1', null, 'Another clock')] };
    const root = writeRoot(files);
    for (const query of ['clock', 'is:error', '"permission denied"'])
      expect(await find(scanOf(root, 2), query)).toEqual(await find(scanOf(root), query));
  });

  test('a search can be given up, and an expression that does not end is', async () => {
    const search = new ScanSearch(
      History.open({ roots: [writeRoot({ '-r/s.jsonl': [user('u1', null, `${'a'.repeat(60)}!`)] })] }).projects,
    );
    const endless = { clause: null, pattern: { as: 'regex', text: '(a|aa)+$' }, limit: 10 } as const;
    const controller = new AbortController();
    const given = search.search(endless, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 300);
    await expect(given).rejects.toThrow('enough');
    await expect(search.search(endless)).rejects.toThrow('The expression takes too long on one of the messages');
  }, 30_000);
});

describe('M14 a thread that reads the archive', () => {
  const codes: number[] = [];
  const onWorker = (worker: Worker): void => void worker.on('exit', (code) => codes.push(code));
  beforeAll(() => void process.on('worker', onWorker));
  afterAll(() => void process.off('worker', onWorker));

  test('ends itself between two steps when nobody waits for it: ended in the middle of one, it would take the process with it', async () => {
    const folder = new IndexFolder();
    const lines = Array.from({ length: 8000 }, (_, i) =>
      JSON.stringify(user(`u${i}`, null, `${i} ${'tick '.repeat(300)}`)),
    );
    folder.put('-r/s.jsonl', `${lines.join('\n')}\n`);
    const path = folder.db('archive.db');
    const archive = SqliteArchive.open(path);
    await ingest({ archive, roots: openRoots([folder.file('')]) });
    folder.clear();
    const { projects } = History.open({ roots: [folder.file('')], archive });
    const ends: string[] = [];
    for (let round = 0; round < 8; round++) {
      const search = new ScanSearch(projects, { threads: 1, archive: path });
      const controller = new AbortController();
      const given = search.search(
        { clause: null, pattern: { as: 'substring', text: '7 tick' }, limit: 10 },
        { signal: controller.signal },
      );
      setTimeout(() => controller.abort(new Error('enough')), 40 * round);
      ends.push(await given.then(() => 'done', String));
    }
    // On a fast machine some were done before: their threads wait for more.
    const given = ends.filter((end) => end !== 'done');
    expect(new Set(given)).toEqual(new Set(['Error: enough']));
    await vi.waitFor(() => expect(codes).toHaveLength(given.length), 10_000);
    expect(new Set(codes)).toEqual(new Set([0]));
    await archive.close();
    folder.remove();
  }, 60_000);
});

describe('M14 no line that matches is passed over for its bytes', () => {
  const part = fc.constantFrom(
    ...[
      'red',
      'FOX',
      'Zebra',
      ' ',
      '\n',
      '/',
      '"',
      '\\',
      '\u001b[31m',
      '\u001b[0m',
      '\u001b]0;t\u0007',
      'é',
      'e\u0301',
      '日本',
      '語',
      '<',
      '\u212a',
      'ß',
      '👩',
      '\u0001',
      'c++',
    ],
  );
  const text = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
  const wanted = fc.oneof(
    fc
      .constantFrom('red', 'zebra*', '"red fox"', 'é', '日本', 'c++', 'red fox', 'red OR 語', 'k*', 'red -fox', '-fox')
      .map((query): Wanted => ({ clause: parseQuery(query) })),
    text
      .filter((each) => each !== '')
      .map((each): Wanted => ({ clause: null, pattern: { as: 'substring', text: each } })),
    fc
      .constantFrom('r[e]d', 'redx?', 'fox+', '(?i)zebra', 'a|b', '\\x72ed', 'é+', '(?:red)?fox')
      .map((each): Wanted => ({ clause: null, pattern: { as: 'regex', text: each } })),
  );
  const escapes = [
    (json: string) => json,
    (json: string) =>
      json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    (json: string) =>
      json
        .replace(/[a-z](?=[a-z]*")/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`)
        .replace('\\u0074ext', 'text'),
  ];

  test('whatever is escaped, coloured or accented', () => {
    fc.assert(
      fc.property(
        wanted,
        text,
        fc.constantFrom(...escapes),
        fc.integer({ min: 1, max: 40 }),
        (asked, given, escaped, size) => {
          const needle = findNeedle(asked);
          // As `searchText` gives it: without colours.
          const plain = stripEscapes(given);
          if (!needle || !matcherOf(asked).matches(searched(plain))) return;
          const bytes = Buffer.from(`{"x":1}\n${escaped(JSON.stringify({ text: given }))}\n{"y":2}\n`);
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          const end = bytes.length - 8;
          expect(scanBytes(needle)(pieces).some((place) => place >= 8 && place < end)).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test.each(['zebra fox', 'z\\u001b[1me\\u001b[0mbra f\\u006fx'])(
    'wherever in a large piece it stands: %s',
    (written) => {
      const scan = scanBytes({ pieces: ['zebra fox'], besides: 'none' });
      const [before, after] = [Buffer.from('{"text":"'), Buffer.from(`${written}"}\n`)];
      for (let at = STEP - after.length; at <= STEP + 2; at++) {
        const bytes = Buffer.concat([
          before,
          Buffer.alloc(at - before.length, 'a'),
          after,
          Buffer.alloc(2 * STEP, 'b'),
        ]);
        expect(scan([bytes]).some((place) => place >= at && place < at + after.length)).toBe(true);
      }
    },
  );
});
