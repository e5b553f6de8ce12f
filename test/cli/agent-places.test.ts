import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { user } from '../kit/transcript.ts';

const LOG = '.claude/projects/-p/s.jsonl';
const SETTINGS = '.claude/settings.json';

describe('where a user lets Skein write', () => {
  let home: Home;
  beforeEach(() => {
    home = openHome();
    home.write(LOG, [user('u', null, 'hello', { sessionId: 's', cwd: '/p' })]);
    home.write(SETTINGS, '{"mine":1}');
    home.write('elsewhere/projects/-q/t.jsonl', [user('t1', null, 'other', { sessionId: 't', cwd: '/q' })]);
  });
  afterEach(() => home.remove());

  const at = (path: string): string => join(home.path, path);
  const files = (): string[] =>
    readdirSync(home.path, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => `${join(parentPath, name)} ${readFileSync(join(parentPath, name), 'utf8').length}`)
      .sort();

  test.each([
    ['the history of prompts', ['show', 's', '-o', '.claude/history.jsonl']],
    ['its settings', ['show', 's', '-o', SETTINGS]],
    ['a result of a tool', ['show', 's', '-o', '.claude/projects/-p/s/tool-results/r.txt']],
    ['a log of the usual place, seen from another', ['show', 't', '--root', 'elsewhere', '-o', LOG]],
    ['a root that was given', ['show', 't', '--root', 'elsewhere', '-o', 'elsewhere/projects/new/x.txt']],
    ['a folder with logs', ['show', 't', '--root', 'elsewhere/projects/-q', '-o', 'elsewhere/projects/-q/x.txt']],
    ['another agent, which has nothing yet', ['show', 's', '-o', '.pi/agent/x.txt']],
    ['a way that leads there', ['show', 's', '-o', 'elsewhere/../.claude/x/../x.txt']],
    ['one session', ['export', 's', '-o', '.claude/projects/page.html']],
    ['a folder of pages', ['export', '--all', '-o', '.claude/projects']],
    [
      'a folder of pages around a root',
      ['export', '--all', '--root', 'elsewhere/projects/-q', '-o', 'elsewhere/projects'],
    ],
    ['a branch', ['branch', 's', '-o', '.claude/projects/-p/b.jsonl']],
  ])('attack A4 is not below a place of an agent: %s', (_, args) => {
    const before = files();
    const { err, code } = home.skein(args);
    expect({ err, code, after: files() }).toEqual({
      err: expect.stringMatching(/belongs to an agent; Skein does not write there|is a log of an agent/),
      code: 2,
      after: before,
    });
  });

  test.each([
    ['to a file', () => symlinkSync(at(SETTINGS), at('link')), 'link'],
    ['to a file that is not there', () => symlinkSync(at('.claude/new.txt'), at('link')), 'link'],
    ['to a folder', () => symlinkSync(at('.claude'), at('link')), 'link/new/x.txt'],
    [
      'to a folder by another',
      () => ['two', '.claude'].map((to, i) => symlinkSync(to, at(['link', 'two'][i] ?? ''))),
      'link/x',
    ],
    ['of the other sort, to a log', () => linkSync(at(LOG), at('link')), 'link'],
  ])('attack A4 nor by a link %s', (_, link, output) => {
    link();
    const before = files();
    const { code } = home.skein(['show', 's', '-o', output]);
    expect({ code, after: files() }).toEqual({ code: 2, after: before });
  });

  test('attack A4 nor where an agent is told to look elsewhere', () => {
    mkdirSync(at('config'));
    const { code } = home.skein(['show', 't', '--root', 'elsewhere', '-o', 'config/x.txt'], {
      CLAUDE_CONFIG_DIR: at('config'),
    });
    expect({ code, there: existsSync(at('config/x.txt')) }).toEqual({ code: 2, there: false });
  });

  test('attack A4 a file keeps what it says, and its neighbours, when there is nothing to write in the end', () => {
    for (const agentId of ['a', 'b'])
      home.write(`.claude/projects/-p/lost/subagents/agent-${agentId}.jsonl`, [
        user(agentId, null, 'task', { sessionId: 'lost', isSidechain: true, agentId, cwd: '/p' }),
      ]);
    home.write('notes/old.txt', 'mine');
    const { code } = home.skein(['show', 'lost', '-o', 'notes/old.txt']);
    const left = { code, text: readFileSync(at('notes/old.txt'), 'utf8'), all: readdirSync(at('notes')) };
    expect(left).toEqual({ code: 1, text: 'mine', all: ['old.txt'] });
  });

  test('attack A4 a file keeps what it says when there is no room for another', () => {
    home.write('.claude/projects/-p/big.jsonl', [user('b', null, 'x'.repeat(1e6), { sessionId: 'big', cwd: '/p' })]);
    home.write('notes/old.txt', 'mine');
    const limited = [
      '-c',
      'ulimit -f 64; exec "$@"',
      'sh',
      process.execPath,
      BIN,
      'show',
      'big',
      '-o',
      'notes/old.txt',
    ];
    const { status } = spawnSync('sh', limited, { cwd: home.path, env: home.env });
    const left = { status, text: readFileSync(at('notes/old.txt'), 'utf8'), all: readdirSync(at('notes')) };
    expect(left).toEqual({ status: 2, text: 'mine', all: ['old.txt'] });
  });

  test('attack A4 a file that is written anew is as open to others as it was, and a link stays one', () => {
    home.write('notes/old.txt', 'mine');
    spawnSync('chmod', ['640', at('notes/old.txt')]);
    symlinkSync('notes/old.txt', at('link'));
    home.skein(['show', 's', '-o', 'link']);
    const { mode } = statSync(at('notes/old.txt'));
    expect([mode & 0o777, readFileSync(at('notes/old.txt'), 'utf8')]).toEqual([
      0o640,
      expect.stringContaining('hello'),
    ]);
  });
});
