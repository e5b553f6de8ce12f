import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { History } from '../../src/history/index.ts';
import { type Home, openHome } from '../kit/home.ts';
import { tempFolder } from '../kit/temp.ts';
import { assistant, bytesOf, progress, toolResult, toolUse, user } from '../kit/transcript.ts';

const LOG = '.claude/projects/-r/s.jsonl';
const BEGINNING = [
  user('u1', null, 'first prompt'),
  assistant('a1', 'u1', [{ type: 'text', text: 'first answer' }, toolUse('T1', 'Bash', { command: 'ls' })]),
];
/** More than a block of the archive holds. */
const LONG = progress('p1', 'a1', { type: 'hook_progress', text: 'x'.repeat(1_200_000) });
const END = [user('u2', 'a1', [toolResult('T1', 'a.txt')]), user('u3', 'u2', 'second prompt')];
const FORMS = ['text', 'json', 'chat', 'outline', 'messages', 'markdown', 'html'];

/** Somebody whose session is gone from disk; of its two blocks in the archive one is damaged. */
function damaged(block: 'first' | 'second'): Home {
  const home = openHome();
  home.write(LOG, [...BEGINNING, LONG, ...END]);
  home.skein(['index']);
  rmSync(join(home.path, LOG));
  home.skein(['index']);
  const db = new DatabaseSync(join(home.path, '.local/share/skein/archive.db'));
  const start = block === 'first' ? 'min' : 'max';
  db.exec(`update block set data = zeroblob(length(data)) where start = (select ${start}(start) from block)`);
  db.close();
  return home;
}

describe('a session of which the archive is damaged', () => {
  let endless: Home;
  let headless: Home;
  beforeAll(() => {
    endless = damaged('second');
    headless = damaged('first');
  });
  afterAll(() => {
    endless.remove();
    headless.remove();
  });

  test.each(FORMS)('attack C1 what is missing is told in its place, and everything else is shown: %s', (form) => {
    const { out, err, code } = endless.skein(['show', 's', '--as', form]);
    const said = /Line 5 of -r\/s\.jsonl is damaged/.test(out);
    expect({ said, rest: out.includes('first answer'), err, code }).toEqual({
      said: true,
      rest: true,
      err: expect.stringMatching(/^skein: \S+s\.jsonl is damaged in the archive; \d lines of it are not shown\n$/),
      code: 2,
    });
  });

  test.each(FORMS)('attack C1 so is its beginning: %s', (form) => {
    const { out, code } = headless.skein(['show', 's', '--as', form]);
    const said = /Line 1 of -r\/s\.jsonl is damaged/.test(out);
    expect({ said, rest: out.includes('second prompt'), code }).toEqual({ said: true, rest: true, code: 2 });
  });

  test.each([
    ['json', ['show', 's', '--json']],
    ['chat', ['show', 's', '--as', 'chat']],
    ['outline', ['show', 's', '--as', 'outline']],
    ['messages', ['show', 's', '--as', 'messages']],
    ['tree', ['tree', 's', '--json']],
    ['context', ['context', 's', '--json']],
    ['search', ['search', '"second prompt"', '--json']],
  ])('attack C1 JSON has it as a warning: %s', (_, args) => {
    const { out, code } = endless.skein(args);
    const file = join(endless.path, LOG);
    expect({ warnings: JSON.parse(out).warnings, code }).toEqual({
      warnings: [expect.objectContaining({ type: 'unreadable_file', file, line: expect.any(Number) })],
      code: 2,
    });
  });

  test.each([
    ['export', ['export', 's', '-o', 'x.md']],
    ['export --all', ['export', '--all', '-o', 'pages']],
    ['export --all, again (attack A5, attack E)', ['export', '--all', '-o', 'pages']],
    ['skein', ['--no-open']],
    ['tree', ['tree', 's']],
    ['context', ['context', 's']],
    ['search', ['search', 'second']],
    ['file order', ['show', 's', '--file-order']],
    ['branch', ['branch', 's', '--at', 'u3', '--to', 'pi']],
  ])('attack C1 no command takes it for a success: %s', (_, args) => {
    const { err, code } = endless.skein(args);
    expect({ err, code }).toEqual({ err: expect.stringContaining('s.jsonl is damaged in the archive'), code: 2 });
  });
});

describe('a log that changes between listing and reading', () => {
  /** Read by its tree, then changed, then asked for what its records say. */
  function said(change: (path: string) => void): { texts: string[]; unread: string[] } {
    const root = join(tempFolder(), 'projects');
    const path = join(root, '-r/s.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytesOf([...BEGINNING, ...END]));
    const [session] = History.open({ roots: [root] }).projects[0]?.sessions() ?? [];
    if (!session) throw new Error('no session');
    const records = [...session.records()];
    change(path);
    const texts = records.map(({ id }) => session.textOf(id));
    for (const record of records) session.content(record);
    return { texts, unread: session.unread.map(({ message }) => message.replace(path, 'it')) };
  }

  test('attack C1 one that was truncated says what is left, and what is missing', () => {
    const change = (path: string) => truncateSync(path, bytesOf(BEGINNING).length);
    expect(said(change)).toEqual({
      texts: ['first prompt', 'first answer', ''],
      unread: ['it is shorter than it was; 2 lines of it are not shown'],
    });
  });

  test('attack C1 one that is gone says so', () => {
    expect(said((path) => rmSync(path)).unread).toEqual(['it does not exist; 4 lines of it are not shown']);
  });

  test('attack C1 one that was written over says so', () => {
    const change = (path: string) => writeFileSync(path, '-'.repeat(bytesOf([...BEGINNING, ...END]).length));
    expect(said(change).unread).toEqual(['it says something else than before; 4 lines of it are not shown']);
  });
});

describe('a log that may not be read', () => {
  let home: Home;
  beforeEach(() => {
    home = openHome();
    home.write(LOG, [...BEGINNING, ...END]);
    home.write('.claude/projects/-r/t.jsonl', [user('t1', null, 'another', { sessionId: 't' })]);
  });
  afterEach(() => home.remove());

  // Whoever may read everything is refused nothing.
  test.skipIf(process.getuid?.() === 0).each(FORMS)('attack C1 is told where the index knows it: %s', (form) => {
    home.skein(['index']);
    chmodSync(join(home.path, LOG), 0);
    const { out, err, code } = home.skein(['show', 's', '--as', form]);
    expect({ out, err, code }).toEqual({
      out: expect.stringContaining('may not be read (permission denied)'),
      err: expect.stringMatching(
        /^skein: \S+s\.jsonl may not be read \(permission denied\); \d lines of it are not shown\n$/,
      ),
      code: 2,
    });
  });

  test.skipIf(process.getuid?.() === 0)('attack C1 is told where nobody knows it', () => {
    chmodSync(join(home.path, LOG), 0);
    const { err, code } = home.skein(['show', 's']);
    expect({ err, code }).toEqual({
      err: expect.stringContaining('may not be read (permission denied); it is left out'),
      code: 2,
    });
  });
});
