import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { History } from '../../src/history/index.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { indexProjects, sourcesOf } from '../../src/ingest/index-projects.ts';
import { IndexedSearch } from '../../src/ingest/indexed-search.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { StoredReader } from '../../src/ingest/stored-reader.ts';
import { type Found, parseQuery } from '../../src/search/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { projects } from '../kit/random-project.ts';
import { assistant, type Files, summary, toolResult, toolUse, user } from '../kit/transcript.ts';

const stores: SqliteIndex[] = [];
const folders: IndexFolder[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const folder of folders.splice(0)) folder.remove();
});

function openFolder(files: Files = {}): IndexFolder {
  const folder = new IndexFolder();
  folders.push(folder);
  folder.write('p', files);
  return folder;
}

async function openIndex(folder: IndexFolder): Promise<SqliteIndex> {
  const store = SqliteIndex.open(folder.db());
  stores.push(store);
  await indexProjects(folder.history(), store, { workers: 0 });
  return store;
}

/** What both say, which must be the same, and in the same order. */
async function askBoth(history: History, store: SqliteIndex, query: string): Promise<Found> {
  const request = { clause: parseQuery(query), limit: 10_000, facets: true, exact: true };
  const scanned = await new ScanSearch(history.projects, { threads: 0 }).search(request);
  const indexed = await new IndexedSearch(new StoredReader(history.projects, store)).search(request);
  expect(tell(indexed), query).toEqual(tell(scanned));
  return indexed;
}

/** Lengths are added up in another order. */
const tell = ({ hits, ...counted }: Found) => ({
  ...counted,
  hits: hits.map((hit) => ({ ...hit, score: hit.score.toFixed(9) })),
});

const SESSION = [
  user('u1', null, 'Fix the Café clock', { cwd: '/r', gitBranch: 'fix/clock' }),
  assistant('a1', 'u1', [
    { type: 'thinking', thinking: 'Perhaps the tourbillon is stuck.' },
    { type: 'text', text: 'I look at parse_zebra_quux, and at parseZebraQuux; not at a zebra.' },
    toolUse('T1', 'Read', { file_path: 'src/clock.ts', limit: 4711 }),
    toolUse('T2', 'Bash', { command: 'grep -rn HTTPServer src', nested: [{ note: 'deepNote' }] }),
  ]),
  user('r1', 'a1', [
    toolResult('T1', [
      { type: 'text', text: 'export const tick = 1; // 日本語' },
      { type: 'image', source: {} },
    ]),
  ]),
  user('r2', 'a1', [toolResult('T2', 'grep: \u001b[31mperm\u001b[0mission denied', true)]),
  assistant('a2', 'r2', 'Written in C++ now; parse zebra quux.'),
  user('u2', 'a2', 'tock\nthe   clock, please'),
  summary('u2', 'Grandfather mends a pendulum'),
];

const QUERIES = [
  ...[
    'clock',
    'cafe',
    'CAFÉ',
    'tourbillon',
    'zebra',
    'parse_zebra_quux',
    'parseZebraQuux',
    'parsezebraquux',
    '"parse zebra"',
    '4711',
  ],
  ...[
    'note',
    'deepNote',
    'server',
    'httpserver',
    'src/clock.ts',
    'tick',
    '日本',
    '日',
    '本語',
    '日本語',
    '語本',
    'permission',
    '"permission denied"',
  ],
  ...[
    'c++',
    'c',
    'clo*',
    'par*',
    'c*',
    'httpS*',
    '"the clock"',
    '"clock, please"',
    '"clock please"',
    'clock -src',
    'clock OR tick',
    '-clock',
    'zebra quux -thinking',
  ],
  ...[
    'is:error',
    'is:sidechain',
    'is:subagent',
    'has:image',
    'tool:bash',
    'tool:Read',
    'type:user',
    'type:tool',
    'model:claude',
    'branch:fix/clock',
  ],
  ...[
    'agent:claude',
    'agent:pi',
    'project:p',
    'project:nothing',
    'session:s',
    'session:x',
    'file:clock.ts',
    'file:src',
    'file:/r/src/clock.ts -type:tool_use',
  ],
  ...[
    'pendulum',
    'grandfather clock',
    'pendulum -fix',
    'pendulum type:user',
    'pendulum type:assistant',
    '"mends a"',
    'after:2020-01-01',
    'before:2020-01-01',
    'nowhere',
  ],
  ...[
    'clock -"the clock"',
    'zebra -parse_zebra_quux',
    '-parse_zebra_quux',
    '-(type:assistant "parse zebra")',
    '-(type:user "parse zebra")',
    'type:user OR parse_zebra_quux',
    'type:assistant OR "the clock"',
    '(type:user OR tool:Bash) "the clock"',
    '(type:user parse_zebra_quux) OR (type:assistant "parse zebra")',
    'pendulum -"mends a"',
    '"mends a" OR "clock, please"',
  ],
];

