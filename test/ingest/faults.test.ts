import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, test } from 'vitest';
import { generateProjects } from '../../bench/generate/index.ts';
import { lockForWriting } from '../../src/stores/sqlite/index.ts';
import { tempFolder } from '../kit/temp.ts';
import { user } from '../kit/transcript.ts';
import { BIN, Place } from './kit.ts';

const CHILD = join(import.meta.dirname, '../kit/ingest-child.ts');
/** Beside the index that was made of it. */
function emptied(path: string): void {
  truncateSync(path, 0);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  writeFileSync(join(dirname(path), 'index.db'), '', { flag: 'a' });
}
const session = (text: string): string => `${JSON.stringify(user('u1', null, text, { cwd: '/r' }))}\n`;

describe('M9 killed at any moment', () => {
  const SEQUENCES = 10;
  const KILLS = 10;

  test('100 times by SIGKILL while files grow, the next run ends with the content of an undisturbed one', async () => {
    // In one file it starts in a fraction of the time.
    const bundle = await rolldown({ input: CHILD, platform: 'node', external: /^node:/ });
    const program = join(tempFolder(), 'child.mjs');
    await bundle.write({ file: program });
    const run = async (seed: number): Promise<void> => {
      const place = new Place();
      for (const { path, lines } of generateProjects({ bytes: 1_500_000, seed, files: 12 }))
        place.write(path, [...lines].join(''));
      place.write('big/b.jsonl', randomBytes(900_000));
      const logs = readdirSync(place.root, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.jsonl'),
      );
      const random = randomsFrom(seed);
      let patience = 60;
      for (let done = 0; done < KILLS; ) {
        if (await killed(program, place, random() * patience)) done++;
        else patience *= 0.6;
        const log = logs[Math.floor(random() * logs.length)] ?? '';
        appendFileSync(join(place.root, log), randomBytes(Math.floor(random() * 300_000)));
      }
      await place.index();
      const undisturbed = new Place();
      cpSync(place.root, undisturbed.root, { recursive: true, preserveTimestamps: true });
      await undisturbed.index();
      expect(await place.digest()).toBe(await undisturbed.digest());
      expect(await place.with((archive) => archive.verify())).toEqual([]);
    };
    // Two at a time.
    for (let seed = 0; seed < SEQUENCES; seed += 2) await Promise.all([run(seed), run(seed + 1)]);
  });

  test('M10 and so while several threads write', async () => {
    const place = new Place();
    for (let i = 0; i < 8; i++) place.write(`p${i}/s.jsonl`, randomBytes(3_000_000));
    let died = 0;
    for (let i = 0; i < 6; i++) if (await killed(CHILD, place, 50 + 60 * i, 2)) died++;
    expect(died).toBeGreaterThan(0);
    await place.index({ threads: 2 });
    const undisturbed = new Place();
    cpSync(place.root, undisturbed.root, { recursive: true, preserveTimestamps: true });
    await undisturbed.index({ threads: 0 });
    expect(await place.digest()).toBe(await undisturbed.digest());
    expect(await place.with((archive) => archive.verify())).toEqual([]);
  });

  /** Whether it was killed before it was done. */
  function killed(program: string, { home, root }: Place, after: number, threads = 0): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, home, root, `${threads}`], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      child.stderr.on('data', (text) => {
        said += text;
      });
      child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), after));
      child.on('close', (code, signal) =>
        signal === null && code !== 0 ? reject(new Error(said)) : resolve(signal === 'SIGKILL'),
      );
    });
  }
});

