import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildConversation,
  type ChatOptions,
  type SessionConversation,
  updateConversation,
} from '../../src/chat/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { Change, ContentOf, SessionId } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { shippedPrices, sumRecords } from '../../src/usage/index.ts';
import { contentFrom } from '../kit/content.ts';
import { feedsOf, formatOf, projects, readInTurns, readWhole, schedules } from '../kit/random-project.ts';
import {
  assistant,
  boundary,
  command,
  type Files,
  factsOf,
  type Json,
  linesOf,
  notification,
  queue,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

/** `FC_RUNS=20000 npx vitest run test/chat/projection-law.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 400);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

/** The random projects begin in 2026; the clock stands a little later, and the log grew then or long ago. */
const NOW = Date.UTC(2026, 0, 1, 0, 1);
const clocks: fc.Arbitrary<readonly ChatOptions[]> = fc.array(
  fc.constantFrom<ChatOptions>(
    { now: NOW },
    { now: NOW, lastGrowth: NOW },
    { now: NOW, lastGrowth: 0 },
    { now: NOW * 2 },
  ),
  { minLength: 1, maxLength: 3 },
);

describe('C18, law 4: a conversation brought up to date is the one built anew', () => {
  test('after every piece of every file, for every thread that was ever shown', () => {
    fc.assert(
      fc.property(projects, schedules, clocks, (project, schedule, times) => {
        const content = contentFrom(formatOf(project), project.files);
        const views = new Views(content);
        let step = 0;
        readInTurns(feedsOf(project), schedule, (change, tree) => {
          views.update(tree, change, times[step++ % times.length] ?? {});
        });
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);
});

test('C18 the same where a prompt waits, a task ends before its sub-agent is read, and the window is emptied', () => {
  const agent = (agentId: string): Json[] => {
    const side = { isSidechain: true, agentId };
    return [user(`${agentId}1`, null, agentId, side), assistant(`${agentId}2`, `${agentId}1`, '42', side)];
  };
  const told = '<task-id>b</task-id>\n<tool-use-id>T</tool-use-id>\n<result>42</result>';
  const files: Files = {
    's.jsonl': [
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T', 'Agent', { prompt: 'b' })]),
      queue('enqueue', 'also this'),
      user('r1', 'a1', [toolResult('T', 'launched')], { toolUseResult: { agentId: 'b' } }),
      notification('n1', 'r1', told),
      notification('n2', 'n1', '<task-id>loose</task-id>\n<result>42</result>'),
      assistant('a2', 'n2', 'ok'),
      queue('dequeue'),
      user('u2', 'a2', 'also this'),
      assistant('a3', 'u2', [toolUse('B', 'Bash')]),
      queue('enqueue', 'and this'),
      command('c1', 'a3', '/clear'),
      user('u3', 'c1', 'again'),
      boundary('k1', 'u3'),
    ],
    's/subagents/agent-b.jsonl': agent('b'),
    's/subagents/agent-loose.jsonl': agent('loose'),
  };
  for (const names of [Object.keys(files), Object.keys(files).reverse()]) {
    const tree = new Tree();
    const views = new Views(contentFrom(claudeCode, files));
    for (const name of names)
      for (const line of linesOf(claudeCode, name, files[name] ?? []))
        views.update(tree, tree.add(factsOf(claudeCode, name), [line]), { now: NOW, lastGrowth: NOW });
  }
});

test('C13 the usage of a thread is that of its records, each response once', () => {
  fc.assert(
    fc.property(projects, (project) => {
      const tree = readWhole(feedsOf(project));
      const content = contentFrom(formatOf(project), project.files);
      for (const session of tree.sessionIds())
        for (const { id } of tree.session(session).threads) {
          const { metrics } = buildConversation(tree, session, id, content, { now: NOW });
          const records = tree.path(session, id).flatMap((key) => tree.record(key) ?? []);
          const { responses, input, output } = sumRecords(
            records.filter(({ hidden }) => !hidden),
            shippedPrices,
          );
          expect([metrics.responses, metrics.inputTokens, metrics.outputTokens]).toEqual([responses, input, output]);
        }
    }),
    { numRuns, ...seed },
  );
}, 3_600_000);

/** All threads of a growing tree, each followed from the moment it appeared. */
class Views {
  readonly #content: ContentOf;
  readonly #shown = new Map<string, SessionConversation>();

  constructor(content: ContentOf) {
    this.#content = content;
  }

  update(tree: Tree, change: Change, options: ChatOptions): void {
    for (const [name, before] of this.#shown) {
      const built = attempt(() =>
        buildConversation(tree, sessionNow(before, change), before.threadId, this.#content, options),
      );
      const updated = attempt(() => updateConversation(before, tree, change, this.#content, options));
      expect(updated).toEqual(built);
      if (updated === null) this.#shown.delete(name);
      else {
        expectKept(before, updated);
        this.#shown.set(name, updated);
      }
    }
    for (const session of tree.sessionIds())
      for (const { id } of tree.session(session).threads) {
        const name = `${session} ${id}`;
        if (!this.#shown.has(name)) this.#shown.set(name, buildConversation(tree, session, id, this.#content, options));
      }
  }
}

const sessionNow = ({ sessionId }: SessionConversation, { merged }: Change): SessionId =>
  merged.find(({ from }) => from === sessionId)?.into ?? sessionId;

/** A session may vanish into another; then there is nothing to show. */
function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'not_found') return null;
    throw error;
  }
}

/** What reads as before is the same object. */
function expectKept(before: SessionConversation, after: SessionConversation): void {
  const known = new Map(before.items.map((item) => [item.group.id, item]));
  for (const item of after.items) {
    const old = known.get(item.group.id);
    if (old && old !== item) expect(isDeepStrictEqual(old, item), `${item.group.id} was made again`).toBe(false);
  }
}

describe('C18: what one more line costs', () => {
  test.each([50, 500])('the content of a few records is read, of %i turns as of ten', (turns) => {
    const lines: Json[] = [];
    let parent: string | null = null;
    for (let i = 0; i < turns; i++) {
      lines.push(user(`u${i}`, parent), assistant(`a${i}`, `u${i}`, [toolUse(`t${i}`)]));
      lines.push(user(`r${i}`, `a${i}`, [toolResult(`t${i}`)]), assistant(`b${i}`, `r${i}`));
      parent = `b${i}`;
    }
    lines.push(
      user('more', parent),
      assistant('answer', 'more', [toolUse('t')]),
      user('late', 'answer', [toolResult('t')]),
    );
    const tree = new Tree();
    const facts = factsOf(claudeCode, 's.jsonl');
    const all = linesOf(claudeCode, 's.jsonl', lines);
    let asked = 0;
    const read = contentFrom(claudeCode, { 's.jsonl': lines });
    const content: ContentOf = (record) => {
      asked++;
      return read(record);
    };
    tree.add(facts, all.slice(0, -3));
    const [session = ''] = tree.sessionIds();
    let view = buildConversation(tree, session, 'u0', content, { now: NOW });
    expect(view.items.filter(({ group }) => 'status' in group && group.status === 'complete')).toHaveLength(turns);
    expect(asked).toBe(3 * turns);
    for (const line of all.slice(-3)) {
      asked = 0;
      view = updateConversation(view, tree, tree.add(facts, [line]), content, { now: NOW });
      expect(asked).toBeLessThanOrEqual(2);
    }
    expect(view.items).toHaveLength(2 * turns + 2);
  });
});