describe('M14 the index says what reading everything says', () => {
  test.each(QUERIES)('%s', async (query) => {
    const folder = openFolder({ 's.jsonl': SESSION });
    await askBoth(folder.history(), await openIndex(folder), query);
  });

  test('of an identifier in another writing nothing is found', async () => {
    const folder = openFolder({ 's.jsonl': SESSION });
    const store = await openIndex(folder);
    const ids = async (query: string) => (await askBoth(folder.history(), store, query)).hits.map(({ uuid }) => uuid);
    expect(await ids('parse_zebra_quux')).toEqual(['a1']);
    expect(await ids('PARSE_ZEBRA_QUUX')).toEqual(['a1']);
    expect(await ids('parsezebraQUUX')).toEqual(['a1']);
    expect(await ids('parse-zebra-quux')).toEqual([]);
    expect(await ids('"parse zebra quux"')).toEqual(['a2']);
  });

  test.each([3, 40])('of %i calls that share an id, and as many results', async (count) => {
    const numbers = Array.from({ length: count }, (_, i) => i);
    const folder = openFolder({
      's.jsonl': [
        assistant(
          'a',
          null,
          numbers.map((i) => toolUse('T', 'Read', { file_path: `/r/f${i}.ts`, note: `given${i}` })),
        ),
        user(
          'r',
          'a',
          numbers.map((i) => toolResult('T', `came${i}`)),
        ),
        user('q', 'r', [toolResult('T', 'late')]),
        user(
          'n',
          'q',
          numbers.map((i) => toolResult('nobody', `stray${i}`)),
        ),
      ],
    });
    const store = await openIndex(folder);
    const ids = async (query: string) => (await askBoth(folder.history(), store, query)).hits.map(({ uuid }) => uuid);
    expect(await ids('given1')).toEqual(['a_tool_1']);
    expect(await ids('file:f1.ts')).toEqual(['a_tool_1']);
    expect((await ids('file:f0.ts')).sort()).toEqual(['a_result_0', 'a_tool_0']);
    expect(await ids('came0 came1 late')).toEqual(['a_result_0']);
    expect(await ids('stray1')).toEqual(['n_result_1']);
    expect(await ids('stray0 stray1')).toEqual([]);
  });

  test('after every line that was appended, and after small volumes were put together', async () => {
    const folder = openFolder();
    const store = SqliteIndex.open(folder.db());
    stores.push(store);
    const live = new LiveIndex(store);
    for (let i = 0; i < 40; i++) {
      const line =
        i % 3 === 2
          ? assistant(`m${i}`, `m${i - 1}`, `answer ${i} pendulum`)
          : user(`m${i}`, i === 0 ? null : `m${i - 1}`, `prompt${i} clock ${i % 2 ? 'tick' : 'tock'}`);
      folder.append('p/s.jsonl', `${JSON.stringify(line)}\n`);
      await live.update(sourcesOf(folder.history())[0] as TreeSource);
      if (i % 7 === 0 || i > 36)
        for (const query of ['clock', 'tick', 'prompt3*', 'pendulum -tock'])
          await askBoth(folder.history(), store, query);
    }
    expect((await askBoth(folder.history(), store, 'prompt')).total).toBe(0);
  });

  test('older hits of an identifier, behind more than a thousand newer ones that only begin so', async () => {
    const old = [
      user('o0', null, 'the user_id here'),
      user('o1', 'o0', 'a user_id there'),
      user('o2', 'o1', 'user_id'),
    ];
    const newer = Array.from({ length: 1200 }, (_, i) =>
      user(`n${i}`, i === 0 ? 'o2' : `n${i - 1}`, `step user_id_hash ${i}`),
    );
    const folder = openFolder({ 's.jsonl': [...old, ...newer] });
    const store = await openIndex(folder);
    const history = folder.history();
    expect((await askBoth(history, store, 'user_id')).total).toBe(3);
    expect((await askBoth(history, store, 'step -user_id')).total).toBe(1200);
    expect((await askBoth(history, store, '-user_id_hash')).total).toBe(3);
    const quick = new IndexedSearch(new StoredReader(history.projects, store));
    const found = await quick.search({ clause: parseQuery('user_id'), limit: 2 });
    expect(found.hits.map(({ uuid }) => uuid).every((uuid) => uuid.startsWith('o'))).toBe(true);
    expect(found).toMatchObject({ total: 3, isEstimated: false });
    const many = await quick.search({ clause: parseQuery('user_id_hash'), limit: 2 });
    expect(many).toMatchObject({ total: 1200, isEstimated: true });
    expect(many.hits).toHaveLength(2);
  });

  test('facets change nothing of what is ranked', async () => {
    const lines = Array.from({ length: 1500 }, (_, i) =>
      user(`m${i}`, i === 0 ? null : `m${i - 1}`, 'zebra '.repeat(1 + ((i * 7) % 13))),
    );
    const folder = openFolder({ 's.jsonl': lines });
    const store = await openIndex(folder);
    const search = new IndexedSearch(new StoredReader(folder.history().projects, store));
    const request = { clause: parseQuery('zebra'), limit: 1000 };
    const [without, withFacets] = await Promise.all([
      search.search(request),
      search.search({ ...request, facets: true }),
    ]);
    expect(withFacets.hits).toEqual(without.hits);
    expect(withFacets.facets?.type).toEqual([{ value: 'user', count: 1500 }]);
    await askBoth(folder.history(), store, 'zebra');
  });

  test('a title is found at one message only, and not at all where it is a prompt', async () => {
    const folder = openFolder({
      's.jsonl': [
        user('m1', null, 'first'),
        user('m2', 'm1', 'the wombat_plan_old file, a wombat and a plan'),
        summary('m2', 'The wombat_plan'),
      ],
      't.jsonl': [user('p1', null, 'rename red_fox please'), assistant('p2', 'p1', 'the red fox number 1')],
    });
    const store = await openIndex(folder);
    const ids = async (query: string) => (await askBoth(folder.history(), store, query)).hits.map(({ uuid }) => uuid);
    expect(await ids('wombat_plan')).toEqual(['m1']);
    expect(await ids('red_fox')).toEqual(['p1']);
  });

  test.each([63, 64, 65, 80])('a word of %i letters is not the beginning of a longer one', async (length) => {
    const word = 'x'.repeat(length);
    const folder = openFolder({ 's.jsonl': [user('a', null, word), user('b', 'a', `${word}y`)] });
    const found = await askBoth(folder.history(), await openIndex(folder), word);
    expect(found.hits.map(({ uuid }) => uuid)).toEqual(['a']);
  });

  test('no phrase goes on in another value, block or result', async () => {
    const folder = openFolder({
      's.jsonl': [
        assistant('a', null, [
          { type: 'text', text: 'All is done.' },
          { type: 'text', text: 'Next step follows' },
          toolUse('T', 'Bash', { command: 'rm public/', description: 'Removing old files' }),
        ]),
        user('r', 'a', [
          toolResult('T', [
            { type: 'text', text: 'one end,' },
            { type: 'text', text: 'other end' },
          ]),
        ]),
      ],
    });
    const store = await openIndex(folder);
    const total = async (query: string) => (await askBoth(folder.history(), store, query)).total;
    for (const query of ['"public/ Removing"', '"public removing"', '"done. Next"', '"done next"', '"end, other"'])
      expect(await total(query), query).toBe(0);
    for (const query of ['"Removing old"', '"Next step"', '"one end,"', 'public/'])
      expect(await total(query), query).toBe(1);
  });

  test('what a rewritten file said is not found any more', async () => {
    const folder = openFolder({
      's.jsonl': [user('a', null, 'the xyzzy word')],
      't.jsonl': [user('b', null, 'the other word')],
    });
    await (await openIndex(folder)).close();
    folder.write('p', { 's.jsonl': [user('a', null, 'plugh')] });
    const store = await openIndex(folder);
    expect((await askBoth(folder.history(), store, 'xyzzy')).total).toBe(0);
    expect((await askBoth(folder.history(), store, 'word')).total).toBe(1);
    expect((await askBoth(folder.history(), store, 'plugh')).total).toBe(1);
  });
});

