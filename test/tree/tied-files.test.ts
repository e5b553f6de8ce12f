import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TiedFiles } from '../../src/tree/index.ts';
import { type Feed, feedsOf, projects, readWhole } from '../kit/random-project.ts';
import { assistant, digestOf, toolResult, toolUse, user } from '../kit/transcript.ts';
import { twoProjects } from '../kit/two-projects.ts';

/** `FC_RUNS=20000 npx vitest run test/tree/tied-files.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 700);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

function islandsOf(feeds: readonly Feed[]): string[][] {
  const tied = new TiedFiles();
  for (const { facts, lines } of feeds) {
    tied.enter(facts);
    for (const line of lines) tied.add(line);
  }
  return tied.islands();
}

interface Digest {
  readonly sessions: readonly { readonly session: { readonly id: string } }[];
  readonly records: readonly { readonly id: string }[];
  readonly findings: readonly object[];
}

/** What trees say together; how lines are counted is told by file anyway. */
function digestOfAll(islands: readonly (readonly Feed[])[]): Digest {
  const digests = islands.map((feeds) => JSON.parse(digestOf(readWhole(feeds))) as Digest);
  return {
    sessions: digests.flatMap(({ sessions }) => sessions).sort((a, b) => (a.session.id < b.session.id ? -1 : 1)),
    records: digests.flatMap(({ records }) => records).sort((a, b) => (a.id < b.id ? -1 : 1)),
    findings: digests
      .flatMap(({ findings }) => findings)
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

describe('M10: files that nothing ties are read as if each island were alone', () => {
  test.each([
    ['projects', projects, 25],
    ['two of them in one folder', twoProjects, 2],
  ] as const)(
    'random %s',
    (_, of, share) => {
      let islandCount = 0;
      fc.assert(
        fc.property(of, (project) => {
          const feeds = feedsOf(project);
          const islands = islandsOf(feeds).map((ids) => feeds.filter(({ facts }) => ids.includes(facts.id)));
          if (islands.length > 1) islandCount++;
          expect(islands.flat()).toHaveLength(feeds.length);
          expect(digestOfAll(islands)).toEqual(digestOfAll([feeds]));
        }),
        { numRuns, ...seed },
      );
      expect(islandCount).toBeGreaterThan(numRuns / share);
    },
    3_600_000,
  );

  const lines = {
    a: user('a', null, 'one', { sessionId: 's' }),
    b: user('b', null, 'two', { sessionId: 'r' }),
  };
  test.each([
    ['nothing', { 's.jsonl': [lines.a], 'r.jsonl': [lines.b] }, 2],
    ['a parent', { 's.jsonl': [lines.a], 'r.jsonl': [{ ...lines.b, parentUuid: 'a' }] }, 1],
    ['a copied line', { 's.jsonl': [lines.a], 'r.jsonl': [lines.a, lines.b] }, 1],
    [
      'a call and its result',
      {
        's.jsonl': [{ ...assistant('a', null, [toolUse('t')]), sessionId: 's' }],
        'r.jsonl': [user('b', null, [toolResult('t')], { sessionId: 'r' })],
      },
      1,
    ],
    ['a summary', { 's.jsonl': [lines.a], 'r.jsonl': [{ type: 'summary', leafUuid: 'a', summary: 'x' }] }, 1],
    ['a folder', { 's.jsonl': [lines.a], 's/subagents/agent-g.jsonl': [{ ...lines.b, isSidechain: true }] }, 1],
    [
      'the session that its lines name',
      { 's.jsonl': [lines.a], 'agent-g.jsonl': [{ ...lines.b, isSidechain: true, sessionId: 's' }] },
      1,
    ],
    ['the same words', { 's.jsonl': [lines.a], 'r.jsonl': [{ ...lines.a, uuid: 'b', sessionId: 'r' }] }, 2],
  ])('what ties two files: %s', (_, files, count) => {
    expect(islandsOf(feedsOf({ format: 'claude-code', files }))).toHaveLength(count);
  });
});
