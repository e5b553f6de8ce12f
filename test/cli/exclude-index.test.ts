import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { user } from '../kit/transcript.ts';

let home: Home;
beforeEach(() => {
  home = openHome();
  home.write('.claude/projects/-a/s1.jsonl', [user('a', null, 'the clock', { cwd: '/a', sessionId: 's1' })]);
  home.write('.claude/projects/-b/s2.jsonl', [user('b', null, 'xyzzyword clock', { cwd: '/b', sessionId: 's2' })]);
});
afterEach(() => home.remove());

const env = () => ({ SKEIN_HOME: join(home.path, 'data') });
const holds = (): boolean => readFileSync(join(home.path, 'data/index.db')).includes('xyzzyword');
const found = (word: string): string[] =>
  JSON.parse(home.skein(['search', word, '--json'], env()).out).items.map(({ uuid }: { uuid: string }) => uuid);

test('M8 what is excluded is not in the index, and is read from its file all the same', () => {
  home.write('data/exclude', '-b\n');
  expect(home.skein(['index'], env()).code).toBe(0);
  expect(holds()).toBe(false);
  expect(found('xyzzyword')).toEqual(['b']);
  expect(found('clock').sort()).toEqual(['a', 'b']);
  const sessions = JSON.parse(home.skein(['sessions', '--json'], env()).out);
  expect(sessions.total).toBe(2);
});

test('M8 no session of what is excluded is recovered from prompts', () => {
  const prompt = (sessionId: string, project: string) => ({ display: 'typed', timestamp: 1, project, sessionId });
  home.write('.claude/history.jsonl', [prompt('gone1', '/a'), prompt('gone2', '/b')]);
  home.write('data/exclude', '-b\n');
  home.skein(['index'], env());
  const recovered = JSON.parse(home.skein(['sessions', '--json'], env()).out).items.filter(
    (row: { recovered?: boolean }) => row.recovered,
  );
  expect(recovered.map(({ session_id }: { session_id: string }) => session_id)).toEqual(['gone1']);
  expect(home.skein(['show', 'gone2'], env()).code).toBe(1);
});
