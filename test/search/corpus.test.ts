import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/index.ts';
import { backends, find } from '../kit/search-backends.ts';

interface Asked {
  readonly query: string;
  /** What somebody who asks so has in mind. */
  readonly intended: string;
  /** Every message that must be found, told by another program. */
  readonly found: readonly string[];
}

const CORPUS = resolve('../shared/corpus');
const roots = ['claude-code/projects', 'pi'].map((name) => join(CORPUS, name));
const asked: readonly Asked[] = JSON.parse(readFileSync(join(import.meta.dirname, 'corpus-queries.json'), 'utf8'));

describe.skipIf(!existsSync(CORPUS)).each(backends)(
  'M14 forty questions to the real sessions (skipped without the corpus beside the checkout), with %s:',
  (_, withSearch) => {
    test('all are answered in full, and what is meant is among the first five for at least 36', async () => {
      const missed: string[] = [];
      await withSearch(roots, async (search) => {
        for (const { query, intended, found } of asked) {
          const { hits, total } = await find(search, query);
          expect(hits.map(({ uuid }) => uuid).sort(), query).toEqual([...found].sort());
          expect(total, query).toBe(found.length);
          if (!hits.slice(0, 5).some(({ uuid }) => uuid === intended)) missed.push(query);
        }
      });
      expect(asked).toHaveLength(40);
      expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(4);
    }, 120_000);
  },
);

const FILTERS_ONLY = [
  ...[
    'type:prompt',
    'type:answer',
    'type:call',
    'type:result',
    'tool:Bash',
    'tool:Read,Edit',
    'is:error',
    'is:sidechain',
  ],
  ...['is:subagent', 'has:image', 'model:opus', 'agent:pi', 'after:2020-01-01', '-type:tool', 'type:user OR tool:Bash'],
];

describe.skipIf(!existsSync(CORPUS))('M14 the real sessions (skipped without the corpus beside the checkout)', () => {
  test('come in the same order from the index and from the logs, also where there are filters only', async () => {
    const queries = [...asked.map(({ query }) => query), ...FILTERS_ONLY];
    const answers: string[][][] = [];
    for (const [, withSearch] of backends)
      await withSearch(roots, async (search) => {
        const found: string[][] = [];
        for (const query of queries) {
          const { hits } = await search.search({ clause: parseQuery(query), limit: 1000, exact: true });
          found.push([query, ...hits.map((hit) => `${hit.uuid} ${hit.project.path} ${hit.score.toFixed(9)}`)]);
        }
        answers.push(found);
      });
    const [scanned, indexed] = answers;
    expect(indexed).toEqual(scanned);
    expect(scanned?.filter(({ length }) => length > 500).length).toBeGreaterThan(3);
  }, 120_000);
});
