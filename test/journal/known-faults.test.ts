/** What went wrong in Pi and oh-my-pi, each as a test; the numbers after `pi` and `omp` are their issues. */
import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  DEFAULT_COMPACTION_SETTINGS,
  findMostRecentSession,
  prepareCompaction,
  SessionManager,
} from '../../src/journal/index.ts';
import { assistant, Folder, HEADER, line, linesIn, textOf, user, wordOf } from '../kit/journal.ts';

const folder = new Folder();
const create = () => SessionManager.create('/p', folder.dir());
const open = (session: SessionManager) => SessionManager.open(session.getSessionFile() ?? '');
const words = (session: SessionManager) => session.buildSessionContext().messages.map(wordOf);

test('J7: fault 1: a bad header does not cost the history (omp#9915)', () => {
  const text = `{"type":"sess\n${textOf([line('e1', null), line('e2', 'e1'), line('e3', 'e2')])}`;
  const path = folder.file(text);
  expect(words(SessionManager.open(path))).toEqual(['e1', 'e2', 'e3']);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('J7: fault 2: what is said before the first answer is in the file, once', () => {
  const session = SessionManager.open(folder.file([HEADER]));
  session.appendMessage(user('1'));
  expect(words(open(session))).toEqual(['1']);
  session.appendMessage(assistant('2'));
  expect(linesIn(session.getSessionFile()).map(({ type }) => type)).toEqual(['session', 'message', 'message']);
});

test('J4: fault 3: a fork does not lose what stands above a label (pi#5669)', () => {
  const session = create();
  session.appendLabelChange(session.appendMessage(user('1')), 'x');
  session.createBranchedSession(session.appendMessage(assistant('2')));
  expect(words(open(session))).toEqual(['1', '2']);
});

test('J4: fault 4: after a fork the parent is not written to (pi#1242)', () => {
  const session = create();
  const parent = session.getSessionFile() ?? '';
  session.createBranchedSession(session.appendMessage(assistant('1')));
  session.appendMessage(user('2'));
  expect(linesIn(parent)).toHaveLength(2);
});

test('J4: fault 5: the file of a fork is there, also before any answer (pi#6080)', () => {
  const session = create();
  const file = session.createBranchedSession(session.appendMessage(user('1')));
  expect(linesIn(file)).toHaveLength(2);
});

test('J2: fault 6: the leaf is found where it was moved to', () => {
  const session = create();
  const first = session.appendMessage(user('1'));
  session.appendMessage(assistant('2'));
  session.branch(first);
  session.close();
  expect(words(open(session))).toEqual(['1']);
});

test('J3: fault 7: parents that go round do not hang', () => {
  const session = SessionManager.open(folder.file([HEADER, line('a1', 'b2'), line('b2', 'a1'), line('c3', 'c3')]));
  expect([session.getBranch('b2').length, session.getBranch('c3').length, words(session)]).toEqual([2, 1, ['c3']]);
});

test('J7: fault 8: a file that was deleted does not come back without its header (pi#8939)', async () => {
  const session = create();
  session.appendMessage(user('1'));
  rmSync(session.getSessionFile() ?? '');
  session.appendMessage(assistant('2'));
  await Promise.resolve();
  expect(linesIn(session.getSessionFile()).map(({ type }) => type)).toEqual(['session', 'message', 'message']);
});

test('J6: fault 9: a fork of version 1 has ids, and its compaction still knows what it kept', () => {
  const { version: _version, ...header } = HEADER;
  const old = (more: object) => ({ type: 'message', timestamp: HEADER.timestamp, ...more });
  const compaction = {
    type: 'compaction',
    timestamp: HEADER.timestamp,
    summary: 's',
    firstKeptEntryIndex: 2,
    tokensBefore: 1,
  };
  const path = folder.file([header, old({ message: user('1') }), old({ message: user('2') }), compaction]);
  const fork = SessionManager.forkFrom(path, '/q', folder.dir());
  expect(words(open(fork))).toEqual(['compactionSummary:s', '2']);
  expect(
    linesIn(fork.getSessionFile())
      .slice(1)
      .every(({ id }) => /^[0-9a-f]{8}$/.test(id)),
  ).toBe(true);
});

test('J11: fault 10: a second compaction forgets nothing of what the first one kept', () => {
  const session = SessionManager.inMemory();
  const settings = { ...DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: 1 };
  const ids = ['1', '2', '3'].map((text) => session.appendMessage(user(text)));
  session.appendCompaction('s', ids[1] ?? null, 3);
  session.appendMessage(user('4'));
  const prepared = prepareCompaction(session.getBranch(), settings);
  expect(prepared?.messagesToSummarize.map(wordOf)).toEqual(['2', '3']);
});

test('J7: and: an entry is not glued to a torn line (copilot-cli#4098), a long header is found, a name can be taken away', () => {
  const path = folder.file(`${textOf([{ ...HEADER, cwd: `/${'x'.repeat(600)}` }])}{"type":"mess`);
  expect(findMostRecentSession(folder.path)).not.toBeNull();
  const session = SessionManager.open(path);
  session.appendMessage(user('1'));
  session.appendSessionInfo('name');
  session.appendSessionInfo(' ');
  expect([words(open(session)), open(session).getSessionName()]).toEqual([['1'], undefined]);
});