const say = (text: string) => ({ type: 'text', text });
const think = (thinking: string) => ({ type: 'thinking', thinking, signature: 's' });
const read = (id: string, name: string) => toolUse(id, 'Read', { file_path: name });

test.each([
  ['a line calls again what stood elsewhere', [[read('t3', 'one.ts')], [read('t1', 'two.ts'), read('t3', 'last.ts')]]],
  ['a line calls first what is called again', [[read('t2', 'one.ts'), read('t1', 'two.ts')], [read('t2', 'last.ts')]]],
  ['one id is called twice, and again', [[read('t', 'one.ts'), read('t', 'two.ts')], [read('t', 'last.ts')]]],
  ['a text is said again beside another', [[say('tick')], [say('tock'), say('tick')]]],
  ['a text grows', [[say('tick')], [say('tick tock')], [say('tick tock tick'), read('t', 'one.ts')]]],
  [
    'a thought grows',
    [
      [think('tick'), say('tock')],
      [think('tick tick'), say('tock tock')],
    ],
  ],
  [
    'a thought is hidden the second time',
    [
      [think('tick'), say('tock')],
      [think(''), say('tock tock')],
    ],
  ],
])('peers D4 an answer is found by what it says in the end: %s', async (_, said) => {
  const answer = said.map((blocks, i) => assistant(`a${i}`, i === 0 ? null : `a${i - 1}`, blocks, { id: 'm' }));
  const folder = openFolder({ 's.jsonl': answer });
  const store = await openIndex(folder);
  const queries = ['tick', '"tick tick"', '"tock tick"', '-tock', 'type:tool', 'file:one.ts', 'file:last.ts', 'last'];
  for (const query of queries) await askBoth(folder.history(), store, query);
});

