import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { assistant, user } from '../kit/transcript.ts';

/** `skein index --watch --json` as a process, and what it says. */
class Watcher {
  readonly said: Record<string, Record<string, unknown>>[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #rest = '';
  #heard = (): void => undefined;
  error = '';

  constructor(home: Home) {
    const env = { ...home.env, SKEIN_HOME: join(home.path, 'data') };
    this.#child = spawn(process.execPath, [BIN, 'index', '--watch', '--json'], { env, cwd: home.path });
    this.#child.stdout?.on('data', (text) => this.#take(String(text)));
    this.#child.stderr?.on('data', (text) => {
      this.error += text;
    });
    this.#ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  /** Waits until something is said that fits; gives it. What was said before counts too. */
  async until(what: string, fits: (said: Record<string, Record<string, unknown>>) => boolean) {
    const end = Date.now() + 150_000;
    for (;;) {
      const found = this.said.find(fits);
      if (found) return found;
      if (Date.now() > end) throw new Error(`never heard of ${what}: ${JSON.stringify(this.said)} ${this.error}`);
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
        setTimeout(resolve, 200);
      });
    }
  }

  ready = () => this.until('the beginning', (said) => 'milliseconds' in said);
  indexed = (file: string, after = 0) =>
    this.until(file, ({ indexed }) => {
      const files = indexed?.files as string[] | undefined;
      return files?.some((path) => path.endsWith(file)) === true && Number(indexed?.revision) > after;
    });

  async end(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.#ended;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.said.push(JSON.parse(line));
    this.#heard();
  }
}

let home: Home;
let watcher: Watcher;
beforeEach(() => {
  home = openHome();
});
afterEach(async () => {
  await watcher.end();
  home.remove();
});

const PROJECTS = '.claude/projects';
const data = () => ({ SKEIN_HOME: join(home.path, 'data') });
const line = (...args: Parameters<typeof user>): string => `${JSON.stringify(user(...args))}\n`;
const revisionOf = (said: Record<string, Record<string, unknown>>): number => Number(said.indexed?.revision);

/** Lists say the same from the index as from the files. */
function expectSameLists(): string {
  const args = ['sessions', '--json', '--all-threads'];
  const stored = home.skein(args, data());
  expect(stored).toEqual(home.skein(args, { SKEIN_HOME: join(home.path, 'nothing') }));
  return stored.out;
}

test('M12 an append to a file of 100 MB is in the store and announced; as many bytes are read as were appended', async () => {
  const text = 'a long answer '.repeat(1800);
  const turn = (i: number): string =>
    `${JSON.stringify(assistant(`a${i}`, i === 0 ? null : `a${i - 1}`, `${i} ${text}`, { cwd: '/r' }))}\n`;
  const path = home.write(`${PROJECTS}/-r/long.jsonl`, Array.from({ length: 4000 }, (_, i) => turn(i)).join(''));
  expect(statSync(path).size).toBeGreaterThan(100e6);
  watcher = new Watcher(home);
  let revision = revisionOf(await watcher.indexed('long.jsonl'));
  await watcher.ready();
  for (let i = 4000; i < 4006; i++) {
    appendFileSync(path, turn(i));
    const said = await watcher.indexed('long.jsonl', revision);
    revision = revisionOf(said);
    expect(said.indexed?.bytes_read).toBe(Buffer.byteLength(turn(i)));
  }
}, 180_000);

test('M12 new files, folders and projects, rewritten, truncated and deleted files: the store says what the files say', async () => {
  home.write(`${PROJECTS}/-r/s1.jsonl`, [user('u1', null, 'One', { cwd: '/r' }), assistant('a1', 'u1', 'Done.')]);
  watcher = new Watcher(home);
  await watcher.ready();

  home.write(`${PROJECTS}/-r/s2.jsonl`, [user('v1', null, 'Two', { cwd: '/r' })]);
  await watcher.indexed('s2.jsonl');
  home.write(`${PROJECTS}/-r/s1/subagents/agent-x.jsonl`, [
    user('x1', null, 'Look', { cwd: '/r', isSidechain: true, agentId: 'x', sessionId: 's1' }),
  ]);
  await watcher.indexed('agent-x.jsonl');
  home.write(`${PROJECTS}/-q/s3.jsonl`, [user('w1', null, 'Three', { cwd: '/q' })]);
  const third = await watcher.indexed('s3.jsonl');
  expectSameLists();

  const one = join(home.path, PROJECTS, '-r/s1.jsonl');
  const three = join(home.path, PROJECTS, '-q/s3.jsonl');
  // Longer than before, and something else: told by the archive, which compares.
  writeFileSync(
    one,
    line('n1', null, 'Rewritten, and longer than what stood here before it was', { cwd: '/r' }).repeat(1) +
      line('n2', 'n1', 'x'.repeat(600)),
  );
  const rewritten = await watcher.indexed('s1.jsonl', revisionOf(third));
  truncateSync(three, 0);
  appendFileSync(three, line('w9', null, 'Short', { cwd: '/q' }));
  const truncated = await watcher.indexed('s3.jsonl', revisionOf(rewritten));
  renameSync(home.write('new.jsonl', [user('p1', null, 'Put in its place', { cwd: '/q' })]), three);
  await watcher.indexed('s3.jsonl', revisionOf(truncated));
  const listed = expectSameLists();
  for (const title of ['Rewritten', 'Two', 'Put in its place']) expect(listed).toContain(title);

  rmSync(join(home.path, PROJECTS, '-r/s2.jsonl'));
  await watcher.until('the one that is gone', ({ gone }) => Number(gone) === 1);
  expect(home.skein(['sessions', '--json', '--all-threads'], data()).out).toBe(
    listed.replace('"files":["-r/s2.jsonl"],', '$&"archived":true,'),
  );
  expect(watcher.error).toBe('');
});

test('M12 a new folder of a project that is known is announced', async () => {
  home.write(`${PROJECTS}/-r/s1.jsonl`, [user('u1', null, 'One', { cwd: '/r' })]);
  watcher = new Watcher(home);
  await watcher.ready();
  home.write(`${PROJECTS}/-r-again/s2.jsonl`, [user('v1', null, 'Two', { cwd: '/r' })]);
  const said = await watcher.indexed('s2.jsonl');
  expect(said.indexed).toMatchObject({ project: '/r', revision: expect.any(Number) });
  expectSameLists();
});

test('M9 a second one is told that the first is writing, and SIGINT ends cleanly', async () => {
  home.write(`${PROJECTS}/-r/s1.jsonl`, [user('u1', null, 'One', { cwd: '/r' })]);
  watcher = new Watcher(home);
  await watcher.ready();
  const second = home.skein(['index', '--watch'], data());
  expect(second).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^skein: Another Skein \(process \d+\) is writing/),
  });
  appendFileSync(join(home.path, PROJECTS, '-r/s1.jsonl'), line('u2', 'u1', 'Two'));
  await watcher.indexed('s1.jsonl');
  expect(await watcher.end()).toBe(0);
  expect(watcher.error).toBe('');
  expect(home.skein(['index', '--json'], data()).out).toContain('"same":1');
  expectSameLists();
});
