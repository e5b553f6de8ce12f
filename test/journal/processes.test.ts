import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrateFile, SessionManager } from '../../src/journal/index.ts';
import { Folder, HEADER, linesIn, textOf, user } from '../kit/journal.ts';

const folder = new Folder();
const CHILD = join(import.meta.dirname, 'children/append.ts');

interface Ended {
  readonly said: string[];
  readonly code: number | null;
}

/** Runs until it ends, or until it has said this many lines. */
function append(args: readonly string[], killAfter = Number.POSITIVE_INFINITY): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      if (out.length >= 9 * killAfter) child.kill('SIGKILL');
    });
    child.on('close', (code) => resolve({ said: out.split('\n').slice(0, -1), code }));
  });
}

const textsIn = (path: string) => linesIn(path).flatMap((entry) => ('message' in entry ? [wordIn(entry.message)] : []));
const wordIn = (message: unknown) => String((message as { content: string }).content).split(' ')[0];

describe('J8: two processes and one file', () => {
  test('each appends 1,000 entries, some of them long: 2,000 lines, all whole', { timeout: 120_000 }, async () => {
    const path = folder.file([HEADER]);
    const [a, b] = await Promise.all([append([path, '1000', 'a', '70000']), append([path, '1000', 'b', '70000'])]);
    expect([a.code, b.code]).toEqual([0, 0]);
    expect(linesIn(path)).toHaveLength(2001);
    const session = SessionManager.open(path);
    expect([...a.said, ...b.said].filter((id) => !session.getEntry(id))).toEqual([]);
    expect(session.getFindings()).toEqual([]);
    expect(textsIn(path).filter((word) => word?.startsWith('a'))).toEqual(
      Array.from({ length: 1000 }, (_, at) => `a${at}`),
    );
  });

  test.each([20, 150, 400])(
    'while two append, a third writes the file anew after %i lines: nothing is lost',
    { timeout: 120_000 },
    async (lines) => {
      const path = folder.file([{ ...HEADER, version: 2 }]);
      const running = Promise.all([append([path, '600', 'a']), append([path, '600', 'b'])]);
      while (readFileSync(path, 'utf8').split('\n').length < lines) await new Promise((go) => setTimeout(go, 1));
      expect(migrateFile(path)).toBe(true);
      const [a, b] = await running;
      const session = SessionManager.open(path);
      expect([...a.said, ...b.said].filter((id) => !session.getEntry(id))).toEqual([]);
      expect(session.getEntries()).toHaveLength(1200);
    },
  );

  test('written anew and shorter between reading and the first append: the entry is there once', () => {
    const spaced = JSON.stringify({ ...HEADER, version: 2 }, null, 9).replaceAll('\n', ' ');
    const path = folder.file(`${spaced}\n`);
    const session = SessionManager.open(path);
    expect(migrateFile(path)).toBe(true);
    expect(readFileSync(path).length).toBeLessThan(spaced.length);
    session.appendMessage(user('on'));
    session.close();
    expect(linesIn(path)).toMatchObject([{ type: 'session' }, { message: user('on') }]);
  });

  test('both begin the file: it has one header', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 3; round++) {
      const path = join(folder.dir(), 'new.jsonl');
      const ended = await Promise.all(['a', 'b', 'c'].map((name) => append([path, '100', name])));
      expect(linesIn(path).filter(({ type }) => String(type) === 'session')).toHaveLength(1);
      const session = SessionManager.open(path);
      expect(ended.flatMap(({ said }) => said).filter((id) => !session.getEntry(id))).toEqual([]);
      expect(session.getEntries()).toHaveLength(300);
    }
  });

  test('the lock of a process that is gone is taken away', () => {
    const path = folder.file([{ ...HEADER, version: 2 }]);
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(`${path}.lock`, JSON.stringify({ pid, host: hostname() }));
    expect(migrateFile(path)).toBe(true);
  });
});

describe('J7: what was acknowledged is there', () => {
  test('after SIGKILL at any moment', { timeout: 180_000 }, async () => {
    const path = folder.file([HEADER]);
    const acknowledged: string[] = [];
    for (const moment of [1, 3, 40, 170, 333, 720]) {
      const { said, code } = await append([path, '100000', 'k', '5000'], moment);
      expect(code).toBeNull();
      acknowledged.push(...said);
    }
    const session = SessionManager.open(path);
    expect(acknowledged.length).toBeGreaterThan(1000);
    expect(acknowledged.filter((id) => !session.getEntry(id))).toEqual([]);
    session.appendMessage(user('on'));
    expect(SessionManager.open(path).getBranch().at(-1)).toMatchObject({ message: user('on') });
  });

  test('after SIGKILL at random moments, while another process appends to the same file', {
    timeout: 180_000,
  }, async () => {
    const path = folder.file([HEADER]);
    // Lines of many pages: a process can be killed in the middle of writing one.
    const other = append([path, '200', 'o', '400000']);
    const acknowledged: string[] = [];
    for (let round = 0; round < 6; round++) {
      const child = spawn(process.execPath, [CHILD, path, '100000', 'k', '400000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        if (out === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * 40);
        out += text;
      });
      await new Promise((closed) => child.on('close', closed));
      acknowledged.push(...out.split('\n').slice(0, -1));
    }
    const { said, code } = await other;
    expect([code, said.length]).toEqual([0, 200]);
    const session = SessionManager.open(path);
    expect([...acknowledged, ...said].filter((id) => !session.getEntry(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(6);
  });

  test('when the disk is full in the middle of an entry; the error stays', () => {
    const path = folder.file(textOf([HEADER]));
    // Files may not grow beyond 16 KiB: a write stops short there, and the next fails.
    const script = `ulimit -f 16; exec "${process.execPath}" "${CHILD}" "${path}" 1000 f`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    const said = stdout.trim().split('\n');
    const ids = said.filter((each) => /^[0-9a-f]{8}$/.test(each));
    expect(said.slice(ids.length)).toEqual([expect.stringMatching(/^error Cannot write .*EFBIG/), 'same error']);
    const session = SessionManager.open(path);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !session.getEntry(id))).toEqual([]);
    expect(session.getFindings().map(({ type }) => type)).toEqual(['torn_last_line']);
    session.appendMessage(user('on'));
    expect(SessionManager.open(path).getEntries()).toHaveLength(ids.length + 1);
  });
});
