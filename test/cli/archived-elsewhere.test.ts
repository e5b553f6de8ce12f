import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { user } from '../kit/transcript.ts';

let home: Home;
beforeEach(() => {
  home = openHome();
  home.write('.claude/projects/-a/aaaa1111.jsonl', [
    user('a', null, 'the clock', { cwd: '/a', sessionId: 'aaaa1111' }),
  ]);
  home.write('other/projects/-b/bbbb2222.jsonl', [user('b', null, 'the tower', { cwd: '/b', sessionId: 'bbbb2222' })]);
  home.skein(['index']);
  home.skein(['index', '--root', 'other']);
});
afterEach(() => home.remove());

const hint = /the archive has (it|more) from (\S+\/other\/projects): add --root \2\n$/;

test.each([
  ['show', 'bbbb'],
  ['threads', 'bbbb2222'],
  ['search', 'tower'],
])('M7 %s %s, archived under another root: it is told which', (...args) => {
  const { err, code } = home.skein(args);
  expect(code).toBe(1);
  expect(err).toMatch(hint);
  expect(home.skein([...args, '--root', hint.exec(err)?.[2] ?? '']).code).toBe(0);
});

test('M7 what is archived nowhere gets no hint', () => {
  expect(home.skein(['show', 'cccc']).err).toBe("skein: No session found matching 'cccc'\n");
  expect(home.skein(['search', 'tower', '--root', 'other']).code).toBe(0);
});

test('M7 a folder with a space in its name is told as it has to be typed', () => {
  home.write('my logs/projects/-c/dddd4444.jsonl', [user('d', null, 'the bell', { cwd: '/c', sessionId: 'dddd4444' })]);
  home.skein(['index', '--root', 'my logs']);
  expect(home.skein(['show', 'dddd']).err).toMatch(/: add --root '\S+\/my logs\/projects'\n$/);
});
