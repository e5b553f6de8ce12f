import { appendFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());

const DAY = 86_400_000;
const MONDAY = Date.parse('2026-03-02T10:00:00Z');
const prompt = (sessionId: string, project: string, timestamp: number, display: string, pastedContents = {}) => ({
  display,
  pastedContents,
  timestamp,
  project,
  sessionId,
});
const log = home.write('.claude/projects/-r/aaaa1111.jsonl', [
  user('u1', null, 'Still here', { cwd: '/r' }),
  assistant('a1', 'u1', 'Yes.'),
]);
const history = home.write('.claude/history.jsonl', [
  prompt('aaaa1111', '/r', MONDAY, 'Still here'),
  prompt('bbbb2222', '/r', MONDAY, 'Where is the \u001b[31mclock?'),
  prompt('bbbb2222', '/r', MONDAY, '[Pasted text #1 +2 lines] fix it', {
    1: { type: 'text', content: 'TypeError: x' },
  }),
  prompt('cccc3333', '/gone', MONDAY + DAY, 'A project that is gone'),
  { display: 'older versions do not say whose it is', timestamp: 1, project: '/r' },
]);
appendFileSync(history, 'not JSON\n{"display":"torn');

const LISTS = [
  ['sessions', '--json', '--all-threads'],
  ['sessions', '--json', '-p', '/r'],
  ['sessions', '--json', '-p', '/gone'],
  ['sessions', '--full-ids'],
  ['sessions', '--json', '--on', '2026-03-03'],
  ['projects', '--json'],
  ['projects'],
  ['show', 'bbbb', '--as', 'json'],
  ['stats', '--json', '--by', 'session'],
];
const lists = (): unknown[] => LISTS.map((args) => home.skein(args));
const json = (...args: string[]) => JSON.parse(home.skein([...args, '--json']).out);

describe('M7 prompts of sessions that vanished before Skein came', () => {
  let fromFiles: unknown[];
  beforeAll(() => {
    fromFiles = lists();
  });

  test('are listed as sessions, marked; those that are there are listed once', () => {
    const { items } = json('sessions');
    expect(items.map(({ session_id, recovered = false }: Record<string, unknown>) => [session_id, recovered])).toEqual([
      ['cccc3333', true],
      ['bbbb2222', true],
      ['aaaa1111', false],
    ]);
    expect(items[1]).toMatchObject({
      project_path: '/r',
      project_id: '-r',
      agent: 'claude-code',
      title: 'Where is the \u001b[31mclock?',
      record_count: 2,
      files: ['history.jsonl#bbbb2222'],
      started_at: '2026-03-02T10:00:00.000Z',
      cost_usd: 0,
    });
    expect(home.skein(['sessions']).out).toMatch(/bbbb2222 +\(prompts only\) Where is the/);
    expect(json('projects').items).toMatchObject([
      { path: '/gone', id: '-gone', session_count: 1, recovered_count: 1, agents: ['claude-code'] },
      { path: '/r', id: '-r', session_count: 2, recovered_count: 1 },
    ]);
    expect(home.skein(['projects']).out).toContain('2 (1 prompts only)');
  });

  test('fall into ranges of days like others, and cost nothing', () => {
    const on = (day: string) =>
      json('sessions', '--on', day).items.map((row: { session_id: string }) => row.session_id);
    expect(on('2026-03-02')).toEqual(['bbbb2222']);
    expect(on('2026-03-03')).toEqual(['cccc3333']);
    expect(home.skein(['stats', '--json', '--by', 'session']).out).not.toMatch(/bbbb|cccc/);
  });

  test('are shown with what was pasted, and it is said that the answers are gone', () => {
    const { out, code } = home.skein(['show', 'bbbb']);
    expect(code).toBe(0);
    expect(out).toMatch(/^This session was deleted before it was archived\. .* the answers are gone\.\n/);
    expect(out).toContain('TypeError: x fix it');
    expect(out).not.toContain('\u001b[31m');
    const { err } = home.skein(['show', 'bbbb', '--as', 'chat']);
    expect(err).toContain('the answers are gone');
    expect(home.skein(['threads', 'bbbb']).out).toContain('1 thread of bbbb2222');
    expect(home.skein(['resume', 'bbbb'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be continued'),
    });
  });

  test('are the same from the index, and from the archive when the history is gone too', () => {
    home.skein(['index']);
    expect(lists()).toEqual(fromFiles);
    rmSync(history);
    expect(lists()).toEqual(fromFiles);
    home.skein(['index']);
    expect(lists()).toEqual(fromFiles);
    rmSync(log);
    expect(json('sessions').items).toHaveLength(3);
  });

  test('cannot be restored: it is said why', () => {
    expect(home.skein(['restore', 'bbbb', '-o', 'out'])).toEqual({
      out: '',
      err: 'skein: Session bbbb2222 was deleted before it was archived: no file of it is there; "skein show bbbb2222" prints its prompts\n',
      code: 1,
    });
  });

  test('M8 can be forgotten, and do not come back with the history', () => {
    expect(home.skein(['forget', 'bbbb', '--yes'])).toMatchObject({ code: 0 });
    expect(json('sessions').items).toHaveLength(2);
    home.write('.claude/history.jsonl', [prompt('bbbb2222', '/r', MONDAY, 'Where is the clock?')]);
    expect(json('sessions').items).toHaveLength(1);
    expect(home.skein(['show', 'bbbb']).code).toBe(1);
  });
});
