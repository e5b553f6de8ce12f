import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { sourcesOf } from '../../src/ingest/index-projects.ts';
import { IndexedSearch } from '../../src/ingest/indexed-search.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { ReaderPool } from '../../src/ingest/reader-pool.ts';
import { StoredReader } from '../../src/ingest/stored-reader.ts';
import { type Found, parseQuery, type Search, wordsIn } from '../../src/search/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import type { Entry, Row } from '../entry.ts';
import { longSession } from '../generate/extremes.ts';
import { writeProjects } from '../generate/index.ts';
import { quantile } from '../measure.ts';
import { runProduct } from '../product.ts';

const MIB = 1048576;
/** Shorter lines than usual: a million messages in a third of the bytes. */
const LINE_BYTES = 1000;

/** `SEARCH_MIB=900 npm run bench -- search` for a million messages. */
export const search: Entry = {
  name: 'search',
  async *run(folder) {
    const mib = Number(process.env.SEARCH_MIB ?? 64);
    const root = join(folder, 'projects');
    const db = join(folder, 'index.db');
    writeProjects(root, { bytes: mib * MIB, lineBytes: LINE_BYTES });
    process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
    runProduct(folder, 'index', '--root', root);
    const history = History.open({ roots: [root] });
    try {
      yield* ask(history, db, root);
      yield* append(history, db, root);
    } finally {
      rmSync(db, { force: true });
    }
  },
};

/**
 * As somebody searches while typing, or through a server: with threads that only read, and have read some of the index before (ten queries of
 * the kind). What a command that searches once does is told beside it: alone, in its own thread.
 */
async function* ask(history: History, db: string, root: string): AsyncGenerator<Row> {
  const store = SqliteIndex.openToRead(db) as SqliteIndex;
  const pool = new ReaderPool(history.projects, { index: db, archive: null });
  const alone = new IndexedSearch(new StoredReader(history.projects, store));
  const together = new IndexedSearch(pool);
  const messages = (await store.sessions()).reduce((sum, { messageCount }) => sum + messageCount, 0);
  const { common, rare, phrases } = sample(root);
  const pick = (words: readonly string[], i: number): string => words[i % words.length] ?? 'a';
  const kinds: readonly [name: string, limit: number, query: (i: number) => string][] = [
    ['common word', 20, (i) => pick(common, i)],
    ['rare word', 20, (i) => pick(rare, i)],
    ['two words', 20, (i) => `${pick(common, i)} ${pick(common, i * 7 + 3)}`],
    ['common and rare word', 20, (i) => `${pick(common, i)} ${pick(rare, i)}`],
    ['prefix of two letters', 20, (i) => `${pick(common, i).slice(0, 2)}*`],
    ['prefix of four letters', 20, (i) => `${pick(rare, i).slice(0, 4)}*`],
    ['phrase', 50, (i) => `"${pick(phrases, i)}"`],
    ['word with filters', 20, (i) => `${pick(common, i)} tool:Bash type:tool_use`],
    ['filters alone', 20, () => 'is:error tool:Bash'],
    ['word without another', 20, (i) => `${pick(common, i)} -${pick(common, i + 5)}`],
    ['nothing found', 20, (i) => `${pick(rare, i)}xqz${i}`],
  ];
  for (const [name, limit, query] of kinds) {
    const asked = async (search: Search) => {
      const answers: [found: Found, ms: number][] = [];
      for (let i = 0; i < QUERIES; i++) answers.push(await timed(search, query(i)));
      return { hits: answers.map(([{ total }]) => total), times: answers.slice(FIRST).map(([, ms]) => ms) };
    };
    // One after the other: nobody searches in both ways in turn, and what one keeps in memory would drive out what the other does.
    const { hits, times } = await asked(together);
    const { times: timesAlone } = await asked(alone);
    yield {
      name: `search, ${name}, p95`,
      figure: quantile(times, 0.95),
      unit: 'ms',
      limit,
      note: `p50 ${quantile(times, 0.5).toFixed(1)} ms; alone p50 ${quantile(timesAlone, 0.5).toFixed(1)}, p95 ${quantile(timesAlone, 0.95).toFixed(1)}; ${(hits.reduce((sum, count) => sum + count, 0) / QUERIES).toFixed(0)} hits on average; ${messages} messages`,
    };
  }
  await store.close();
  await pool.close();
  yield await askFirst(history, db, phrases);
}

