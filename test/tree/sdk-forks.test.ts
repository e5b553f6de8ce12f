import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { Ledger, shippedPrices } from '../../src/usage/index.ts';
import { CORPUS } from '../kit/corpus.ts';
import { sdkFork } from '../kit/sdk-fork.ts';
import {
  assistant,
  attachment,
  boundary,
  claudeTree,
  command,
  compactSummary,
  type Files,
  factsOf,
  inEveryOrder,
  type Json,
  linesOf,
  meta,
  onlySession,
  progress,
  recordOf,
  system,
  threadOf,
  threadsOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const MAIN = [
  user('u1', null, 'start'),
  assistant('a1', 'u1', 'ok'),
  user('u2', 'a1', 'more'),
  assistant('a2', 'u2', 'fine'),
];
/** A fork at the first answer that went another way. */
const forked = (id: string, lines: readonly Json[] = MAIN.slice(0, 2), from = 'a1'): Json[] => [
  ...sdkFork(lines, id),
  user(`${id}-u`, `${id}:${from}`, `way of ${id}`),
  assistant(`${id}-a`, `${id}-u`, `sure, ${id}`),
];
const TWO: Files = { 'main.jsonl': MAIN, 'f.jsonl': forked('f') };

test('peers D1 a fork by the SDK is a branch where it left, and the original stays as it is', () => {
  for (const tree of inEveryOrder(claudeCode, TWO))
    expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2', 'a2'], 'f-u': ['u1', 'a1', 'f-u', 'f-a'] });
});

test('peers D1 the id of a copy leads to the original', () => {
  const tree = claudeTree(TWO);
  expect(recordOf(tree, 'f:a1')).toMatchObject({ id: 'a1', aliases: ['f:a1'], edge: 'parent', parent: 'u1' });
});

test('peers D1 the session keeps the id of the original; that of the fork leads to it', () => {
  for (const tree of inEveryOrder(claudeCode, TWO))
    expect(onlySession(tree)).toMatchObject({ id: 'main', aliases: ['f'], recordCount: 6 });
});

test('peers D1 several forks of one session do not hang on each other', () => {
  for (const tree of inEveryOrder(claudeCode, { ...TWO, 'a.jsonl': forked('a') }))
    expect(threadsOf(tree)).toMatchObject({ 'f-u': ['u1', 'a1', 'f-u', 'f-a'], 'a-u': ['u1', 'a1', 'a-u', 'a-a'] });
});

const pathsOf = (tree: Tree): string[] =>
  Object.values(threadsOf(tree))
    .map((path) => path.join(' '))
    .sort();

/** A fork of the fork, with all that was said there. */
const SECOND = forked('g', TWO['f.jsonl'] as Json[], 'f-a');

test('peers D1 a fork of a fork goes on from it, whichever file is read first', () => {
  for (const tree of inEveryOrder(claudeCode, { ...TWO, 'g.jsonl': SECOND }))
    expect(pathsOf(tree)).toEqual(['u1 a1 f-u f-a g-u g-a', 'u1 a1 u2 a2']);
});

test('peers D1 a fork of which the original is gone stands alone whole', () => {
  const tree = claudeTree({ 'f.jsonl': forked('f') });
  expect(onlySession(tree)).toMatchObject({ id: 'f', roots: ['f:u1'] });
  expect([threadOf(tree), tree.findings()]).toEqual([['f:u1', 'f:a1', 'f-u', 'f-a'], []]);
});

test('peers D1 two forks of which the original is gone share what they copied', () => {
  for (const tree of inEveryOrder(claudeCode, { 'f.jsonl': forked('f'), 'g.jsonl': forked('g') }))
    expect(threadsOf(tree)).toEqual({ 'f:u1': ['f:u1', 'f:a1', 'f-u', 'f-a'], 'g-u': ['f:u1', 'f:a1', 'g-u', 'g-a'] });
});

/** All sorts of lines. */
const LONG = [
  user('u1', null, 'start'),
  attachment('h1', 'u1', { type: 'hook_success', content: 'x' }),
  assistant('a1', 'h1', [toolUse('t1')], { id: 'm1' }),
  progress('p1', 'a1'),
  user('r1', 'p1', [toolResult('t1')]),
  assistant('a2', 'r1', 'done', { id: 'm2' }),
  assistant('a3', 'a2', [toolUse('t2')], { id: 'm2' }),
  user('r2', 'a3', [toolResult('t2', 'no', true)]),
  command('k1', 'r2', '/review'),
  meta('k2', 'k1', [{ type: 'text', text: '# Review' }]),
  assistant('a4', 'k2', 'reviewed'),
  system('s1', 'a4', 'turn_duration'),
  boundary('b1', 's1'),
  compactSummary('b2', 'b1'),
  user('u2', 'b2', 'go on'),
  assistant('a5', 'u2', 'yes'),
];

test('peers D1 a whole copy adds no record, whatever its lines are', () => {
  const alone = claudeTree({ 'main.jsonl': LONG });
  for (const tree of inEveryOrder(claudeCode, { 'main.jsonl': LONG, 'f.jsonl': sdkFork(LONG, 'f') })) {
    expect(threadsOf(tree)).toEqual(threadsOf(alone));
    expect([...tree.allRecords()]).toHaveLength([...alone.allRecords()].length);
    expect(tree.findings()).toEqual([]);
  }
});

test('peers D1 every line of a whole copy is folded', () => {
  const alone = claudeTree({ 'main.jsonl': LONG }).accounting();
  const fork = sdkFork(LONG, 'f');
  const both = claudeTree({ 'main.jsonl': LONG, 'z.jsonl': fork }).accounting();
  expect(both).toEqual({ ...alone, folded: alone.folded + fork.length });
});

test('peers D1 calls and their results stand once', () => {
  const tree = claudeTree({ 'main.jsonl': LONG, 'f.jsonl': sdkFork(LONG, 'f') });
  expect(recordOf(tree, 'f:a2').calls).toMatchObject([{ id: 't2', isError: true, more: [] }]);
});

test('peers D1 a fork under the kept ids of a fork by the SDK is read as before', () => {
  const kept = (TWO['f.jsonl'] as Json[]).map((line) => ({
    ...line,
    sessionId: 'k',
    forkedFrom: { sessionId: 'f', messageUuid: line.uuid },
  }));
  const files = { ...TWO, 'k.jsonl': [...kept, user('k-u', 'f-a', 'again')] };
  for (const tree of inEveryOrder(claudeCode, files))
    expect(pathsOf(tree)).toEqual(['u1 a1 f-u f-a k-u', 'u1 a1 u2 a2']);
});

test('peers D1 an equal message.id in another file folds nothing by itself', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null, 'one'), assistant('a1', 'u1', 'first', { id: 'm' })],
    'other.jsonl': [user('v1', null, 'two'), assistant('b1', 'v1', 'second', { id: 'm' })],
  });
  expect(tree.sessionIds().map((id) => tree.records(id))).toEqual([
    ['u1', 'a1'],
    ['v1', 'b1'],
  ]);
});

