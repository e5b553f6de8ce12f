import { expect, test } from 'vitest';
import { type History, listSessions } from '../../src/history/index.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { listStoredSessions, storedLedger } from '../../src/ingest/stored-lists.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { Ledger, shippedPrices } from '../../src/usage/index.ts';
import { chatOf } from '../kit/chat.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { assistant, claudeTree, type Files, type Json, progress, toolUse, user } from '../kit/transcript.ts';

const OPUS = 'claude-opus-4-5';
const tokens = (input: number, output: number): Json => ({ input_tokens: input, output_tokens: output });

function responsesIn(files: Files): string[] {
  const ledger = new Ledger();
  for (const record of claudeTree(files).allRecords()) ledger.add(record, '/p');
  return [...ledger.responses].map(({ usage }) => `${usage.model} ${usage.input} ${usage.output}`).sort();
}

const plain = (input: number, output: number): Json => ({
  type: 'assistant',
  timestamp: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', model: OPUS, content: 'hi', usage: tokens(input, output) },
});

test('U24, H1 a line without any id stands alone, and its tokens count', () => {
  expect(responsesIn({ 'a.jsonl': [plain(1, 2), plain(3, 4)], 'b.jsonl': [plain(1, 2)] })).toEqual([
    `${OPUS} 1 2`,
    `${OPUS} 1 2`,
    `${OPUS} 3 4`,
  ]);
});

const advised = assistant('a1', 'u1', 'done', {
  usage: {
    ...tokens(10, 20),
    iterations: [
      { type: 'message', ...tokens(10, 20) },
      { type: 'advisor_message', model: OPUS, ...tokens(5000, 900) },
    ],
  },
});

test('peers D3 what an advisor used counts under its own model; iterations of the answer itself do not', () => {
  expect(responsesIn({ 's.jsonl': [user('u1', null), advised] })).toEqual([`${OPUS} 5000 900`, 'claude-x 10 20']);
});

test('peers D3 an advisor counts once, however many lines and files repeat the answer', () => {
  const lines = [user('u1', null), advised, { ...advised, uuid: 'a2', parentUuid: 'a1' }];
  expect(responsesIn({ 's.jsonl': lines, 't.jsonl': lines })).toHaveLength(2);
});

const inside = assistant('k1', null, 'found', { id: 'msg_k', isSidechain: true, agentId: 'k', usage: tokens(7, 8) });
const session = [
  user('u1', null),
  assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'look' })], { usage: tokens(1, 1) }),
  progress('p1', 'a1', { type: 'agent_progress', agentId: 'k', message: inside }, { parentToolUseID: 'T' }),
];

test('peers D13 what a sub-agent used counts when only the session tells of it', () => {
  expect(responsesIn({ 's.jsonl': session })).toEqual(['claude-x 1 1', 'claude-x 7 8']);
});

test('peers D13 it counts once where the log of the sub-agent is there, whatever was read first', () => {
  const agent = { 's/subagents/agent-k.jsonl': [inside] };
  const once = ['claude-x 1 1', 'claude-x 7 8'];
  expect(responsesIn({ 's.jsonl': session, ...agent })).toEqual(once);
  expect(responsesIn({ ...agent, 's.jsonl': session })).toEqual(once);
});

const sumsOf = (history: History) => {
  const ledger = new Ledger();
  for (const { logs } of history.projects)
    for (const each of logs) for (const record of each.read().tree.allRecords()) ledger.add(record, '/r');
  return ledger.sum(shippedPrices);
};

test('peers D3, D13, U24 the index counts what the files say, also while they grow', async () => {
  const folder = new IndexFolder();
  const store = SqliteIndex.open(folder.db());
  try {
    const lines = [...session, { ...advised, parentUuid: 'p1', uuid: 'a9' }, plain(3, 4)];
    for (let i = 1; i <= lines.length; i++) {
      folder.write('-r', { 's.jsonl': lines.slice(0, i) });
      await indexProjects(folder.history(), store, { workers: 0 });
      expect((await storedLedger(store)).sum(shippedPrices)).toEqual(sumsOf(folder.history()));
      expect(await listStoredSessions(store)).toEqual(listSessions(folder.history()));
    }
  } finally {
    await store.close();
    folder.remove();
  }
});

test('peers D13 in a chat it is not counted again with the prompt that started the sub-agent', () => {
  const lines = [...session, assistant('a2', 'p1', 'ok', { usage: tokens(2, 2) })];
  expect(chatOf(lines).metrics.inputTokens).toBe(3);
});
