import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/history/index.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { sdkFork } from '../kit/sdk-fork.ts';
import { assistant, type Files, type Json, user } from '../kit/transcript.ts';

const ROOT = [user('u1', null), assistant('a1', 'u1')];
const copied = (session: string): Json[] => ROOT.map((line) => ({ ...line, sessionId: session }));
/** B goes on with A, and C, written last, forks A. */
const FILES: Files = {
  'aaaa.jsonl': ROOT,
  'bbbb.jsonl': [...copied('bbbb'), user('u2', 'a1'), assistant('a2', 'u2')],
  'cccc.jsonl': [...copied('cccc'), user('u3', 'a1'), assistant('a3', 'u3')],
  'dddd.jsonl': [...sdkFork(ROOT, 'dddd'), user('u4', 'dddd:a1'), assistant('a4', 'u4')],
  'eeee.jsonl': [...copied('eeee'), user('u5', 'a1'), assistant('a5', 'u5')],
};

let folder: IndexFolder;
beforeAll(() => {
  folder = new IndexFolder();
  folder.write('p', FILES);
});
afterAll(() => folder.remove());

const shown = ({ defaultThread }: Session): string[] => [...(defaultThread?.records() ?? [])].map(({ id }) => id);

test.each([
  ['bbbb', 'a2'],
  ['cccc', 'a3'],
  ['dddd', 'a4'],
])('U6 the id %s of a file that goes on with a session means the thread that ends there', (name, leaf) => {
  const session = folder.history().find(name);
  expect([session.id, shown(session).at(-1), session.defaultThread?.facts.resumeId]).toEqual(['aaaa', leaf, name]);
});

test('U6 so does its path', () => {
  expect(folder.history().findFile(folder.file('p/bbbb.jsonl'))?.defaultThread?.facts.leaf).toBe('a2');
});

test('U6 the id of the session means the session: the thread that was worked on last', () => {
  expect(shown(folder.history().find('aaaa')).at(-1)).toBe('a5');
});
