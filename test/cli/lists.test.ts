import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { assistant, type Json, piAssistant, piHeader, piUser, user } from '../kit/transcript.ts';

let home: Home;
const A = 'aaaa1111-0000-4000-8000-000000000001';
const at = (time: string): Json => ({ timestamp: time });

beforeAll(() => {
  home = openHome();
  home.write(`.claude/projects/-work-app/${A}.jsonl`, [
    user('u1', null, 'Fix the parser', { ...at('2026-03-01T10:00:00.000Z'), cwd: '/work/app', gitBranch: 'main' }),
    assistant('a1', 'u1', 'ok', {
      ...at('2026-03-01T10:01:00.000Z'),
      usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 30, cache_creation_input_tokens: 40 },
    }),
    user('u2', 'a1', 'one way', at('2026-03-01T10:02:00.000Z')),
    user('u3', 'a1', 'another way', { ...at('2026-03-01T23:30:00.000Z'), gitBranch: 'dev' }),
  ]);
  home.write(`.claude/projects/-work-app/${A}/subagents/agent-b1.jsonl`, [
    user('s1', null, 'look', { isSidechain: true, agentId: 'b1', sessionId: A, ...at('2026-03-01T10:01:10.000Z') }),
    assistant('s2', 's1', 'seen', {
      isSidechain: true,
      agentId: 'b1',
      sessionId: A,
      usage: { input_tokens: 1, output_tokens: 2 },
      ...at('2026-03-01T10:01:20.000Z'),
    }),
  ]);
  home.write('.pi/agent/sessions/--work-app--/2026-03-05T00-00-00-000Z_pppp2222.jsonl', [
    piHeader('pppp2222', { cwd: '/work/app', ...at('2026-03-05T00:00:00.000Z') }),
    { ...piUser('e1', null, 'Ask Pi'), ...at('2026-03-05T00:00:01.000Z') },
    { ...piAssistant('e2', 'e1', 'yes'), ...at('2026-03-05T00:00:02.000Z') },
  ]);
  home.write('.claude/projects/-work-web/bbbb3333.jsonl', [
    user('w1', null, 'Another project', { ...at('2026-02-01T00:00:00.000Z'), cwd: '/work/web' }),
  ]);
});
afterAll(() => home.remove());

const json = (...args: readonly string[]) => {
  const { out, err } = home.skein([...args, '--json']);
  expect(err).toBe('');
  return JSON.parse(out);
};
const ids = (...args: readonly string[]): string[] =>
  json('sessions', ...args).items.map((item: Json) => String(item.session_id).slice(0, 4));

describe('skein projects', () => {
  test('P4 as JSON: keys and values', () => {
    const { items, total } = json('projects');
    expect(total).toBe(2);
    expect(items).toEqual([
      {
        id: '-work-app',
        path: '/work/app',
        agent: 'claude-code,pi',
        agents: ['claude-code', 'pi'],
        session_count: 2,
        last_activity: '2026-03-05T00:00:02.000Z',
      },
      {
        id: '-work-web',
        path: '/work/web',
        agent: 'claude-code',
        agents: ['claude-code'],
        session_count: 1,
        last_activity: '2026-02-01T00:00:00.000Z',
      },
    ]);
  });

  test('P3 as a table: newest first, with path, sessions and last activity', () => {
    expect(home.skein(['projects']).out).toBe(
      `LAST ACTIVITY     SESSIONS  AGENT            PATH       PROJECT
2026-03-05 00:00         2  claude-code, pi  /work/app  -work-app
2026-02-01 00:00         1  claude-code      /work/web  -work-web

2 projects
`,
    );
  });
});

