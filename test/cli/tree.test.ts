import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SessionManager } from '../../src/journal/index.ts';
import { openHome } from '../kit/home.ts';
import { assistant, piAssistant, piHeader, piUser, toolResult, toolUse, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());

const CLAUDE = '.claude/projects/-work-app/cccc1111.jsonl';
const claude = home.write(CLAUDE, [
  user('u1', null, 'Fix the red test', { cwd: '/work/app', sessionId: 'cccc1111' }),
  assistant('a1', 'u1', [toolUse('t1', 'Read', { file_path: '/work/app/a.ts' })]),
  user('r1', 'a1', [toolResult('t1', 'text')]),
  assistant('a2', 'r1', 'It is green'),
  user('u2', 'a2', 'Now the blue one'),
  assistant('a3', 'u2', 'Blue too'),
  user('u3', 'a2', 'Now the yellow one'),
  assistant('a4', 'u3', 'Yellow too'),
]);
const pi = home.write('.pi/agent/sessions/--work-pi--/2026-01-01T00-00-00-000Z_pppp2222.jsonl', [
  piHeader('pppp2222', { cwd: '/work/pi' }),
  piUser('e1', null, 'Plant a tree'),
  piAssistant('e2', 'e1', 'Planted'),
  piUser('e3', 'e2', 'Water it'),
  piAssistant('e4', 'e3', 'Watered'),
]);

const json = (...args: string[]) => JSON.parse(home.skein([...args, '--json']).out);

describe('P3 skein tree, printed', () => {
  test('each row with the id of its record, the active branch first', () => {
    expect(home.skein(['tree', 'cccc'])).toEqual({
      out: [
        'u1        • user: Fix the red test',
        'a1        • assistant: [Read(a.ts)]',
        'a2        • assistant: It is green',
        'u3        ├▾ • user: Now the yellow one',
        'a4        │  • assistant: Yellow too',
        'u2        └▾ user: Now the blue one',
        'a3           assistant: Blue too',
        '',
      ].join('\n'),
      err: '',
      code: 0,
    });
  });

  test('--filter, --search, --thread', () => {
    const ids = (...args: string[]) => home.skein(['tree', 'cccc', ...args]).out.match(/^\S+/gm);
    expect(ids('--filter', 'user-only')).toEqual(['u1', 'u3', 'u2']);
    expect(ids('--filter', 'no-tools')).toEqual(['u1', 'a2', 'u3', 'a4', 'u2', 'a3']);
    expect(ids('--search', 'TOO blue')).toEqual(['u1', 'a1', 'a2', 'u2', 'a3']);
    expect(ids('--thread', 'a3')).toEqual(['u1', 'a1', 'a2', 'u2', 'a3', 'u3', 'a4']);
    expect(home.skein(['tree', 'cccc', '--filter', 'labeled-only'])).toMatchObject({ out: '', code: 1 });
    expect(home.skein(['tree', 'cccc', '--filter', 'odd'])).toMatchObject({ code: 2 });
    expect(home.skein(['tree', 'nobody'])).toMatchObject({ code: 1 });
    expect(home.skein(['tree', 'cccc', '--branch', '--thread', 'a3'])).toMatchObject({ code: 2 });
  });

  test('J2 the position a Pi session was left at is the active leaf, also above the end of its thread', () => {
    const moved = SessionManager.open(home.write('moved.jsonl', readFileSync(pi, 'utf8')));
    moved.branch('e2');
    moved.close();
    const active = json('tree', join(home.path, 'moved.jsonl')).items.filter(
      ({ is_active }: { is_active: boolean }) => is_active,
    );
    expect(active).toMatchObject([{ uuid: 'pppp2222/e1' }, { uuid: 'pppp2222/e2', is_leaf: true }]);
  });

  test('--json gives a list of rows', () => {
    const { items, total } = json('tree', 'cccc', '--search', 'green');
    expect(total).toBe(3);
    expect(items[2]).toMatchObject({
      uuid: 'a2',
      parent_uuid: 'a1',
      kind: 'assistant',
      depth: 0,
      is_active: true,
      is_match: true,
      label: null,
      text: 'It is green',
    });
    expect(home.skein(['tree', 'pppp', '--jsonl']).out.trim().split('\n')).toHaveLength(4);
  });

  test('J18 --branch lists the prompts, unless doubleEscapeAction is tree', () => {
    const rows = () => json('tree', 'cccc', '--branch').items.map(({ uuid }: { uuid: string }) => uuid);
    expect(rows()).toEqual(['u1', 'u2', 'u3']);
    expect(home.skein(['settings', 'doubleEscapeAction', 'tree'])).toMatchObject({ code: 0 });
    expect(json('settings')).toMatchObject({ doubleEscapeAction: 'tree' });
    expect(rows()).toHaveLength(7);
    expect(home.skein(['settings', 'doubleEscapeAction', '--clear'])).toMatchObject({ code: 0 });
    expect(rows()).toEqual(['u1', 'u2', 'u3']);
    expect(home.skein(['settings', 'doubleEscapeAction', 'maybe'])).toMatchObject({
      code: 2,
      err: 'skein: doubleEscapeAction cannot be maybe; it can be: branch, tree\n',
    });
    expect(home.skein(['settings', 'other', 'x'])).toMatchObject({ code: 2 });
  });
});

