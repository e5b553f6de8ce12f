import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { searchedMessages } from '../../src/history/scan/searched-messages.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { IndexedSearch } from '../../src/ingest/indexed-search.ts';
import { StoredReader } from '../../src/ingest/stored-reader.ts';
import { eachRecord } from '../../src/messages/index.ts';
import { type Found, matcherOf, parseQuery, type Search, withTitle } from '../../src/search/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { tempFolder } from './temp.ts';
import { assistant, type Files, toolResult, toolUse, user } from './transcript.ts';

/** Runs with something that answers searches, over the logs below some roots. */
export type WithSearch = <T>(roots: readonly string[], run: (search: Search) => Promise<T>) => Promise<T>;

/** Everything that answers searches. All of them pass the same tests. */
export const backends: readonly (readonly [name: string, withSearch: WithSearch])[] = [
  ['a scan', (roots, run) => run(new ScanSearch(History.open({ roots }).projects, { threads: 0 }))],
  [
    'the index',
    async (roots, run) => {
      const history = History.open({ roots });
      const store = SqliteIndex.open(join(tempFolder(), 'index.db'));
      try {
        await indexProjects(history, store, { workers: 0 });
        return await run(new IndexedSearch(new StoredReader(history.projects, store)));
      } finally {
        await store.close();
      }
    },
  ],
];

export const find = (search: Search, query: string): Promise<Found> =>
  search.search({ clause: parseQuery(query), limit: 1000 });

/** Ids of the messages, in an order that does not depend on scores. */
export const idsOf = ({ hits }: Found): string[] => hits.map(({ uuid }) => uuid).sort();

/** Writes logs; gives the root they lie below. Names begin with that of a project folder. */
export function writeRoot(files: Files, name = 'projects'): string {
  const root = join(tempFolder(), name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** What must be found: every message is looked at, one after the other. */
export function findSlowly(root: string, query: string): string[] {
  const matcher = matcherOf({ clause: parseQuery(query) });
  return History.open({ roots: [root] })
    .projects.flatMap((project) => project.sessions())
    .flatMap((session) => {
      const { title } = session.facts;
      const messages = [...eachRecord(session.logs.read().tree, session.id)].flatMap(({ record, spawn }) =>
        searchedMessages(session, record, spawn),
      );
      return messages.filter(({ searched }, i) => {
        const own = i === 0 && title && 'text' in title ? title.text : null;
        return matcher.matches({ ...searched, text: withTitle(searched.text, own) });
      });
    })
    .map(({ uuid }) => uuid)
    .sort();
}

/** A session with something of everything that is searched. */
export const SESSION = [
  user('u1', null, 'Fix the Café clock', { cwd: '/r', gitBranch: 'fix/clock' }),
  assistant('a1', 'u1', [
    { type: 'thinking', thinking: 'Perhaps the tourbillon is stuck.' },
    { type: 'text', text: 'I look at parse_zebra_quux.' },
    toolUse('T1', 'Read', { file_path: 'src/clock.ts', limit: 4711 }),
    toolUse('T2', 'Bash', { command: 'grep -rn HTTPServer src', nested: [{ note: 'deepNote' }] }),
  ]),
  user('r1', 'a1', [toolResult('T1', [{ type: 'text', text: 'export const tick = 1; // 日本語' }])]),
  user('r2', 'a1', [toolResult('T2', 'grep: \u001b[31mperm\u001b[0mission denied', true)]),
  assistant('a2', 'r2', 'Written in C++ now.'),
];
