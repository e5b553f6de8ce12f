import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../src/model/index.ts';
import { Ledger, type Response, shippedPrices, sumRecords } from '../../src/usage/index.ts';
import {
  assistant,
  claudeTree,
  type Files,
  type Json,
  piAssistant,
  piHeader,
  piTree,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const tokens = (output: number): Json & { usage: Json } => ({ usage: { input_tokens: 10, output_tokens: output } });

/** Every record of some projects in one ledger. */
function ledgerOf(...projects: readonly Files[]): Ledger {
  const ledger = new Ledger();
  projects.forEach((files, i) => {
    for (const record of claudeTree(files).allRecords()) ledger.add(record, `/p${i}`);
  });
  return ledger;
}
const sumOf = (...projects: readonly Files[]) => {
  const { responses, input, output } = ledgerOf(...projects).sum(shippedPrices);
  return { responses, input, output };
};

describe('C13: each response counts once', () => {
  const answer = [
    user('u1', null),
    assistant('a1', 'u1', 'x', { id: 'm', ...tokens(1) }),
    assistant('a2', 'a1', 'y', { id: 'm', ...tokens(7) }),
  ];

  test('C13 over the lines of one answer, with the greatest output', () => {
    expect(sumOf({ 's.jsonl': answer })).toEqual({ responses: 1, input: 10, output: 7 });
  });

  test('C13 over a fork and a resumed session, in one project and in another', () => {
    const fork = answer.map((line) => ({
      ...line,
      sessionId: 'f',
      forkedFrom: { sessionId: 's', messageUuid: line.uuid },
    }));
    const replay = answer.map((line) => ({ ...line, uuid: `new-${line.uuid}`, parentUuid: null, sessionId: 'r' }));
    expect(sumOf({ 's.jsonl': answer, 'f.jsonl': fork })).toMatchObject({ responses: 1, output: 7 });
    expect(sumOf({ 's.jsonl': answer, 'r.jsonl': replay })).toMatchObject({ responses: 1, output: 7 });
    expect(sumOf({ 's.jsonl': answer }, { 's.jsonl': replay })).toMatchObject({ responses: 1, output: 7 });
  });

  test('C13 sub-agents are counted, also those shown nowhere', () => {
    const side = { isSidechain: true, agentId: 'x' };
    const files: Files = {
      's.jsonl': [
        user('u1', null),
        assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'Warmup' })]),
        user('r1', 'a1', [toolResult('T')]),
      ],
      's/subagents/agent-x.jsonl': [
        user('x1', null, 'Warmup', side),
        assistant('x2', 'x1', 'ready', { ...side, ...tokens(3) }),
      ],
    };
    expect(sumOf(files)).toEqual({ responses: 2, input: 11, output: 4 });
    const bySort = ledgerOf(files).sumBy(({ isSubagent }) => isSubagent, shippedPrices);
    expect([...bySort].map(([isSubagent, { output }]) => [isSubagent, output])).toEqual([
      [false, 1],
      [true, 3],
    ]);
  });

  test('C13 Pi: the cost it wrote down is believed', () => {
    const answer = piAssistant('a1', null);
    const message = answer.message as { usage: Json };
    const priced = { ...answer, message: { ...message, usage: { ...message.usage, cost: { total: 0.5 } } } };
    const { costUsd } = sumRecords(piTree([piHeader(), priced]).allRecords(), shippedPrices);
    expect(costUsd).toBe(0.5);
  });
});

/** Responses that meet in every way: few keys, times, sessions and outputs. */
const records: fc.Arbitrary<{ record: LogRecord; project: string }> = fc
  .record({
    key: fc.constantFrom('a', 'b', 'c'),
    model: fc.constantFrom('claude-opus-4-6', 'claude-haiku-4-5', 'x'),
    output: fc.nat(2),
    input: fc.nat(2),
    time: fc.option(fc.constantFrom(0, 1, 90_000_000), { freq: 4 }),
    session: fc.constantFrom('s', 't'),
    project: fc.constantFrom('/p', '/q'),
    subagent: fc.option(fc.constant('x')),
  })
  .map(({ key, model, output, input, time, session, project, subagent }) => ({
    record: {
      time,
      session,
      subagent,
      usage: { key, model, input, output, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, costUsd: null },
    } as unknown as LogRecord,
    project,
  }));

const GROUPS: Readonly<Record<string, (response: Response) => string>> = {
  session: ({ session }) => session,
  day: ({ time }) => `${time === null ? '' : Math.floor(time / 86_400_000)}`,
  model: ({ usage }) => usage.model,
  project: ({ project }) => project,
  sort: ({ isSubagent }) => `${isSubagent}`,
};

test.each(Object.keys(GROUPS))('C13 any order of reading gives the same sums by %s', (by) => {
  const group = GROUPS[by] as (response: Response) => string;
  const sums = (list: readonly { record: LogRecord; project: string }[]): unknown => {
    const ledger = new Ledger();
    for (const { record, project } of list) ledger.add(record, project);
    return [...ledger.sumBy(group, shippedPrices)].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const shuffled = fc
    .array(records, { maxLength: 8 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      expect(sums(other)).toEqual(sums(list));
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 500) },
  );
});
