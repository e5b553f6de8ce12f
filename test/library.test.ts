import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { openDemo } from '../src/history/index.ts';
import { openHome } from './kit/home.ts';
import { linesIn } from './kit/journal.ts';
import { assistant, user } from './kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());
const log = home.write('.claude/projects/-r/s1.jsonl', [
  user('u1', null, 'Find the bug'),
  assistant('a1', 'u1', 'Found'),
]);

describe('P1: the library examples of the README', () => {
  test('list every session with its title', () => {
    expect(runExample('defaultThread')).toBe('s1 Find the bug\nuser Find the bug\nassistant Found\n');
  });

  test('walk a session', () => {
    expect(runExample('new Selector')).toBe('user: Find the bug\nassistant: Found\n');
  });

  test('search what is on disk, and what is archived when that is gone', () => {
    expect(runExample('openSearch')).toBe('s1 Find the bug\n');
    expect(home.skein(['index'])).toMatchObject({ code: 0 });
    expect(runExample('openSearch')).toBe('s1 Find the bug\n');
    rmSync(log);
    expect(runExample('openSearch')).toBe('s1 Find the bug\n');
    expect(runExample('defaultThread')).toBe('');
  });

  test('write a session', () => {
    const path = runExample('SessionManager.create', 'console.log(session.getSessionFile());').trim();
    expect(linesIn(path)).toMatchObject([{ type: 'session' }, { type: 'message' }, { type: 'label', label: 'start' }]);
  });
});

/** Runs the example that has these words as a program of its own; gives what it prints. */
function runExample(words: string, more = ''): string {
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  const example = blocks.find((block) => block.includes(words)) ?? '';
  const path = home.write('example.mts', `${example.replace(/(?<= from )'skein(.*)'/g, sourceOf)}${more}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { env: home.env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** The source of an entry point of the package. */
function sourceOf(_: string, name: string): string {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const source = exports[`.${name}`].default.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
  return `'${pathToFileURL(resolve(source))}'`;
}

test('the demo session reads without a finding, with two threads and a sub-agent', () => {
  const [project] = openDemo().projects;
  const [session] = project?.sessions() ?? [];
  expect(project?.logs[0]?.read({ survey: true }).tree.findings()).toEqual([]);
  expect(session?.title).toBe('Clock in UTC');
  expect(session?.facts.threads).toHaveLength(2);
  expect(session?.facts.subagents).toMatchObject([
    { id: 'a5c0071', spawn: { record: 'm04', call: 'toolu_demo_agent' } },
  ]);
});
