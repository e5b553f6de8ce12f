import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { searchedMessages, withTitle } from '../../src/history/scan/searched-messages.ts';
import { eachRecord } from '../../src/messages/index.ts';
import { type Found, matcherOf, parseQuery, type Search } from '../../src/search/index.ts';
import { tempFolder } from './temp.ts';
import type { Files } from './transcript.ts';

/** Everything that answers searches, over the logs below some roots. All of them pass the same tests. */
export const backends: readonly (readonly [name: string, open: (roots: readonly string[]) => Promise<Search>])[] = [
  ['a scan', async (roots) => new ScanSearch(History.open({ roots }).projects, { threads: 0 })],
];

export const find = (search: Search, query: string): Promise<Found> =>
  search.search({ clause: parseQuery(query), limit: 1000 });

/** Ids of the messages, in an order that does not depend on scores. */
export const idsOf = ({ hits }: Found): string[] => hits.map(({ uuid }) => uuid).sort();

/** Writes logs; gives the root they lie below. Names begin with that of a project folder. */
export function writeRoot(files: Files): string {
  const root = join(tempFolder(), 'projects');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const text = typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(root, name), text);
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
        const own = i === 0 && title && title.from !== 'prompt' ? title.text : null;
        return matcher.matches({ ...searched, text: withTitle(searched.text, own) });
      });
    })
    .map(({ uuid }) => uuid)
    .sort();
}