describe('M14 the order within one second is the same from the index and from the logs', () => {
  const BASE = Date.UTC(2026, 4, 1);

  /** `each`: when one of `count` lines was written; null: the line does not say. */
  function linesAt(count: number, each: (i: number) => number | null): object[] {
    return Array.from({ length: count }, (_, i) => {
      const [before, time] = [i === 0 ? null : `m${i - 1}`, each(i)];
      const at = { timestamp: time === null ? undefined : new Date(time).toISOString() };
      if (i % 5 === 3) {
        const uses = [
          toolUse(`T${i}`, 'Bash', { command: 'tick' }),
          toolUse(`U${i}`, 'Read', { file_path: '/r/a.ts' }),
        ];
        return assistant(`m${i}`, before, uses, at);
      }
      if (i % 5 === 4) return user(`m${i}`, before, [toolResult(`T${i - 1}`, 'the clock', i % 2 === 0)], at);
      return user(`m${i}`, before, i % 3 === 0 ? 'the clock' : `clock ${i}`, at);
    });
  }

  const FILTERS = ['type:prompt', 'tool:Bash', 'type:tool', 'is:error', 'file:a.ts', '-type:tool', 'after:2020-01-01'];
  const WORDS = ['clock', '"the clock"', 'the clock', 'clock OR tick', 'type:user OR tick', '-clock', 'cl*'];

  test.each([
    ['many within a few seconds', 500, (i: number) => BASE + ((i * 7919) % 4000)],
    ['all within one', 200, (i: number) => BASE + ((i * 31) % 900)],
    ['more than are ranked, all at one moment', 800, () => BASE],
    ['some without a time', 700, (i: number) => (i % 9 === 0 ? BASE + (i % 1000) : null)],
    ['a second a line', 100, (i: number) => BASE + 1000 * i + (i % 7)],
  ] as const)(
    '%s',
    async (_, count, each) => {
      const folder = openFolder({ 's.jsonl': linesAt(count, each) });
      // The same messages in another project, as a copied folder has them.
      folder.write('q', { 's.jsonl': linesAt(count, each).map((line) => ({ ...line, cwd: '/q' })) });
      const store = await openIndex(folder);
      const history = folder.history();
      expect(history.projects).toHaveLength(2);
      const indexed = new IndexedSearch(new StoredReader(history.projects, store));
      for (const query of [...FILTERS, ...WORDS]) {
        const { hits } = await askBoth(history, store, query);
        const times = hits.map(({ time }) => time ?? 0);
        if (FILTERS.includes(query)) expect(times, query).toEqual(times.toSorted((a, b) => b - a));
        for (const limit of [1, 7]) {
          const few = await indexed.search({ clause: parseQuery(query), limit, exact: true });
          expect(few.hits, `${query}, ${limit}`).toEqual(hits.slice(0, limit));
        }
      }
    },
    60_000,
  );

  test('after: and before: mean the same moment', async () => {
    const folder = openFolder({ 's.jsonl': linesAt(50, (i) => BASE + i * 100) });
    const store = await openIndex(folder);
    for (const ms of [0, 1, 499, 1000, 1500, 2999, 4900, 5000])
      for (const name of ['after', 'before'])
        await askBoth(folder.history(), store, `${name}:${new Date(BASE + ms).toISOString()}`);
  });
});

test('M14 the index says what reading everything says: random projects', async () => {
  await fc.assert(
    fc.asyncProperty(projects, async (project) => {
      const folder = new IndexFolder(project.format === 'pi' ? 'sessions' : 'projects');
      folders.push(folder);
      folder.write('p', project.files);
      const store = await openIndex(folder);
      const history = folder.history();
      const filters = [
        'type:user',
        'type:assistant',
        'type:tool',
        'is:subagent',
        'is:sidechain -type:tool',
        'is:error',
      ];
      for (const query of [...filters, 'a*', '-b', 'x', '"x y"', 'file:f']) await askBoth(history, store, query);
      await stores.pop()?.close();
      folders.pop()?.remove();
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 40) },
  );
}, 3_600_000);
