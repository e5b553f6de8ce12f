import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildContext, type ContextView, updateContext } from '../../src/context/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { ContentOf } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { contentFrom, saidIn } from '../kit/content.ts';
import { feedsOf, formatOf, projects, readInTurns, schedules } from '../kit/random-project.ts';
import { assistant, factsOf, linesOf, onlySession, toolResult, toolUse, user } from '../kit/transcript.ts';

/** `FC_RUNS=20000 npx vitest run test/context/law.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 500);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

describe('law 4: the context is a projection', () => {
  test('C18 brought up to date it is what it would be if built anew, whatever is read in whatever order', () => {
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        const said = saidIn(formatOf(project), project.files);
        const content = contentFrom(formatOf(project), project.files);
        const options = { opening: ({ ref }: { ref: Parameters<typeof said>[0] }) => said(ref) };
        const views = new Map<string, ContextView>();
        readInTurns(feedsOf(project), schedule, (change, tree) => {
          for (const [key, view] of views) {
            const updated = updateContext(view, tree, change, content, options);
            const built = buildContext(tree, updated.session, view.thread, content, options);
            expect(updated).toEqual(built);
            expectShared(view, updated);
            views.set(key, updated);
          }
          for (const id of tree.sessionIds())
            for (const thread of tree.session(id).threads)
              if (!views.has(`${id} ${thread.id}`))
                views.set(`${id} ${thread.id}`, buildContext(tree, id, thread.id, content, options));
        });
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('C18 a line that was added is read, and nothing else is', () => {
    const lines = Array.from({ length: 200 }, (_, i) => {
      const before = i === 0 ? null : `x${i - 1}`;
      if (i % 4 === 0) return user(`x${i}`, before);
      if (i % 4 === 1) return assistant(`x${i}`, before, [toolUse(`t${i}`)]);
      return i % 4 === 2 ? user(`x${i}`, before, [toolResult(`t${i - 1}`)]) : assistant(`x${i}`, before);
    });
    const reads: string[] = [];
    const said = contentFrom(claudeCode, { 's.jsonl': lines });
    const content: ContentOf = (record) => {
      reads.push(record.id);
      return said(record);
    };
    const [facts, parsed] = [factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', lines)];
    const tree = new Tree();
    tree.add(facts, parsed.slice(0, 100));
    const { id, defaultThread } = onlySession(tree);
    let view = buildContext(tree, id, defaultThread ?? '', content);
    for (const [i, line] of parsed.entries()) {
      if (i < 100) continue;
      reads.length = 0;
      const before = view;
      view = updateContext(view, tree, tree.add(facts, [line]), content);
      // A result is read with the call it belongs to.
      expect(reads).toEqual([i % 4 === 2 ? `x${i - 1}` : `x${i}`]);
      expectShared(before, view);
      expect(view.responses.slice(0, 40)).toEqual(before.responses.slice(0, 40));
      for (const k of before.responses.keys()) expect(view.responses[k]).toBe(before.responses[k]);
    }
  });

  test('C18 a change elsewhere gives the same object', () => {
    const tree = new Tree();
    const files = { 's.jsonl': [user('u1', null), assistant('a1', 'u1')], 't.jsonl': [user('v1', null)] };
    const content = contentFrom(claudeCode, files);
    tree.add(factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', files['s.jsonl']));
    const { id, defaultThread } = onlySession(tree);
    const view = buildContext(tree, id, defaultThread ?? '', content);
    const change = tree.add(factsOf(claudeCode, 't.jsonl'), linesOf(claudeCode, 't.jsonl', files['t.jsonl']));
    expect(updateContext(view, tree, change, content)).toBe(view);
  });
});

/** What is equal is the same object. */
function expectShared(before: ContextView, after: ContextView): void {
  const sameWhereEqual = (a: unknown, b: unknown) => {
    if (a !== b) expect(b).not.toEqual(a);
  };
  for (const [i, response] of after.responses.entries()) sameWhereEqual(before.responses[i] ?? null, response);
  for (const [i, phase] of after.phases.entries()) sameWhereEqual(before.phases[i] ?? null, phase);
}
