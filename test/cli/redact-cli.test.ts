import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());
home.write('.claude/projects/-home-anna-app/s1.jsonl', [
  user('u1', null, 'Mail anna@corp.example about /home/anna/app', { cwd: '/home/anna/app' }),
  assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'cat /home/anna/app/.env' })]),
  user('r1', 'a1', [toolResult('T', 'DB_PASSWORD=correct-horse')]),
  assistant('a2', 'r1', 'Done.'),
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