/** Of each kind; the first are not counted. */
const QUERIES = 60;
const FIRST = 10;

async function timed(search: Search, query: string): Promise<[found: Found, ms: number]> {
  const clause = parseQuery(query);
  const start = performance.now();
  return [await search.search({ clause, limit: 20 }), performance.now() - start];
}

/** Nothing of what it needs was read before, but by the system. */
async function askFirst(history: History, db: string, phrases: readonly string[]): Promise<Row> {
  const times: number[] = [];
  for (const phrase of phrases.slice(0, 10)) {
    const pool = new ReaderPool(history.projects, { index: db, archive: null });
    const search = new IndexedSearch(pool);
    await timed(search, 'xqz');
    times.push((await timed(search, `"${phrase}"`))[1]);
    await pool.close();
  }
  return {
    name: 'search, the first phrase after opening, slowest',
    figure: Math.max(...times),
    unit: 'ms',
    limit: null,
    note: `p50 ${quantile(times, 0.5).toFixed(1)} ms`,
  };
}

const APPENDS = Number(process.env.SEARCH_APPENDS ?? 1000);

async function* append(history: History, db: string, root: string): AsyncGenerator<Row> {
  const store = SqliteIndex.open(db);
  const source = sourcesOf(history).sort((a, b) => sizeOf(a) - sizeOf(b))[0] as TreeSource;
  const path = join(root, source.project.id, 'appended.jsonl');
  const live = new LiveIndex(store);
  const times: number[] = [];
  let first = true;
  for (const line of longSession(APPENDS + 1)) {
    appendFileSync(path, line);
    const { size, mtimeMs } = statSync(path);
    const known = source.files[0] as TreeSource['files'][number];
    const facts = {
      ...known.facts,
      id: 'appended.jsonl',
      path: 'appended.jsonl',
      native: 'appended',
      role: 'session' as const,
      session: null,
    };
    const start = performance.now();
    await live.update({ ...source, files: [{ facts, path, size, modified: mtimeMs }] });
    if (!first) times.push(performance.now() - start);
    first = false;
  }
  await store.close();
  yield {
    name: `one of ${APPENDS} appends to that store, slowest`,
    figure: Math.max(...times),
    unit: 'ms',
    limit: 100,
    note: `p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  };
}

const sizeOf = ({ files }: TreeSource): number => files.reduce((sum, { size }) => sum + size, 0);

/** Words as they stand in the logs: the most frequent, some that are there once, and three that stand together. */
function sample(root: string): { common: string[]; rare: string[]; phrases: string[] } {
  const counts = new Map<string, number>();
  const phrases: string[] = [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  for (const name of names.slice(0, 200)) {
    const text = readFileSync(join(root, name), 'utf8').slice(0, 200_000);
    for (const { 1: said = '' } of text.matchAll(/"text":"[^"]*?((?: [a-z]+){6,40})/g)) {
      for (const { term } of wordsIn(said)) counts.set(term, (counts.get(term) ?? 0) + 1);
      phrases.push(said.trim().split(' ').slice(1, 4).join(' '));
    }
  }
  const words = [...counts].filter(([word]) => word.length > 3).sort((a, b) => b[1] - a[1]);
  return {
    common: words.slice(0, 40).map(([word]) => word),
    rare: words.slice(-400).map(([word]) => word),
    phrases: phrases.filter((phrase) => phrase.split(' ').length === 3 && !phrase.includes('  ')),
  };
}