test('peers D1 a line that says it is a copy and says something else stands for itself', () => {
  const [first, ...rest] = forked('f');
  const other = { ...first, message: { role: 'user', content: 'something else' } };
  for (const tree of inEveryOrder(claudeCode, { 'main.jsonl': MAIN, 'f.jsonl': [other as Json, ...rest] }))
    expect(recordOf(tree, 'f:u1')).toMatchObject({ id: 'f:u1', aliases: [] });
});

/** Each project of the corpus as a tree, with a fork of each of its sessions where asked for. */
function* corpusTrees(withForks: boolean): Generator<Tree> {
  const projects = join(CORPUS, 'claude-code/projects');
  for (const folder of readdirSync(projects)) {
    const tree = new Tree();
    for (const path of readdirSync(join(projects, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!path.endsWith('.jsonl')) continue;
      const text = readFileSync(join(projects, folder, path), 'utf8');
      tree.feed(factsOf(claudeCode, path), linesOf(claudeCode, path, text));
      if (!withForks || path.includes('/')) continue;
      const lines = text.split('\n').flatMap((line): Json[] => (line === '' ? [] : [JSON.parse(line)]));
      for (const id of ['0', 'z']) {
        const fork = `${id}-${path}`;
        tree.feed(factsOf(claudeCode, fork), linesOf(claudeCode, fork, sdkFork(lines, fork)));
      }
    }
    tree.commit();
    yield tree;
  }
}

test.skipIf(!existsSync(CORPUS))('peers D1 forks by the SDK add nothing to what a corpus used', () => {
  const sumOf = (trees: Iterable<Tree>) => {
    const ledger = new Ledger();
    for (const tree of trees) for (const record of tree.allRecords()) ledger.add(record, '');
    return ledger.sum(shippedPrices);
  };
  expect(sumOf(corpusTrees(true))).toEqual(sumOf(corpusTrees(false)));
});

test.skipIf(!existsSync(CORPUS))('peers D1 forks by the SDK add no record to a corpus', () => {
  const recordsIn = (trees: Iterable<Tree>) =>
    [...trees].flatMap((tree) => tree.sessionIds().flatMap((id) => tree.records(id))).sort();
  expect(recordsIn(corpusTrees(true))).toEqual(recordsIn(corpusTrees(false)));
});
