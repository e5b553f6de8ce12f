import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { assistant, user } from '../kit/transcript.ts';

let home: Home;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

test('P3 a thread the agent would not open is not resumed; how to go on with it is said', () => {
  home.write('.claude/projects/-r/aaaa1111.jsonl', [
    user('u1', null, 'begin'),
    assistant('a1', 'u1', 'ok'),
    user('u2', 'a1', 'one way'),
    user('u3', 'a1', 'another way'),
  ]);
  expect(home.skein(['resume', 'aaaa', '--thread', 'u3']).out).toBe('cd /r && claude --resume aaaa1111\n');
  const { out, err, code } = home.skein(['resume', 'aaaa', '--thread', 'u2']);
  expect({ out, code }).toEqual({ out: '', code: 1 });
  expect(err).toMatch(/^skein: Claude Code would go on with another thread .*: skein branch aaaa --at u2 --to pi\n$/);
  const file = join(home.path, 'one-way.jsonl');
  home.skein(['branch', 'aaaa', '--at', 'u2', '--to', 'pi', '-o', file]);
  expect(readFileSync(file, 'utf8')).toContain('one way');
});

test('P3 of a file that is gone it is said how to get it back', () => {
  const root = join(home.path, "it's/projects");
  const file = home.write("it's/projects/-gone/ffff7777.jsonl", [user('g1', null, 'x', { cwd: '/gone' })]);
  const env = { SKEIN_HOME: join(home.path, 'kept') };
  home.skein(['index', '--root', root], env);
  rmSync(file);
  const { out, err, code } = home.skein(['resume', 'ffff', '--root', root], env);
  expect({ out, code }).toEqual({ out: '', code: 1 });
  const [, command] =
    /^skein: The file of ffff7777 is gone\. First write it back: (skein restore .*)\n$/.exec(err) ?? [];
  const skein = `skein() { '${process.execPath}' '${BIN}' "$@"; }`;
  execFileSync('bash', ['-c', `${skein}\n${command}`], { env: { ...home.env, ...env } });
  expect(home.skein(['resume', 'ffff', '--root', root], env).out).toBe('cd /gone && claude --resume ffff7777\n');
});
