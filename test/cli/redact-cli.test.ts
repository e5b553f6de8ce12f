import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());
home.write('.claude/projects/-home-anna-app/s1.jsonl', [
  user('u1', null, 'Mail anna@corp.example about /home/anna/app', { cwd: '/home/anna/app' }),
  assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'cat /home/anna/app/.env' })]),
  user('r1', 'a1', [toolResult('T', 'DB_PASSWORD=correct-horse')]),
  assistant('a2', 'r1', 'Done.', { usage: { input_tokens: 1_234_567, output_tokens: 1 } }),
]);
const SECRETS = ['anna', 'corp.example', 'correct-horse'];
const leaks = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));

test.each(['text', 'markdown', 'html', 'json', 'chat', 'outline', 'messages'])(
  'O --redact leaves nothing in %s',
  (form) => {
    const { out, err, code } = home.skein(['show', 's1', '--as', form, '--redact', '--verbose']);
    expect(code).toBe(0);
    expect(leaks(out)).toEqual([]);
    expect(leaks(err)).toEqual([]);
    expect(out).toContain('user1');
    expect(err).toContain('redacted');
  },
);

test('O --redact of a whole export: no page, list or name of a file says it', () => {
  const folder = join(home.path, 'out');
  home.skein(['export', '--all', '--redact', '-o', folder]);
  const page = readFileSync(join(folder, '-home-user1-app/s1.html'), 'utf8');
  const lists = ['index.html', '-home-user1-app/index.html', '.skein-export.json'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  const report = readFileSync(join(folder, 'redaction.json'), 'utf8');
  expect(leaks([page, ...lists, report].join(''))).toEqual([]);
  const { items, total } = JSON.parse(report);
  expect(total).toBe(items.length);
  expect(items).toContainEqual({ kind: 'secret', pseudonym: '[secret-1]', count: 1, places: ['s1#a1'] });
  rmSync(folder, { recursive: true });
});

test('attack B3 an export with --redact leaves no page of one without it, and nothing else goes', () => {
  const folder = join(home.path, 'both');
  for (const form of ['html', 'markdown']) home.skein(['export', '--all', '--as', form, '-o', folder]);
  home.write('both/-home-anna-app/mine.txt', 'not from Skein');
  home.skein(['export', '--all', '--redact', '-o', folder]);
  expect(filesBelow(folder)).toEqual([
    '-home-anna-app/mine.txt',
    '-home-user1-app/index.html',
    '-home-user1-app/s1.html',
    '.skein-export.json',
    'index.html',
    'redaction.json',
  ]);
  expect(
    leaks(readFileSync(join(folder, 'index.html'), 'utf8') + readFileSync(join(folder, '.skein-export.json'), 'utf8')),
  ).toEqual([]);
  home.skein(['export', '--all', '--as', 'json', '--redact', '-o', folder]);
  expect(filesBelow(folder)).toContain('-home-user1-app/s1.html');
  rmSync(folder, { recursive: true });
});

test('attack B3 after an export with --redact one without it writes its pages again', () => {
  const folder = join(home.path, 'again');
  const bare = openHome();
  bare.write('.claude/projects/-srv-app/s1.jsonl', [user('u1', null, 'Mail me@corp.example', { cwd: '/srv/app' })]);
  for (const more of [[], ['--redact'], []]) bare.skein(['export', '--all', '-o', folder, ...more]);
  expect(readFileSync(join(folder, '-srv-app/s1.html'), 'utf8')).toContain('me@corp.example');
  bare.remove();
  rmSync(folder, { recursive: true });
});

test('attack B3 a manifest that somebody else wrote removes nothing outside of its folder', () => {
  const mine = home.write('mine.html', 'mine');
  const pages = { '../../mine.html': { session: 's', stamp: 'x', summary: {} } };
  const manifest = { version: 4, projects: { a: { path: 'a', stamps: {}, pages } }, lists: { '../mine.html': 'x' } };
  home.write('odd/.skein-export.json', JSON.stringify(manifest));
  home.skein(['export', '--all', '--redact', '-o', join(home.path, 'odd')]);
  expect(readFileSync(mine, 'utf8')).toBe('mine');
});

test('U9 names are known before anything is written, over the whole export', () => {
  const several = openHome();
  several.write('.claude/projects/-srv-one/s1.jsonl', [
    user('u1', null, 'drwxr-xr-x 2 dainmann staff src', { cwd: '/srv/one', timestamp: '2026-03-01T00:00:00.000Z' }),
  ]);
  several.write('.claude/projects/-Users-dainmann-two/s2.jsonl', [
    user('u2', null, 'go', { cwd: '/Users/dainmann/two', timestamp: '2026-01-01T00:00:00.000Z' }),
  ]);
  several.skein(['export', '--all', '--redact', '-o', 'out']);
  const files = filesBelow(join(several.path, 'out'));
  expect(files.filter((file) => file.includes('dainmann'))).toEqual([]);
  for (const file of files) expect(readFileSync(join(several.path, 'out', file), 'utf8')).not.toContain('dainmann');
  several.remove();
});

test('attack B3 the report says what it cannot see', () => {
  const { err } = home.skein(['show', 's1', '--redact']);
  expect(err).toContain('Secrets without a known form or name');
});

test('attack B3 JSON stays JSON: numbers of tokens are no secrets', () => {
  const { out } = home.skein(['show', 's1', '--as', 'json', '--redact']);
  expect(JSON.parse(out).session.usage).toEqual({
    input_tokens: 1_234_568,
    output_tokens: 2,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
  });
});

test('U9 ids that are made of names of files, and tools of a server that is called after somebody, do not say it', () => {
  const named = openHome();
  named.write('.claude/projects/-home-dainmann-app/dainmann-notes.jsonl', [
    user('u1', null, 'go', { cwd: '/home/dainmann/app' }),
    assistant('a1', 'u1', [toolUse('T', 'mcp__dainmann__query')]),
    { type: 'user', message: { role: 'user', content: 'a line without an id' } },
  ]);
  named.write('.claude/projects/-home-dainmann-app/dainmann-notes/subagents/agent-dainmann.jsonl', [
    { ...user('x1', null, 'inside'), isSidechain: true, agentId: 'dainmann' },
  ]);
  for (const form of ['text', 'json', 'chat', 'messages', 'markdown', 'html', 'outline']) {
    const { out, err } = named.skein(['show', 'dainmann-notes', '--as', form, '--redact', '--verbose']);
    expect([form, (out + err).includes('dainmann'), out.includes('user1')]).toEqual([form, false, true]);
  }
  for (const form of ['html', 'markdown', 'json'])
    named.skein(['export', '--all', '--as', form, '--redact', '--verbose', '-o', 'out']);
  const files = filesBelow(join(named.path, 'out'));
  const said = files.map((file) => file + readFileSync(join(named.path, 'out', file), 'utf8'));
  expect(said.filter((text) => text.includes('dainmann'))).toEqual([]);
  expect(files).toContain('-home-user1-app/user1-notes.html');
  named.remove();
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => relative(folder, join(each.parentPath, each.name)))
    .sort();