describe('J16 skein label', () => {
  const labels = (id: string) =>
    json('tree', id)
      .items.filter(({ label }: { label: string | null }) => label !== null)
      .map(({ uuid, label }: { uuid: string; label: string }) => [uuid, label]);
  const notes = join(home.path, '.local/share/skein/notes.db');

  test('on a Claude Code session lives in notes.db, and no byte of the log changes', () => {
    const before = readFileSync(claude);
    expect(home.skein(['label', 'cccc', 'a2', 'green'])).toMatchObject({ code: 0, err: '' });
    expect(home.skein(['label', 'cccc', 't1', ''])).toMatchObject({ code: 1 });
    expect(labels('cccc')).toEqual([['a2', 'green']]);
    expect(statSync(notes).mode & 0o777).toBe(0o600);
    expect(home.skein(['label', 'cccc', 'a2', ' much\tgreener\u001b[31m '])).toMatchObject({ code: 0 });
    expect(labels('cccc')).toEqual([['a2', 'much greener']]);
    expect(json('tree', 'cccc').items[2].labeled_at).toMatch(/^20/);
    expect(readFileSync(claude).equals(before)).toBe(true);
  });

  test('is shown by tree, by show --as json and by its outline', () => {
    expect(home.skein(['tree', 'cccc', '--filter', 'labeled-only']).out).toMatch(
      /^a2 {8}• \[much greener\] 20\d\d-\S+ \S+ assistant: It is green\n$/,
    );
    const { records } = JSON.parse(home.skein(['show', 'cccc', '--as', 'json']).out);
    expect(records.find(({ uuid }: { uuid: string }) => uuid === 'a2')).toMatchObject({ label: 'much greener' });
    expect(home.skein(['show', 'cccc', '--as', 'outline']).out.match(/"label":"much greener"/g)).toHaveLength(1);
  });

  test('is taken away by an empty text or --clear', () => {
    expect(home.skein(['label', 'cccc', 'a2', ''])).toMatchObject({ code: 0 });
    expect(labels('cccc')).toEqual([]);
    expect(home.skein(['label', 'cccc', 'a2', 'x', '--clear'])).toMatchObject({ code: 2 });
    expect(home.skein(['label', 'cccc', 'a2'])).toMatchObject({ code: 2 });
  });

  test('on a Pi session is an entry of its file, which only grows', () => {
    const before = readFileSync(pi, 'utf8');
    expect(home.skein(['label', 'pppp', 'e2', 'planted'])).toMatchObject({ code: 0 });
    const added = readFileSync(pi, 'utf8').slice(before.length);
    expect(JSON.parse(added)).toMatchObject({ type: 'label', targetId: 'e2', label: 'planted', parentId: 'e4' });
    expect(labels('pppp')).toEqual([['pppp2222/e2', 'planted']]);
    expect(home.skein(['label', 'pppp', 'e2', '--clear'])).toMatchObject({ code: 0 });
    expect(labels('pppp')).toEqual([]);
    expect(json('tree', 'pppp').items.map(({ is_active }: { is_active: boolean }) => is_active)).toEqual(
      Array(4).fill(true),
    );
  });

  test('on a file that cannot take an entry (version 1, no header) is a note', () => {
    const old = home.write('v1.jsonl', [
      { type: 'session', id: 'old', timestamp: '2025-01-01T00:00:00.000Z', cwd: '/x' },
      { type: 'message', timestamp: '2025-01-01T00:00:01.000Z', message: { role: 'user', content: 'old words' } },
    ]);
    const before = readFileSync(old);
    const [row] = json('tree', old).items;
    expect(home.skein(['label', old, row.uuid, 'ancient'])).toMatchObject({ code: 0 });
    expect(readFileSync(old).equals(before)).toBe(true);
    expect(labels(old)).toEqual([[row.uuid, 'ancient']]);
  });

  test('M7 damaged notes hide no session', () => {
    const broken = { SKEIN_HOME: join(home.path, 'broken') };
    home.write('broken/notes.db', 'not a database at all '.repeat(500));
    const { out, err, code } = home.skein(['tree', 'cccc'], broken);
    expect(out).toContain('Fix the red test');
    expect(err).toContain('notes.db is damaged');
    expect(code).toBe(0);
  });
});

