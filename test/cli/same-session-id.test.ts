import { utimesSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());
/** The last one by path was written to last, and first, so that neither order is by chance the right one. */
for (const [name, written] of [
  ['a', 2],
  ['b', 1],
  ['c', 3],
] as const) {
  const at = { cwd: `/${name}`, timestamp: '2026-01-01T00:00:00.000Z' };
  const path = home.write(`.claude/projects/-${name}/same.jsonl`, [
    user(`u${name}`, null, `In ${name}`, at),
    assistant(`a${name}`, `u${name}`, 'Done.', at),
  ]);
  utimesSync(path, written, written);
}

const QUERIES = [
  ['sessions', '--json'],
  ['sessions'],
  ['stats', '--by', 'session', '--json'],
  ['stats', '--by', 'session', '--csv', '--breakdown'],
  ['stats', '--by', 'session'],
];

test('attack C5: a session id in several projects is a row of each, in one order, from the index as from the files', () => {
  const answers = (): string[] => QUERIES.map((args) => home.skein(args).out);
  const fromFiles = answers();
  const projects = (json = ''): string[] =>
    JSON.parse(json).items.map(({ project_path: path }: { project_path: string }) => path);
  expect([projects(fromFiles[0]), projects(fromFiles[2])]).toEqual([
    ['/a', '/b', '/c'],
    ['/a', '/b', '/c'],
  ]);
  expect(home.skein(['index']).code).toBe(0);
  expect(answers()).toEqual(fromFiles);
});
