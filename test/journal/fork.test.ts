import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SessionManager } from '../../src/journal/index.ts';
import { assistant, Folder, HEADER, line, linesIn, user, wordOf } from '../kit/journal.ts';

const folder = new Folder();
const create = () => SessionManager.create('/p', folder.dir());
const words = (session: SessionManager) => session.buildSessionContext().messages.map(wordOf);

/** Every parent stands above its child, every id is there once, and there is one header. */
function expectWhole(path: string | undefined) {
  const [header, ...entries] = linesIn(path);
  expect(header?.type).toBe('session');
  const seen = new Set<string | null>([null]);
  for (const { type, id, parentId } of entries) {
    expect([String(type) === 'session', seen.has(parentId), seen.has(id)]).toEqual([false, true, false]);
    seen.add(id);
  }
}

describe('J4: a path as a session of its own', () => {
  test('check 9: what hung on a label hangs on the entry above it; the label is set anew', () => {
    const session = create();
    const u1 = session.appendMessage(user('u1'));
    session.appendMessage(assistant('a1'));
    session.appendLabelChange(u1, 'start');
    session.appendMessage(user('u2'));
    const file = session.createBranchedSession(session.appendMessage(assistant('a2')));
    expectWhole(file);
    expect(words(session)).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(session.getBranch()).toHaveLength(5);
    expect(SessionManager.open(file ?? '').getLabel(u1)).toBe('start');
  });

  test('check 11: the manager goes on with the new file, and the bytes of the old one stay', () => {
    const session = create();
    const leaf = session.appendMessage(assistant('1'));
    session.appendMessage(user('2'));
    const old = session.getSessionFile() ?? '';
    const before = readFileSync(old, 'utf8');
    const file = session.createBranchedSession(leaf);
    session.appendMessage(user('3'));
    session.close();
    expect(readFileSync(old, 'utf8')).toBe(before);
    expect(session.getSessionFile()).toBe(file);
    expect(linesIn(file)).toMatchObject([{ parentSession: old }, { id: leaf }, { parentId: leaf }]);
  });

  test('check 10: before any answer: the file is there, once', () => {
    const session = create();
    const file = session.createBranchedSession(session.appendMessage(user('1')));
    session.appendCustomEntry('x');
    session.appendMessage(assistant('2'));
    expectWhole(file);
    expect(linesIn(file)).toHaveLength(4);
  });

  test('only the path goes with it', () => {
    const session = create();
    const u1 = session.appendMessage(user('u1'));
    const gone = session.appendMessage(assistant('gone'));
    session.appendLabelChange(gone, 'not here');
    session.branch(u1);
    const file = session.createBranchedSession(session.appendMessage(assistant('a1')));
    expect(linesIn(file)).toHaveLength(3);
    expect(session.getLabel(gone)).toBeUndefined();
  });

  test('a compaction that keeps from a label on keeps from the entry below it', () => {
    const session = SessionManager.inMemory();
    const u1 = session.appendMessage(user('u1'));
    const label = session.appendLabelChange(u1, 'x');
    session.appendMessage(user('u2'));
    session.createBranchedSession(session.appendCompaction('s', label, 1));
    expect(words(session)).toEqual(['compactionSummary:s', 'u2']);
  });

  test('in memory the entries are replaced and there is no file', () => {
    const session = SessionManager.inMemory();
    const first = session.appendMessage(user('1'));
    session.appendMessage(user('2'));
    expect(session.createBranchedSession(first)).toBeUndefined();
    expect(words(session)).toEqual(['1']);
  });

  test('what has no header can still be taken into a session that has one', () => {
    const session = SessionManager.open(folder.file([line('e1', null), line('e2', 'e1')]));
    const file = session.createBranchedSession('e2');
    session.appendMessage(user('3'));
    expectWhole(file);
  });
});

describe('J2: forkFrom', () => {
  test('takes all branches and labels into the folder of another project', () => {
    const source = create();
    const first = source.appendMessage(user('1'));
    source.appendMessage(assistant('2'));
    source.branch(first);
    source.appendLabelChange(source.appendMessage(assistant('3')), 'other');
    const fork = SessionManager.forkFrom(source.getSessionFile() ?? '', '/q', folder.dir());
    expect(fork.getTree()).toEqual(source.getTree());
    expect(fork.getHeader()).toMatchObject({ cwd: '/q', parentSession: source.getSessionFile() });
    expectWhole(fork.getSessionFile());
  });

  test('of a file of version 1 gives every entry its id and parent', () => {
    const { version: _version, ...header } = HEADER;
    const old = folder.file([
      header,
      { type: 'message', timestamp: '', message: user('1') },
      { type: 'message', timestamp: '', message: user('2') },
    ]);
    const fork = SessionManager.forkFrom(old, '/q', folder.dir());
    expectWhole(fork.getSessionFile());
    expect(words(fork)).toEqual(['1', '2']);
  });

  test('of something that is no session fails, and leaves nothing behind', () => {
    const dir = folder.dir();
    const bad = folder.file('no session\n');
    expect(() => SessionManager.forkFrom(bad, '/q', dir)).toThrow('Cannot fork');
    expect(SessionManager.continueRecent('/q', dir).getEntries()).toEqual([]);
    expect(dirname(bad)).toBe(folder.path);
  });
});
