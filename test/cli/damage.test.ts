import { chmodSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { user } from '../kit/transcript.ts';

let home: Home;
let data = '';
beforeEach(() => {
  home = openHome();
  data = join(home.path, '.local/share/skein');
  home.write('.claude/projects/-r/aaaa1111.jsonl', [user('u1', null, 'Secret plan', { cwd: '/r' })]);
  home.write('.claude/projects/-r/bbbb2222.jsonl', [user('u2', null, 'Other', { cwd: '/r' })]);
  home.skein(['index']);
});
afterEach(() => home.remove());

const archive = (): string => join(data, 'archive.db');
const archived = (): number => {
  const database = new DatabaseSync(archive(), { readOnly: true });
  const rows = database.prepare('select path from file order by path').all();
  database.close();
  return rows.length;
};
/** The page of a table, full of garbage. */
function spoil(table: string): void {
  const database = new DatabaseSync(archive());
  const { rootpage } = database.prepare('select rootpage from sqlite_master where name = ?').get(table) as {
    rootpage: number;
  };
  database.close();
  const bytes = readFileSync(archive());
  bytes.fill(0x5a, (rootpage - 1) * 8192, rootpage * 8192);
  writeFileSync(archive(), bytes);
}

describe('attack A3 what was forgotten stays forgotten', () => {
  const lose: Record<string, () => void> = {
    'when the page of its list is damaged': () => spoil('tombstone'),
    'when the archive is emptied': () => truncateSync(archive(), 0),
    'when the archive is removed': () => rmSync(archive()),
    'when the list beside the archive is removed': () => rmSync(join(data, 'forgotten')),
    'when the list beside the archive is damaged': () => writeFileSync(join(data, 'forgotten'), 'garbage'),
  };
  test.each(Object.entries(lose))('attack A3 %s', (_name, damage) => {
    home.skein(['forget', 'aaaa', '--yes']);
    damage();
    home.skein(['index']);
    expect(archived()).toBe(1);
    // And each list heals the other.
    rmSync(join(data, 'forgotten'));
    home.skein(['index', '--verify']);
    expect(archived()).toBe(1);
    rmSync(archive());
    home.skein(['index']);
    expect(archived()).toBe(1);
  });

  test('attack A3 when neither list can be read, nothing is archived before somebody says so', () => {
    home.skein(['forget', 'aaaa', '--yes']);
    spoil('tombstone');
    writeFileSync(join(data, 'forgotten'), 'garbage');
    for (let i = 0; i < 2; i++) {
      const { err, code } = home.skein(['index']);
      expect(err).toMatch(
        /^skein: What was forgotten can be read neither in \S+archive\.db nor in \S+forgotten, .*nothing is archived.*"skein index --forgotten-lost" goes on/,
      );
      expect(code).toBe(2);
    }
    expect(home.skein(['index', '--forgotten-lost']).err).toContain('archive.db was damaged');
    expect(archived()).toBe(2);
    expect(home.skein(['index'])).toMatchObject({ err: '', code: 0 });
  });

  test('attack A3 what somebody remembered and did not remove is removed by the next', () => {
    const before = readFileSync(archive());
    home.skein(['forget', 'aaaa', '--yes']);
    writeFileSync(archive(), before);
    expect(home.skein(['index']).err).toContain('1 file that had been forgotten before is removed now');
    expect(archived()).toBe(1);
  });
});

describe('attack C2 an archived copy that is damaged for good', () => {
  test('attack C2 is told by each --verify, which does not end well, and by status, until it is mended', () => {
    const log = join(home.path, '.claude/projects/-r/aaaa1111.jsonl');
    const lines = readFileSync(log);
    rmSync(log);
    home.skein(['index']);
    const raw = new DatabaseSync(archive());
    raw.exec(`update block set data = x'00' where file = (select id from file where path = 'aaaa1111.jsonl')`);
    raw.close();
    for (let i = 0; i < 2; i++) {
      const { err, code } = home.skein(['index', '--verify']);
      expect(err).toContain('aaaa1111.jsonl cannot be read from byte 0 on; there is nothing on disk');
      expect(code).toBe(2);
    }
    expect(home.skein(['status']).out).toMatch(/^Damaged +1 archived file cannot be read whole any more/m);
    writeFileSync(log, lines);
    expect(home.skein(['index', '--verify']).code).toBe(0);
    expect(home.skein(['status']).out).not.toContain('Damaged');
  });
});

describe('attack E', () => {
  test.skipIf(process.getuid?.() === 0)('attack E a data folder that may not be written is told as that', () => {
    chmodSync(data, 0o500);
    for (const args of [['index'], ['forget', 'aaaa', '--yes']]) {
      const { err, code } = home.skein(args);
      expect(err).toMatch(/^skein: \S+ may not be written; check the permissions of its folder/);
      expect(code).toBe(2);
    }
    chmodSync(data, 0o700);
  });

  test('attack E forget of a session whose own log is empty takes its sub-agents too', () => {
    home.write('.claude/projects/-r/cccc3333.jsonl', '');
    const more = { sessionId: 'cccc3333', isSidechain: true, agentId: 'x', cwd: '/r' };
    home.write('.claude/projects/-r/agent-x.jsonl', [user('s1', null, 'Warmup', more)]);
    home.skein(['index']);
    expect(archived()).toBe(4);
    expect(home.skein(['forget', 'cccc', '--yes']).out).toMatch(/^2 files .* forgotten/);
    expect(archived()).toBe(2);
  });
});
