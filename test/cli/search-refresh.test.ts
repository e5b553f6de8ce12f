import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { user } from '../kit/transcript.ts';

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const found = (word: string, env = {}): string[] =>
  JSON.parse(home.skein(['search', word, '--json'], env).out).items.map(({ uuid }: { uuid: string }) => uuid);
const line = (...args: Parameters<typeof user>): string => `${JSON.stringify(user(...args))}\n`;

test('M13 a search with an index takes what was written since into it: it is found when its log is gone', () => {
  const env = { SKEIN_HOME: join(home.path, 'data') };
  const log = home.write('.claude/projects/-r/s.jsonl', [user('a', null, 'the clock', { cwd: '/r' })]);
  home.skein(['index'], env);
  appendFileSync(log, line('b', 'a', 'a pendulum', { cwd: '/r' }));
  expect(found('pendulum', env)).toEqual(['b']);
  rmSync(log);
  expect(found('pendulum', env)).toEqual(['b']);
});

test('P6 without an index a search writes nothing, and of another root it takes nothing into one', () => {
  const env = { SKEIN_HOME: join(home.path, 'data') };
  home.write('.claude/projects/-r/s.jsonl', [user('a', null, 'the clock', { cwd: '/r' })]);
  expect(found('clock', env)).toEqual(['a']);
  expect(existsSync(env.SKEIN_HOME)).toBe(false);
  home.skein(['index'], env);
  const root = join(home.path, 'other/projects');
  const log = home.write('other/projects/-o/o.jsonl', [user('o', null, 'another clock', { cwd: '/o' })]);
  const inRoot = (): string => home.skein(['search', 'another', '--json', '--root', root], env).out;
  expect(JSON.parse(inRoot()).total).toBe(1);
  rmSync(log);
  expect(JSON.parse(inRoot()).total).toBe(0);
});
