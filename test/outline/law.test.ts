import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { buildOutline, type Outline, updateOutline } from '../../src/outline/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { contentFrom } from '../kit/content.ts';
import { feedsOf, formatOf, projects, readInTurns, schedules } from '../kit/random-project.ts';
import { assistant, factsOf, linesOf, onlySession, toolResult, toolUse, user } from '../kit/transcript.ts';
import { nodesOf } from './view.ts';

/** `FC_RUNS=20000 npx vitest run test/outline/law.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 200);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

test('O2 law 4: brought up to date an outline is what it would be if built anew, and what is equal is the same object', () => {
  fc.assert(
    fc.property(projects, schedules, fc.boolean(), (project, schedule, verbose) => {
      const content = contentFrom(formatOf(project), project.files);
      const outlines = new Map<string, Outline>();
      readInTurns(feedsOf(project), schedule, (change, tree) => {
        for (const [id, before] of [...outlines]) {
          const into = change.merged.find(({ from }) => from === id)?.into ?? id;
          outlines.delete(id);
          // A session of nothing but a sub-agent is gone when the sub-agent finds its own.
          if (!tree.sessionIds().includes(into)) continue;
          const after = updateOutline(before, tree, change, content, { verbose });
          expect(after).toEqual(buildOutline(tree, after.sessionId, content, { verbose }));
          expectShared(before, after);
          outlines.set(after.sessionId, after);
        }
        for (const id of tree.sessionIds())
          if (!outlines.has(id)) outlines.set(id, buildOutline(tree, id, content, { verbose }));
      });
    }),
    { numRuns, ...seed },
  );
}, 3_600_000);

test('O2 a line that was added is read, and only the nodes above it are new', () => {
  const lines = Array.from({ length: 120 }, (_, i) => {
    const before = i === 0 ? null : `x${i - 1}`;
    if (i % 4 === 0) return user(`x${i}`, before);
    if (i % 4 === 1) return assistant(`x${i}`, before, [toolUse(`t${i}`)]);
    return i % 4 === 2 ? user(`x${i}`, before, [toolResult(`t${i - 1}`)]) : assistant(`x${i}`, before);
  });
  const reads: string[] = [];
  const said = contentFrom(claudeCode, { 's.jsonl': lines });
  const [facts, parsed] = [factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', lines)];
  const tree = new Tree();
  tree.add(facts, parsed.slice(0, 100));
  let outline = buildOutline(tree, onlySession(tree).id, said);
  for (const [i, line] of parsed.entries()) {
    if (i < 100) continue;
    reads.length = 0;
    const before = outline;
    outline = updateOutline(outline, tree, tree.add(facts, [line]), (record) => {
      reads.push(record.id);
      return said(record);
    });
    expect(reads).toEqual([i % 4 === 2 ? `x${i - 1}` : `x${i}`]);
    for (const [k, child] of before.root.children.slice(0, -1).entries()) expect(outline.root.children[k]).toBe(child);
  }
});

test('O2 a change elsewhere gives the same tree', () => {
  const files = { 's.jsonl': [user('u1', null), assistant('a1', 'u1')], 't.jsonl': [user('v1', null)] };
  const content = contentFrom(claudeCode, files);
  const tree = new Tree();
  tree.add(factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', files['s.jsonl']));
  const outline = buildOutline(tree, onlySession(tree).id, content);
  const change = tree.add(factsOf(claudeCode, 't.jsonl'), linesOf(claudeCode, 't.jsonl', files['t.jsonl']));
  expect(updateOutline(outline, tree, change, content).root).toBe(outline.root);
});

/** What is equal is the same object. Where a log uses an id twice, nobody can say which is which. */
function expectShared(before: Outline, after: Outline): void {
  const [old, now] = [nodesOf(before.root), nodesOf(after.root)];
  const known = new Map(old.map((node) => [node.id, node]));
  if (known.size < old.length || new Set(now.map(({ id }) => id)).size < now.length) return;
  for (const node of now) if (known.get(node.id) !== node) expect(node).not.toEqual(known.get(node.id));
}