describe('skein sessions', () => {
  test('P4 as JSON: keys and values', () => {
    const { items, total } = json('sessions', '-p', 'web');
    expect(total).toBe(1);
    expect(items).toEqual([
      {
        session_id: 'bbbb3333',
        project_id: '-work-web',
        project_path: '/work/web',
        agent: 'claude-code',
        title: 'Another project',
        started_at: '2026-02-01T00:00:00.000Z',
        ended_at: '2026-02-01T00:00:00.000Z',
        record_count: 1,
        thread_count: 1,
        message_count: 1,
        cwd: '/work/web',
        git_branch: null,
        files: ['-work-web/bbbb3333.jsonl'],
        usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0 },
        cost_usd: 0,
      },
    ]);
  });

  test('P4 records are those of all branches, usage is that of sub-agents too, an unknown price is told', () => {
    const item = json('sessions').items.find((each: Json) => each.session_id === A);
    expect(item).toMatchObject({
      record_count: 4,
      thread_count: 2,
      git_branch: 'dev',
      files: [`-work-app/${A}.jsonl`, `-work-app/${A}/subagents/agent-b1.jsonl`],
      usage: { input_tokens: 11, output_tokens: 22, cache_read_tokens: 30, cache_creation_tokens: 40 },
      cost_usd: null,
      unknown_models: ['claude-x'],
    });
  });

  test('P3 newest first, in all projects or one', () => {
    expect(ids()).toEqual(['pppp', 'aaaa', 'bbbb']);
    expect(ids('--project', '/work/app')).toEqual(['pppp', 'aaaa']);
    expect(ids('-p', 'web')).toEqual(['bbbb']);
    expect(home.skein(['sessions', '-p', 'zzz'])).toEqual({
      out: '',
      err: "skein: No project found matching 'zzz'\n",
      code: 1,
    });
  });

  test('P3 --limit shows so many and tells how many there are', () => {
    const { out } = home.skein(['sessions', '--limit', '1']);
    expect(out).toContain('pppp2222');
    expect(out).not.toContain('aaaa1111');
    expect(out).toContain('Showing 1 of 3 sessions');
    const limited = json('sessions', '--limit', '2');
    expect([limited.items.length, limited.total]).toEqual([2, 3]);
    for (const bad of ['0', '-1', 'x', '1.5']) expect(home.skein(['sessions', '--limit', bad]).code).toBe(2);
  });

  test('P3 ids are short, --full-ids shows them whole', () => {
    expect(home.skein(['sessions']).out).toMatch(/ aaaa1111 {2}/);
    expect(home.skein(['sessions', '--full-ids']).out).toContain(`  ${A}  `);
  });

  test('P3 --all-threads shows the other threads below their session', () => {
    const lines = home.skein(['sessions', '--all-threads']).out.split('\n');
    const row = lines.findIndex((line) => line.includes('aaaa1111'));
    expect(lines[row]).toContain('Fix the parser');
    expect(lines[row + 1]).toMatch(/^2026-03-01 10:02 {2}└─ u1 .*Fix the parser → one way/);
    expect(lines.filter((line) => line.includes('└─'))).toHaveLength(1);
    const [{ threads }] = json('sessions', '--all-threads', '-p', 'web').items;
    expect(threads.map((thread: Json) => thread.thread_id)).toEqual(['w1']);
  });

  test.each([
    ['UTC', ['--on', '2026-03-01'], ['aaaa']],
    ['UTC', ['--on', '2026-03-02'], []],
    ['Asia/Tokyo', ['--on', '2026-03-02'], ['aaaa']],
    ['America/New_York', ['--on', '2026-03-04'], ['pppp']],
    ['UTC', ['--since', '2026-03-01'], ['pppp', 'aaaa']],
    ['UTC', ['--since', '2026-03-02'], ['pppp']],
    ['UTC', ['--until', '2026-03-01'], ['aaaa', 'bbbb']],
    ['UTC', ['--since', '2026-02-02', '--until', '2026-03-01'], ['aaaa']],
    ['UTC', ['--on', '2026-03'], ['pppp', 'aaaa']],
  ])('P4 in %s, %j leaves %j', (zone, args, expected) => {
    const { out } = home.skein(['sessions', ...args, '--jsonl'], { TZ: zone });
    const found = out.split('\n').filter(Boolean);
    expect(found.map((line) => JSON.parse(line).session_id.slice(0, 4))).toEqual(expected);
  });

  test('P3 what is no day is an error of one line', () => {
    const { err, code } = home.skein(['sessions', '--on', 'last tuesday']);
    expect(err).toMatch(/^skein: Not a date: last tuesday.*\n$/);
    expect(code).toBe(2);
  });

  test('P3, P4 nothing found: exit code 1, in every form', () => {
    const none = ['--on', '1999-01-01'];
    expect(home.skein(['sessions', ...none])).toMatchObject({
      out: '',
      err: expect.stringMatching(/^skein: No sessions found in .* \(1999-01-01\)\n$/),
      code: 1,
    });
    expect(home.skein(['sessions', ...none, '--json'])).toEqual({ out: '{"items":[],"total":0}\n', err: '', code: 1 });
    expect(home.skein(['sessions', ...none, '--jsonl'])).toEqual({ out: '', err: '', code: 1 });
    const empty = { HOME: join(home.path, 'nobody') };
    expect(home.skein(['projects', '--json'], empty)).toEqual({ out: '{"items":[],"total":0}\n', err: '', code: 1 });
    expect(home.skein(['projects'], empty).err).toMatch(/^skein: No projects found in .*nobody\/.claude\/projects/);
  });
});