describe('M8 skein forget and status', () => {
  const marks = () => readFileSync(join(home.path, '.local/share/skein/notes.db'), 'latin1');

  test('status names the notes, forget leaves no byte of them', () => {
    home.skein(['label', 'cccc', 'u1', 'SECRETLABEL']);
    home.skein(['label', 'cccc', 'u1', 'SECRETLABEL again']);
    expect(home.skein(['status']).out).toContain('notes.db: 2 labels, 0 stars, 0 notes, 0 settings');
    expect(JSON.parse(home.skein(['status', '--json']).out).notes).toMatchObject({ labels: 2, settings: 0 });
    home.skein(['index']);
    expect(home.skein(['forget', 'cccc', '--yes'])).toMatchObject({
      code: 0,
      out: '1 file (2.6 KB) forgotten, with 1 note\n',
    });
    expect(marks()).not.toMatch(/SECRETLABEL|cccc1111/);
    expect(home.skein(['status']).out).toContain('notes.db: 1 label,');
  });

  test('a session that was never archived is forgotten by its notes', () => {
    const other = home.write('.claude/projects/-work-app/dddd3333.jsonl', [user('x1', null, 'hello')]);
    home.skein(['label', other, 'x1', 'SECRETLABEL']);
    expect(home.skein(['forget', 'dddd', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('1 note') });
    expect(marks()).not.toMatch(/SECRETLABEL/);
    expect(home.skein(['forget', 'dddd', '--yes'])).toMatchObject({ code: 1 });
  });
});

test('M8 forgetting says what a damaged file of notes may still hold', () => {
  const data = { SKEIN_HOME: join(home.path, 'data2') };
  home.skein(['index'], data);
  const archived = (): number => JSON.parse(home.skein(['status', '--json'], data).out).archive.files;
  const before = archived();
  home.write('data2/notes.db', 'not a database at all '.repeat(500));
  expect(home.skein(['forget', 'pppp', '--yes'], data)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/notes\.damaged-\S+ was set aside and may still hold it; delete it/),
  });
  expect(archived()).toBe(before - 1);
});

test('P3 nothing of Ink is loaded unless the screen is shown', () => {
  const hook = home.write(
    'hook.mjs',
    `import { registerHooks } from 'node:module';
     registerHooks({ load: (url, context, next) => {
       if (/node_modules.(ink|react|yoga)|tree-app/.test(url)) process.stderr.write('LOADED ' + url);
       return next(url, context);
     } });`,
  );
  for (const args of [['tree', pi], ['show', pi, '--json'], ['sessions'], ['label', '--help']])
    expect(home.skein(args, { NODE_OPTIONS: `--import=${hook}` })).toMatchObject({ code: 0, err: '' });
});

test('P3 completion knows the commands, their options and the session they take', () => {
  const script = home.skein(['completion', 'bash']).out;
  expect(script).toMatch(/'tree'\)\n.*\n.*--filter.*\n +argument='session'/);
  expect(script).toContain('_skein_words default no-tools user-only labeled-only all');
  for (const name of ['label', 'branch', 'settings']) expect(script).toContain(`    '${name}')`);
});
