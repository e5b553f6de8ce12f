import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { History, openDemo } from '../src/history/index.ts';
import { assistant, user } from './kit/transcript.ts';

test('the library example of the README lists every session with its title', async () => {
  const home = mkdtempSync(join(tmpdir(), 'skein-readme-'));
  const folder = join(home, '.claude/projects/-r');
  mkdirSync(folder, { recursive: true });
  const lines = [user('u1', null, 'Find the bug'), assistant('a1', 'u1', 'Found')];
  writeFileSync(join(folder, 's1.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const example = /## As a library\n\n```ts\nimport \{ History \} from 'skein';\n\n([\s\S]*?)```/.exec(
    readFileSync('README.md', 'utf8'),
  )?.[1];
  const printed: unknown[][] = [];
  const run = new Function('History', 'console', example ?? '');
  run({ open: () => History.open({ env: {}, home }) }, { log: (...words: unknown[]) => printed.push(words) });
  rmSync(home, { recursive: true });
  expect(printed).toEqual([
    ['s1', 'Find the bug'],
    ['user', 'Find the bug'],
    ['assistant', 'Found'],
  ]);
});

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