describe('skein threads', () => {
  test('P4 as JSON: keys and values', () => {
    expect(json('threads', 'aaaa')).toEqual({
      items: [
        {
          thread_id: 'u3',
          leaf_uuid: 'u3',
          resume_id: A,
          summary: 'another way',
          record_count: 3,
          last_activity: '2026-03-01T23:30:00.000Z',
          fork_uuid: 'a1',
          is_default: true,
        },
        {
          thread_id: 'u1',
          leaf_uuid: 'u2',
          resume_id: A,
          summary: 'Fix the parser → one way',
          record_count: 3,
          last_activity: '2026-03-01T10:02:00.000Z',
          fork_uuid: null,
          is_default: false,
        },
      ],
      total: 2,
    });
  });

  test('P3 as a table: leaf, last activity, records, fork point, summary', () => {
    expect(home.skein(['threads', 'aaaa']).out).toBe(
      `   LEAF  LAST ACTIVITY     RECORDS  FORK  SUMMARY
*  u3    2026-03-01 23:30        3  a1    another way
   u2    2026-03-01 10:02        3        Fix the parser → one way

2 threads of ${A}: Fix the parser
`,
    );
  });

  test('H15 short ids tell the threads of a Pi session apart, and find them', () => {
    const file = resolve('test/fixtures/pi-branches/session.jsonl');
    const { out } = home.skein(['threads', file]);
    expect(out.split('\n').map((line) => line.slice(3, 7))).toEqual(['LEAF', 'p022', 'p011', '', 'hrea', '']);
    expect(home.skein(['show', file, '--thread', 'p011']).out).toContain('Sage is added.');
    expect(home.skein(['threads', file, '--full-ids']).out).toContain('7d1c0a52-0000-4000-8000-00000000c0de/p022');
  });

  test('H22 ids that fit nothing or several', () => {
    expect(home.skein(['threads', 'zzz'])).toEqual({
      out: '',
      err: "skein: No session found matching 'zzz'\n",
      code: 1,
    });
    expect(home.skein(['threads', '1111', '--json']).code).toBe(0);
    expect(home.skein(['threads', '3333', 'more']).code).toBe(2);
  });
});

describe('skein resume', () => {
  const cwds = [
    '/work/it is',
    '/work/it\'s "here"',
    '/work/$(touch pwned)`touch pwned`$HOME;touch pwned',
    '/work/a\ntouch pwned\n',
    '-rf',
    '/work/\u001b]0;pwned\u0007\u009b31m',
    '/work/\u202egnp.exe\u2066',
    "/work/'$(touch pwned)'\\",
    '/work/!! #x & | > pwned ~ * ? [a] {a,b}',
    '/work/日本',
  ];
  const printed = (cwd: string): string => {
    home.write('odd/projects/-odd/cccc4444.jsonl', [user('o1', null, 'x', { cwd })]);
    const { out, code } = home.skein(['resume', 'cccc4444', '--root', join(home.path, 'odd')]);
    expect(code).toBe(0);
    return out;
  };
  beforeAll(() => {
    const bin = home.write('bin/claude', '#!/bin/bash\nprintf "%s|" claude "$PWD" "$@"\n');
    chmodSync(bin, 0o755);
    mkdirSync(join(home.path, 'empty'));
  });

  test.each(cwds)('P6 a working folder called %j is a word and nothing else', (cwd) => {
    const line = printed(cwd);
    expect(line.match(/\n/g)).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(line.trimEnd()).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    const cwdOfShell = join(home.path, 'empty');
    execFileSync('bash', ['-n', '-c', line]);
    // `cd` tells what it was given, the agent how it was called; nothing else may run.
    const script = `cd() { [ "$1" != -- ] || shift; printf '%s|' "$#" "$1"; }\n${line}`;
    const env = { PATH: join(home.path, 'bin'), HOME: home.path, LANG: 'C.UTF-8' };
    const said = execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8', cwd: cwdOfShell, env });
    expect(said).toBe(`1|${cwd}|claude|${cwdOfShell}|--resume|cccc4444|`);
    expect(readdirSync(cwdOfShell)).toEqual([]);
    expect(existsSync(join(home.path, 'pwned'))).toBe(false);
  });

  test('P3 the line works as it stands, in the folder it names', () => {
    const folder = join(home.path, "it's a $HOME folder");
    mkdirSync(folder);
    const env = { PATH: join(home.path, 'bin'), HOME: home.path };
    expect(execFileSync('/bin/bash', ['-c', printed(folder)], { encoding: 'utf8', env })).toBe(
      `claude|${folder}|--resume|cccc4444|`,
    );
  });

  test('P3 Pi goes on with the file', () => {
    const file = join(home.path, '.pi/agent/sessions/--work-app--/2026-03-05T00-00-00-000Z_pppp2222.jsonl');
    expect(home.skein(['resume', 'pppp2222'])).toEqual({
      out: `cd /work/app && pi --session ${file}\n`,
      err: 'skein: the working folder "/work/app" is not there (any more)\n',
      code: 0,
    });
  });

  test('H15 a thread is resumed by the file it goes on in', () => {
    home.write('odd/projects/-odd/dddd5555.jsonl', [user('f1', null, 'x'), assistant('f2', 'f1', 'ok')]);
    home.write('odd/projects/-odd/eeee6666.jsonl', [user('f3', 'f2', 'more')]);
    const root = ['--root', join(home.path, 'odd'), '--json'];
    expect(JSON.parse(home.skein(['resume', 'dddd5555', ...root]).out)).toEqual({
      session_id: 'dddd5555',
      thread_id: 'f1',
      resume_id: 'eeee6666',
      cwd: '/r',
      command: ['claude', '--resume', 'eeee6666'],
    });
  });
});
