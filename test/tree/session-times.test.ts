import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { listSessions } from '../../src/history/list-sessions.ts';
import { listStoredSessions } from '../../src/ingest/stored-lists.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { IndexFolder, runIndex } from '../kit/index-folder.ts';
import { sdkFork } from '../kit/sdk-fork.ts';
import { assistant, claudeTree, type Files, inEveryOrder, type Json, onlySession, user } from '../kit/transcript.ts';

const at = (day: number): Json => ({ timestamp: `2026-02-0${day}T12:00:00.000Z` });
const time = (day: number): number => Date.UTC(2026, 1, day, 12);
const MAIN = [user('u1', null, 'one', at(3)), assistant('a1', 'u1', 'two', at(4))];
const agent = (id: string, day: number, prompt: string): Json[] => [
  user(`${id}1`, null, prompt, { ...at(day), isSidechain: true, agentId: id }),
  assistant(`${id}2`, `${id}1`, 'yes', { ...at(day), isSidechain: true, agentId: id }),
];
const WITH_WARMUPS: Files = {
  's.jsonl': MAIN,
  'agent-w.jsonl': agent('w', 1, 'Warmup'),
  'agent-v.jsonl': agent('v', 9, 'Warmup'),
};

test('peers D7 a session is as old as what is shown of it, not as a hidden sub-agent', () => {
  for (const tree of inEveryOrder(claudeCode, WITH_WARMUPS))
    expect(onlySession(tree)).toMatchObject({ startedAt: time(3), endedAt: time(4) });
});

test('peers D7 a sub-agent that is shown counts', () => {
  const tree = claudeTree({ ...WITH_WARMUPS, 'agent-x.jsonl': agent('x', 6, 'look') });
  expect(onlySession(tree)).toMatchObject({ startedAt: time(3), endedAt: time(6) });
});

test('peers D7 a record that is not shown does not make a session newer', () => {
  const filler = assistant('a2', 'a1', 'No response requested.', at(8));
  const synthetic = { ...filler, message: { ...(filler.message as Json), model: '<synthetic>' } };
  expect(onlySession(claudeTree([...MAIN, synthetic])).endedAt).toBe(time(4));
});

test('peers D7 a whole copy does not make a session newer', () => {
  for (const tree of inEveryOrder(claudeCode, { 's.jsonl': MAIN, 'f.jsonl': sdkFork(MAIN, 'f') }))
    expect(onlySession(tree)).toMatchObject({ startedAt: time(3), endedAt: time(4) });
});

test('peers D7 a day on which only a hidden sub-agent was at work lists no session, with an index neither', async () => {
  const folder = new IndexFolder();
  folder.write('p', WITH_WARMUPS);
  await runIndex(folder);
  const range = { from: time(9) - 1_000_000, to: time(9) + 1_000_000 };
  const store = SqliteIndex.open(folder.db());
  expect(listSessions(folder.history(), { range })).toEqual([]);
  expect(await listStoredSessions(store, { range })).toEqual([]);
  await store.close();
  folder.remove();
});