describe('M9 one writer at a time', () => {
  test('the second is told so in one line; readers go on', async () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', session('hello'));
    await place.index();
    const lock = lockForWriting(place.home);
    const { err, code } = place.skein('index', '--root', place.root);
    expect(err).toBe(
      `skein: Another Skein (process ${process.pid}) is writing to ${place.home}; wait for it or stop it\n`,
    );
    expect(code).toBe(2);
    expect(place.skein('forget', 'aaaa', '--yes').err).toContain('Another Skein');
    expect(place.skein('sessions', '--root', place.root).out).toContain('hello');
    expect(place.skein('restore', 'aaaa', '-o', join(place.folder, 'out')).code).toBe(0);
    lock.release();
    expect(place.skein('index', '--root', place.root).code).toBe(0);
  });

  test('two that begin at once end with the content of one', async () => {
    const place = new Place();
    for (let i = 0; i < 30; i++) place.write(`p/s${i}.jsonl`, randomBytes(200_000));
    const run = (): Promise<number | null> =>
      new Promise((resolve) => {
        const env = { ...process.env, SKEIN_HOME: place.home };
        spawn(process.execPath, [BIN, 'index', '--root', place.root], { env, stdio: 'ignore' }).on('close', resolve);
      });
    const codes = await Promise.all([run(), run()]);
    expect(codes).toContain(0);
    expect(codes.every((code) => code === 0 || code === 2)).toBe(true);
    const alone = new Place();
    cpSync(place.root, alone.root, { recursive: true });
    await alone.index();
    expect(await place.digest()).toBe(await alone.digest());
  });
});

describe('M9 a disk that does not play along', () => {
  /** A mount that is there for one process only. */
  const inside = (script: string, args: readonly string[], place: Place) =>
    spawnSync('unshare', ['-rm', 'bash', '-c', script, 'bash', ...args], {
      encoding: 'utf8',
      env: { ...process.env, SKEIN_HOME: place.home, NODE: process.execPath, BIN },
    });
  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0;
  const because = canMount ? '' : ' (skipped: this machine does not let a test mount anything)';

  test.skipIf(!canMount)(
    `a full disk: one line, what was archived is kept, and it goes on with more room${because}`,
    () => {
      const place = new Place();
      for (let i = 0; i < 8; i++) place.write(`p/s${i}.jsonl`, randomBytes(1_000_000));
      mkdirSync(place.home);
      const { stdout, stderr } = inside(
        `mount -t tmpfs -o size=4m x "$SKEIN_HOME"
       "$NODE" "$BIN" index --root "$1"; echo "code $?"
       "$NODE" "$BIN" index --root "$1"; echo "code $?"
       "$NODE" "$BIN" status --json --root "$1" | grep -c '"files"'
       mount -o remount,size=64m "$SKEIN_HOME"
       "$NODE" "$BIN" index --root "$1" --json
       "$NODE" "$BIN" index --root "$1" --json --verify`,
        [place.root],
        place,
      );
      const lines = stdout.trim().split('\n');
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^skein: No space is left for .*archive\.db; what was written so far is kept/),
        expect.stringMatching(/^skein: No space is left for .*archive\.db; what was written so far is kept/),
      ]);
      expect(lines.slice(0, 2)).toEqual(['code 2', 'code 2']);
      expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ files: 8, problems: [] });
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ same: 8, rewritten: 0, problems: [] });
    },
  );

  test.skipIf(!canMount)(`attack E forget on a full disk says what is done and what is left to do${because}`, () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', session('secret'));
    place.write('-r/bbbb.jsonl', session('kept'));
    place.write('-r/bbbb/tool-results/x.txt', randomBytes(4_000_000));
    mkdirSync(place.home);
    const { stdout, stderr } = inside(
      `mount -t tmpfs -o size=16m x "$SKEIN_HOME"
       "$NODE" "$BIN" index --root "$1"
       dd if=/dev/zero of="$SKEIN_HOME/fill" bs=4k 2>/dev/null; truncate -s -1M "$SKEIN_HOME/fill"
       "$NODE" "$BIN" forget aaaa --yes --root "$1"; echo "code $?"
       left() { "$NODE" -e 'console.log(new (require("node:sqlite").DatabaseSync)(process.env.SKEIN_HOME + "/archive.db").prepare("select count(*) as n from fact where name = ?").get("wipe").n)'; }
       rm "$SKEIN_HOME/fill"; left
       "$NODE" "$BIN" index --root "$1"; left
       "$NODE" "$BIN" forget aaaa --yes --root "$1"; echo "code $?"`,
      [place.root],
      place,
    );
    expect(stderr).toMatch(
      /^skein: It is removed from \S+archive\.db, but the file cannot be written anew .*: make room, and "skein index" does the rest\nskein: No archived session found matching 'aaaa'\n$/,
    );
    expect(stdout).toBe('code 2\n1\n0\ncode 1\n');
  });

  test.skipIf(!canMount)(
    `a data folder that may not be written: one line, and everything in it can be read${because}`,
    async () => {
      const place = new Place();
      place.write('-r/aaaa.jsonl', session('gone from disk'));
      await place.index();
      place.write('-r/bbbb.jsonl', session('new'));
      const { stdout, stderr } = inside(
        `mount --bind "$SKEIN_HOME" "$SKEIN_HOME" && mount -o remount,ro,bind "$SKEIN_HOME"
       "$NODE" "$BIN" index --root "$1"; echo "code $?"
       rm "$1/-r/aaaa.jsonl"
       "$NODE" "$BIN" sessions --root "$1"`,
        [place.root],
        place,
      );
      expect(stderr).toMatch(/^skein: \S+ may not be written; check the permissions of its folder.*\n$/);
      expect(stdout).toMatch(/^code 2\n/);
      expect(stdout).toContain('gone from disk');
    },
  );

  test('a file where the data folder should be: one line', () => {
    const place = new Place();
    place.write('p/s.jsonl', 'a\n');
    writeFileSync(place.home, '');
    const { err, code } = place.skein('index', '--root', place.root);
    expect(err).toMatch(/^skein: \S+ may not be written; .*\n$/);
    expect(code).toBe(2);
  });
});

