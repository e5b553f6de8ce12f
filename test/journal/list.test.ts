import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findMostRecentSession, getDefaultSessionDir, SessionManager } from '../../src/journal/index.ts';
import { assistant, Folder, HEADER, line, textOf, user } from '../kit/journal.ts';

const folder = new Folder();
afterEach(() => vi.unstubAllEnvs());

function put(dir: string, name: string, content: readonly object[] | string, time = 0): string {
  const path = join(dir, name);
  writeFileSync(path, typeof content === 'string' ? content : textOf(content));
  utimesSync(path, time, time);
  return path;
}

describe('J2: lists', () => {
  test('a session is listed with its name, first prompt and last activity, latest first', async () => {
    const dir = folder.dir();
    const old = put(dir, 'a.jsonl', [HEADER, line('e1', null, { message: { ...user('hello'), timestamp: 5000 } })]);
    const session = SessionManager.create('/p', dir, { parentSession: old });
    session.appendMessage({ ...user('first'), timestamp: 9000 });
    session.appendMessage({ ...assistant('answer'), timestamp: 8000 });
    session.appendSessionInfo('gone');
    session.appendSessionInfo('named');
    put(dir, 'bad.jsonl', 'no session');
    const told: (number | undefined)[] = [];
    const list = await SessionManager.list('/p', dir, (loaded, _total, partial) => told.push(loaded, partial?.length));
    expect(list).toMatchObject([
      {
        path: session.getSessionFile(),
        name: 'named',
        firstMessage: 'first',
        allMessagesText: 'first answer',
        messageCount: 2,
        modified: new Date(9000),
        parentSessionPath: old,
      },
      { path: old, id: 'S', cwd: '/p', firstMessage: 'hello', messageCount: 1, created: new Date(HEADER.timestamp) },
    ]);
    expect([told.at(-2), told.at(-1)]).toEqual([3, 2]);
    expect(await SessionManager.list('/other', dir)).toEqual([]);
  });

  test('a name that was taken away is gone', async () => {
    const dir = folder.dir();
    const session = SessionManager.create('/p', dir);
    session.appendSessionInfo('name');
    session.appendSessionInfo('');
    expect([session.getSessionName(), (await SessionManager.list('/p', dir))[0]?.name]).toEqual([undefined, undefined]);
  });

  test('all working folders, below the folder of the agent', async () => {
    vi.stubEnv('PI_CODING_AGENT_DIR', folder.dir());
    const [one, two] = [SessionManager.create('/a/b'), SessionManager.create('/c')];
    expect(one.getSessionDir()).toBe(getDefaultSessionDir('/a/b'));
    expect([one.usesDefaultSessionDir(), one.getSessionDir().endsWith('/sessions/--a-b--')]).toEqual([true, true]);
    const listed = (await SessionManager.listAll()).map(({ path }) => path);
    expect(listed.sort()).toEqual([one.getSessionFile(), two.getSessionFile()].sort());
    expect(await SessionManager.listAll(one.getSessionDir())).toHaveLength(1);
    expect(SessionManager.findById('/c', two.getSessionId())).toBe(two.getSessionFile());
    expect(SessionManager.findById('/c', one.getSessionId())).toBeUndefined();
  });

  test('a list can be given up', async () => {
    const dir = folder.dir();
    put(dir, 'a.jsonl', [HEADER]);
    await expect(SessionManager.list('/p', dir, undefined, AbortSignal.abort())).rejects.toThrow();
    await expect(SessionManager.listAll(undefined, AbortSignal.abort())).rejects.toThrow();
  });

  test('a folder that is not there has none', async () => {
    expect(await SessionManager.list('/p', join(folder.path, 'none'))).toEqual([]);
    expect(findMostRecentSession(join(folder.path, 'none'))).toBeNull();
  });
});

describe('J2: the most recent session', () => {
  test('is the one written to last that is a session', () => {
    const dir = folder.dir();
    put(dir, 'old.jsonl', [HEADER], 10);
    const path = put(dir, 'new.jsonl', [HEADER], 20);
    put(dir, 'bad.jsonl', 'no session\n', 30);
    put(dir, 'other.jsonl', [line('e1', null)], 40);
    put(dir, 'notes.txt', [HEADER], 50);
    mkdirSync(join(dir, 'folder.jsonl'));
    expect(findMostRecentSession(dir)).toBe(path);
  });

  test('fault: is found if its header is long', () => {
    const dir = folder.dir();
    const path = put(dir, 'a.jsonl', [{ ...HEADER, cwd: `/${'deep/'.repeat(4000)}` }, line('e1', null)]);
    expect(findMostRecentSession(dir)).toBe(path);
    expect(SessionManager.findById('/p', 'S', dir)).toBeUndefined();
  });

  test('is found behind a bad line, a title, and without a newline', () => {
    const dir = folder.dir();
    for (const text of [
      `oops\n${JSON.stringify(HEADER)}`,
      textOf([{ type: 'title', v: 1 }, HEADER]),
      `\uFEFF${textOf([HEADER])}`,
    ])
      expect(findMostRecentSession(join(put(dir, 'a.jsonl', text), '..'))).toBe(join(dir, 'a.jsonl'));
  });
});
