import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeProjects } from '../../bench/generate/index.ts';
import { openerOf } from '../../src/cli/open-browser.ts';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { hasProgram, hasTmux, openTerminal } from '../kit/tmux.ts';
import { assistant, toolUse, user } from '../kit/transcript.ts';

const session = (id: string, text: string) => [
  user(`${id}1`, null, text, { cwd: '/p', sessionId: id }),
  assistant(`${id}2`, `${id}1`, `answer to ${text}`, { sessionId: id }),
];
const file = (id: string) => `.claude/projects/-p/${id}.jsonl`;

/** Every page, by its path below the pages, with the time it was written. */
function pagesIn(folder: string): Map<string, number> {
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const pages = new Map<string, number>();
  for (const name of all.filter((name) => /\.(html|part)$/.test(name))) {
    // One that is being written has another name a moment later.
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat) pages.set(name, stat.mtimeMs);
  }
  return pages;
}
const addressIn = (out: string): string => fileURLToPath(/file:\/\/\S+/.exec(out)?.[0] ?? 'file:///nowhere');

describe('skein alone', () => {
  let home: Home;
  let pages = '';
  const env = { SKEIN_HOME: '' };
  const touched = (before: ReadonlyMap<string, number>): string[] =>
    [...pagesIn(pages)].filter(([name, time]) => before.get(name) !== time).map(([name]) => name);

  beforeAll(() => {
    home = openHome();
    env.SKEIN_HOME = join(home.path, 'data');
    pages = join(env.SKEIN_HOME, 'pages');
    home.write(file('s1'), session('s1', 'first words'));
    home.write(file('s2'), session('s2', 'second words'));
  });
  afterAll(() => home.remove());

  test('P3, O10 it archives, indexes, writes a page per session and the lists, and tells where they are', () => {
    const { out, err, code } = home.skein([], env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(addressIn(out)).toBe(join(pages, 'index.html'));
    expect([...pagesIn(pages).keys()].sort()).toEqual(['-p/index.html', '-p/s1.html', '-p/s2.html', 'index.html']);
    expect(readFileSync(addressIn(out), 'utf8')).toContain('second words');
    expect(readFileSync(addressIn(out), 'utf8')).not.toContain('http-equiv="refresh"');
    expect(JSON.parse(home.skein(['status', '--json'], env).out)).toMatchObject({ archive: { files: 2 } });
    expect(existsSync(join(env.SKEIN_HOME, 'index.db'))).toBe(true);
  });

  test('O15 with nothing new nothing is written; with one session grown its page and the lists', () => {
    const before = pagesIn(pages);
    home.skein([], env);
    expect(touched(before)).toEqual([]);
    const path = home.write(file('s1'), [
      ...session('s1', 'first words'),
      user('s13', 's12', 'third', { sessionId: 's1' }),
    ]);
    const later = new Date(Date.now() + 5000);
    utimesSync(path, later, later);
    home.skein([], env);
    expect(touched(before)).toContain('-p/s1.html');
    expect(touched(before)).not.toContain('-p/s2.html');
    expect(readFileSync(join(pages, '-p/s1.html'), 'utf8')).toContain('third');
  });

  test('other roots have pages of their own, and do not cost these', () => {
    const before = pagesIn(pages);
    const { out } = home.skein(['--root', join(home.path, '.claude/projects')], env);
    expect(addressIn(out)).not.toBe(join(pages, 'index.html'));
    expect(existsSync(addressIn(out))).toBe(true);
    expect(touched(before)).toEqual([]);
  });

  test('what was forgotten leaves no page, and gets none while its log still lies there', () => {
    home.skein(['forget', 's2', '--yes'], env);
    expect(pagesIn(pages).size).toBe(0);
    home.skein([], env);
    expect([...pagesIn(pages).keys()].sort()).toEqual(['-p/index.html', '-p/s1.html', 'index.html']);
    const said = [...pagesIn(pages).keys()].map((name) => readFileSync(join(pages, name), 'utf8')).join('');
    expect(said).not.toContain('second words');
  });

  test('what is excluded has no page any more', () => {
    writeFileSync(join(env.SKEIN_HOME, 'exclude'), '-p/s1.jsonl\n');
    home.skein([], env);
    expect(existsSync(join(pages, '-p/s1.html'))).toBe(false);
  });

  test('P3 without any session it writes the page of the demo', () => {
    const { out } = home.skein(['--root', join(home.path, 'nothing')], {
      ...env,
      SKEIN_HOME: join(home.path, 'empty'),
    });
    expect(out).toContain(join(home.path, 'nothing'));
    expect(readFileSync(addressIn(out), 'utf8')).toContain('Clock in UTC');
  });
});

test('P3 its rows are those of the list of sessions: without a title, with prompts only, or in the archive only', () => {
  const home = openHome();
  try {
    const gone = home.write(file('s1'), session('s1', 'first words'));
    home.write(file('s2'), [
      ...session('s2', 'second words'),
      user('s23', 's22', 'one way'),
      user('s24', 's22', 'another'),
    ]);
    home.write(file('s3'), [assistant('s31', null, [toolUse('t1')], { cwd: '/p', sessionId: 's3' })]);
    home.write('.claude/history.jsonl', [
      { display: 'only typed', pastedContents: {}, timestamp: 1, project: '/p', sessionId: 's4' },
    ]);
    home.skein(['index']);
    rmSync(gone);
    const rows = (...args: string[]): string[] =>
      home
        .skein(args)
        .out.split('\n')
        .filter((line) => /^(\d{4}-|LAST)/.test(line));
    const own = rows();
    expect(own).toEqual(rows('sessions'));
    expect(own).toHaveLength(5);
    for (const name of [
      's1 +\\(archived\\) first words',
      's2 +second words',
      's3 +\\(no title\\)',
      's4 +\\(prompts only\\) only typed',
    ])
      expect(own.join('\n')).toMatch(new RegExp(`  ${name} `));
  } finally {
    home.remove();
  }
});

test('O15 interrupted, what is written is whole, and the next run writes the rest', async () => {
  const home = openHome();
  try {
    writeProjects(join(home.path, '.claude/projects'), { bytes: 12e6 });
    const whole = join(home.path, 'whole');
    home.skein(['export', '--all', '-o', whole]);
    const out = join(home.path, 'out');
    const child = spawn(process.execPath, [BIN, 'export', '--all', '-o', out], { env: home.env, cwd: home.path });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    while (pagesIn(out).size < 3 && child.exitCode === null) await sleep(5);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const early = pagesIn(out);
    expect([...early.keys()].filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(early.size).toBeLessThan(pagesIn(whole).size);
    home.skein(['export', '--all', '-o', out]);
    const late = pagesIn(out);
    // What was there already is not written again.
    expect([...early].filter(([name, time]) => late.get(name) === time).length).toBeGreaterThan(0);
    const read = (folder: string) =>
      [...pagesIn(folder).keys()].sort().map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(read(out)).toEqual(read(whole));
  } finally {
    home.remove();
  }
}, 60_000);

test.skipIf(!hasProgram('script'))('O15 on a terminal it says how far it is', () => {
  const home = openHome();
  writeProjects(join(home.path, '.claude/projects'), { bytes: 6e6 });
  const { stdout } = spawnSync('script', ['-qec', `'${process.execPath}' '${BIN}' export --all -o out`, '/dev/null'], {
    encoding: 'utf8',
    cwd: home.path,
    env: home.env,
  });
  home.remove();
  expect(stdout).toMatch(/Writing pages: [\d,]+ of [\d,]+ files, [\d.]+ MB of [\d.]+ MB, .* \d+ s left/);
});

describe('The browser is opened where somebody can see it', () => {
  const desk = { env: { DISPLAY: ':0', PATH: '' }, platform: 'linux', isTerminal: true } as const;

  test.each([
    ['no terminal', { ...desk, platform: 'darwin', isTerminal: false }, null],
    ['CI', { ...desk, platform: 'darwin', env: { CI: 'true' } }, null],
    ['macOS', { ...desk, platform: 'darwin' }, ['open']],
    ['macOS from afar', { ...desk, platform: 'darwin', env: { SSH_CONNECTION: 'x' } }, null],
    ['Windows', { ...desk, platform: 'win32' }, ['cmd', '/c', 'start', '""']],
    ['Linux without a program for it', desk, null],
    ['Linux without a desktop', { ...desk, env: { PATH: process.env.PATH } }, null],
  ] as const)('%s', (_what, given, expected) => {
    expect(openerOf(given)).toEqual(expected);
  });

  test.skipIf(!hasTmux)('P3 on a desktop, with the address of the list; not with --no-open', async () => {
    const home = openHome();
    home.write(file('s1'), session('s1', 'words'));
    mkdirSync(join(home.path, 'bin'));
    const opener = home.write('bin/xdg-open', `#!/bin/sh\necho "$1" > '${join(home.path, 'opened')}'\n`);
    chmodSync(opener, 0o755);
    const skein = (...args: string[]) =>
      openTerminal(['sh', '-c', `'${process.execPath}' '${BIN}' ${args.join(' ')}; echo ended; sleep 30`], {
        cwd: home.path,
        columns: 200,
        env: {
          PATH: `${join(home.path, 'bin')}:${process.env.PATH}`,
          DISPLAY: ':0',
          SKEIN_HOME: join(home.path, 'data'),
        },
      });
    const quiet = skein('--no-open');
    try {
      await quiet.shows(/As pages:[\s\S]*ended/);
      expect(existsSync(join(home.path, 'opened'))).toBe(false);
    } finally {
      quiet.close();
    }
    const terminal = skein();
    try {
      const screen = await terminal.shows(/Opened:[\s\S]*ended/);
      await expect.poll(() => existsSync(join(home.path, 'opened'))).toBe(true);
      expect(readFileSync(join(home.path, 'opened'), 'utf8').trim()).toBe(/file:\/\/\S+/.exec(screen)?.[0]);
    } finally {
      terminal.close();
      home.remove();
    }
  });
});