describe('M9 a damaged archive', () => {
  test.each([
    ['overwritten', 0, (path: string) => scribble(path)],
    ['cut off', 2, (path: string) => truncateSync(path, Math.floor(statSync(path).size / 16384) * 8192)],
    ['no database any more', 2, (path: string) => writeFileSync(path, randomBytes(10_000))],
    ['emptied', 2, emptied],
  ])(
    'attack A2 %s is set aside by the next index, which says so, archives again what is on disk, and ends with %i',
    async (_name, ends, damage) => {
      const place = new Place();
      for (let i = 0; i < 20; i++) place.write(`p/s${i}.jsonl`, randomBytes(60_000));
      await place.index();
      damage(join(place.home, 'archive.db'));
      const { err, code } = place.skein('index', '--root', place.root, '--verify');
      expect(err).toMatch(
        /archive\.db was damaged\. It is set aside as \S+archive\.damaged-20\S+\.db; \d+ files? \(.*\) could be saved/,
      );
      expect(code).toBe(ends);
      expect(readdirSync(place.home).some((name) => name.startsWith('archive.damaged-'))).toBe(true);
      const contents = Object.keys(await place.contents()).filter((name) => /^p\/s\d+\.jsonl$/.test(name));
      expect(contents).toHaveLength(20);
      expect(await place.index({ verify: true })).toMatchObject({ same: 20, problems: [] });
    },
  );

  test.each([
    ['random', (path: string) => writeFileSync(path, randomBytes(10_000))],
    ['emptied', emptied],
  ])('does not hide the sessions on disk (%s)', async (_name, damage) => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', session('hello'));
    await place.index();
    damage(join(place.home, 'archive.db'));
    const { out, err, code } = place.skein('sessions', '--root', place.root);
    expect(out).toContain('hello');
    expect(err).toContain('is damaged; "skein index --verify" sets it aside');
    expect(code).toBe(0);
  });

  test('P3 what a reader says to do about it helps, also where an index with nothing new meets no damage', async () => {
    const place = new Place();
    for (let i = 0; i < 20; i++) place.write(`p/s${i}.jsonl`, randomBytes(60_000));
    const index = ['index', '--root', place.root];
    place.skein(...index);
    const archive = join(place.home, 'archive.db');
    const handle = openSync(archive, 'r+');
    for (let page = 20; page < statSync(archive).size / 8192; page++)
      writeSync(handle, randomBytes(60), 0, 60, page * 8192);
    closeSync(handle);
    expect(place.skein(...index)).toEqual({ out: '', err: '', code: 0 });
    const { err, code } = place.skein('status');
    expect(code).toBe(2);
    const [, said = ''] = /"skein ([^"]+)"/.exec(err) ?? [];
    expect(place.skein(...said.split(' '), '--root', place.root).err).toContain('It is set aside as');
    expect(place.skein('status').code).toBe(0);
  });

  /** In the middle of pages that hold rows, so that it is noticed. */
  function scribble(path: string): void {
    const handle = openSync(path, 'r+');
    for (let page = 1; page < 6; page++) writeSync(handle, randomBytes(60), 0, 60, page * 8192);
    closeSync(handle);
  }
});

function randomsFrom(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
