import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { SessionRows } from '../../src/ingest/session-rows.ts';
import { SessionSums } from '../../src/ingest/session-sums.ts';
import type { Line } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { assistant, claudeTree, command, factsOf, linesOf, stdout, user } from '../kit/transcript.ts';

/** A session that was rewound at each of its prompts: every branch leads through all prompts before it. */
function comb(teeth: number): Tree {
  const lines: object[] = [user('p0', null, 'begin'), assistant('a0', 'p0')];
  for (let i = 1; i <= teeth; i++)
    lines.push(
      user(`t${i}`, `a${i - 1}`, `try ${i}`),
      assistant(`b${i}`, `t${i}`),
      user(`p${i}`, `a${i - 1}`, `prompt ${i}`),
      assistant(`a${i}`, `p${i}`),
    );
  return claudeTree(lines);
}

function recordsAsked(tree: Tree): number {
  let asked = 0;
  const rows = new SessionRows(tree, (id) => {
    asked++;
    return id.startsWith('p') || id.startsWith('t');
  });
  const id = tree.sessionIds()[0] as string;
  const entry = rows.write(id, new SessionSums(id));
  const firstAndLast = entry?.threads.map(({ summary }) => JSON.stringify(summary));
  expect(new Set(firstAndLast).size).toBe(tree.session(id).threads.length);
  return asked;
}

test('H13 the row of a session with many branches looks at each record once, however many branches lead through it', () => {
  for (const teeth of [10, 40]) expect(recordsAsked(comb(teeth))).toBe(2 + 4 * teeth);
});

test('H14 each thread of such a session has its own path and count', () => {
  const tree = comb(5);
  const id = tree.sessionIds()[0] as string;
  const { threads } = tree.session(id);
  expect(threads).toHaveLength(6);
  for (const { id: thread, leaf, recordCount } of threads) {
    const path = tree.path(id, thread);
    expect(path).toHaveLength(recordCount);
    expect(path.at(-1)).toBe(leaf);
    expect(tree.path(id, leaf)).toEqual(path);
  }
  expect(tree.path(id, 'a2')).toEqual([]);
});

test('H13 more branches at one record than a call takes arguments', () => {
  const count = 130_000;
  const tree = claudeTree([
    user('u', null, 'begin'),
    ...Array.from({ length: count }, (_, i) => user(`c${i}`, 'u', `branch ${i}`)),
  ]);
  const id = tree.sessionIds()[0] as string;
  expect(tree.session(id).threads).toHaveLength(count);
  expect(tree.segments(id)[0]?.children).toHaveLength(count);
});

test('P6 what a command printed in very many lines is put together once', () => {
  const count = 100_000;
  const tree = claudeTree([
    command('c', null, '/context-of-mine'),
    ...Array.from({ length: count }, (_, i) => stdout(`o${i}`, 'c', `line ${i}`)),
  ]);
  expect(tree.record('c')?.lines).toHaveLength(count + 1);
}, 20_000);

test('H16 of summaries that speak of lines of one answer the last in the file counts, in whatever order they are read', () => {
  const lines = [user('u', null), assistant('a', 'u', 'x', { id: 'm' }), assistant('b', 'a', 'y', { id: 'm' })];
  const summary = (leafUuid: string, text: string): object => ({ type: 'summary', summary: text, leafUuid });
  const files = {
    's.jsonl': lines,
    'y.jsonl': [summary('b', 'older'), summary('a', 'old')],
    'z.jsonl': [summary('a', 'new')],
  };
  const turned = Object.fromEntries(Object.entries(files).reverse());
  for (const tree of [claudeTree(files), claudeTree(turned)])
    expect(tree.session(tree.sessionIds().find((id) => tree.session(id).recordCount > 0) ?? '').title).toEqual({
      from: 'summary',
      text: 'new',
    });
});

test('H19 nowhere is a list spread into arguments of push: as many as a log may hold do not fit', () => {
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const spread = files.filter((file) => /\.(push|unshift)\(\s*\.\.\./.test(readFileSync(join(src, file), 'utf8')));
  expect(spread.filter((file) => !file.endsWith('page-assets.ts'))).toEqual([]);
});

test('M9 a branch that goes on is only continued, also beside others: what was arranged stays', () => {
  const lines = [
    user('u', null, 'begin'),
    assistant('a', 'u'),
    user('x', 'a', 'one way'),
    assistant('b', 'x'),
    user('y', 'a', 'another'),
    assistant('c', 'y'),
  ];
  const more = [assistant('d', 'c'), assistant('e', 'd'), user('z', 'e', 'next'), assistant('f', 'z')];
  const facts = factsOf(claudeCode, 's.jsonl');
  const read = linesOf(claudeCode, 's.jsonl', [...lines, ...more]);
  const tree = new Tree();
  tree.add(facts, read.slice(0, lines.length));
  const id = tree.sessionIds()[0] as string;
  const stamps = more.map((_, i) => {
    tree.add(facts, [read[lines.length + i] as Line]);
    expect(tree.segments(id)).toEqual(claudeTree([...lines, ...more.slice(0, i + 1)]).segments(id));
    return tree.pathOf(id, 'y')?.stamp;
  });
  expect(stamps[1]).toBe(stamps[0]);
  expect(stamps[3]).toBe(stamps[2]);
});
