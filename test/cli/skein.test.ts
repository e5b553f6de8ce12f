import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistant, type Json, system, toolResult, toolUse, user } from '../kit/transcript.ts';

const BIN = resolve('bin/skein.cjs');
let home = '';
let root = '';

const write = (path: string, lines: readonly Json[]): void =>
  writeFileSync(join(root, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'skein-cli-'));
  root = join(home, '.claude', 'projects');
  mkdirSync(join(root, '-r'), { recursive: true });
  write('-r/aaaa1111.jsonl', [
    user('u1', null, 'Fix the \u001b[31mred\u001b[0m test', { cwd: '/r' }),
    assistant('a1', 'u1', [toolUse('T')]),
    user('r1', 'a1', [toolResult('T')]),
    system('s1', 'r1', 'turn_duration', { durationMs: 5 }),
    assistant('a2', 's1', 'done', { surprise: 1 }),
  ]);
  write('-r/aaaa2222.jsonl', [user('v1', null, 'Second', { cwd: '/r' })]);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Run {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

function skein(args: readonly string[], from = home): Run {
  const env = { PATH: process.env.PATH, HOME: from, TZ: 'UTC' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', env });
  return { out: stdout, err: stderr, code: status };
}

describe('skein', () => {
  test('P3 alone it lists the sessions, newest first, and says what to do next', () => {
    const { out, code } = skein([]);
    const rows = out.split('\n').filter((line) => /aaaa\d{4}/.test(line));
    expect(rows[0]).toContain('Second');
    expect(rows[1]).toContain('Fix the red test');
    expect(out).toContain('1 project, 2 session files');
    expect(out).toContain('skein check aaaa2222');
    expect(code).toBe(0);
  });

  test('P3 with nothing found it says where it looked and uses the demo session', () => {
    const empty = mkdtempSync(join(tmpdir(), 'skein-empty-'));
    const { out, code } = skein([], empty);
    rmSync(empty, { recursive: true });
    expect(out).toContain(join(empty, '.claude/projects'));
    expect(out).toContain('Clock in UTC');
    expect(code).toBe(0);
  });

  test('P3 started by npm, what it tells to type works as it stands', () => {
    const env = { PATH: process.env.PATH, HOME: home, npm_lifecycle_event: 'start' };
    const { stdout } = spawnSync(process.execPath, [BIN], { encoding: 'utf8', env });
    expect(stdout).toContain('Read one:  npm run -s skein -- show aaaa2222');
  });

  test('H21 terminal escapes of a transcript do not reach the terminal', () => {
    expect(skein([]).out).not.toContain('\u001b');
  });

  test('P3 an unknown command is one line on the error stream', () => {
    const { err, out, code } = skein(['chekc']);
    expect(err).toContain("unknown command 'chekc'");
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test('P3 help [command] is the same as --help', () => {
    expect(skein(['help'])).toEqual(skein(['--help']));
    expect(skein(['help', 'stats'])).toEqual(skein(['stats', '--help']));
    expect(skein(['help', 'stats']).out).toContain('Usage: skein stats');
    expect(skein(['help', 'nosuch'])).toMatchObject({ out: '', err: "skein: unknown command 'nosuch'\n", code: 2 });
  });

  test('P3 help names the commands and gives examples', () => {
    const { out, code } = skein(['--help']);
    expect(out).toContain('check [what]');
    expect(out).toContain('Examples:');
    expect(code).toBe(0);
  });

  test('P3 a reader that goes away is no error', async () => {
    const child = spawn(process.execPath, [BIN, 'check', '--json'], { env: { PATH: process.env.PATH, HOME: home } });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (data) => {
      err += data;
    });
    const code = await new Promise((done) => child.on('exit', done));
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('skein check', () => {
  test('P4, H23 the buckets add up to the lines', () => {
    const { out, code } = skein(['check', '--json']);
    const result = JSON.parse(out);
    expect(result).toMatchObject({
      files: 2,
      lines: 6,
      accounted: { records: 4, folded: 1, annotations: 1, bookkeeping: 0, reported: 0 },
    });
    expect(code).toBe(0);
  });

  test('H18, M5 a finding has rule, type, severity, message and place', () => {
    const [finding] = JSON.parse(skein(['check', '--json']).out).findings;
    expect(finding).toMatchObject({
      rule: 'H18',
      type: 'unexpected_attributes',
      severity: 'note',
      message: 'Unexpected attribute: assistant.surprise',
      file: join(root, '-r/aaaa1111.jsonl'),
      line: 5,
      uuid: 'a2',
    });
  });

  test.each([
    ['a session by the beginning of its id', () => ['check', 'aaaa1'], 'aaaa1111.jsonl'],
    ['a file', () => ['check', join(root, '-r/aaaa1111.jsonl')], 'aaaa1111.jsonl'],
    ['a folder', () => ['check', root], 'aaaa1111.jsonl'],
    ['a root', () => ['check', '--root', root], 'aaaa1111.jsonl'],
  ])('P4 it takes %s', (_what, args, file) => {
    const { out, code } = skein(args());
    expect(out).toContain('every line is accounted for');
    expect(out).toContain(file);
    expect(code).toBe(0);
  });

  test('H22 an id that fits several sessions lists them', () => {
    const { err, code } = skein(['check', 'aaaa']);
    expect(err).toMatch(/^skein: Ambiguous session 'aaaa'\. Matches:\n {2}- aaaa1111 .*\n {2}- aaaa2222 /);
    expect(code).toBe(1);
  });

  test('H22 an id that fits none says so', () => {
    const { err, code } = skein(['check', 'zzzz']);
    expect(err).toBe("skein: No session found matching 'zzzz'\n");
    expect(code).toBe(1);
  });

  test('P3 a missing root is told in one line', () => {
    const { err, code } = skein(['check', '--root', join(home, 'gone')]);
    expect(err).toContain(`Root ${join(home, 'gone')} does not exist; it is left out\n`);
    expect(code).toBe(1);
  });

  test('H19 what cannot be read is a finding, and told once', () => {
    mkdirSync(join(root, '-r/folder.jsonl'));
    const { out, err } = skein(['check']);
    rmSync(join(root, '-r/folder.jsonl'), { recursive: true });
    expect(out.match(/is a folder, not a file/g)).toHaveLength(1);
    expect(err).toBe('');
  });

  test('P3 a missing file is told in one line', () => {
    expect(skein(['check', '/nowhere/x.jsonl'])).toMatchObject({
      err: 'skein: /nowhere/x.jsonl does not exist\n',
      code: 1,
    });
  });

  test('H11 a finding that is no error does not fail the check', () => {
    write('-r/bbbb3333.jsonl', [user('w1', 'gone', 'orphan')]);
    const { out, code } = skein(['check', 'bbbb3333']);
    rmSync(join(root, '-r/bbbb3333.jsonl'));
    expect(out).toContain('warning  H11  orphaned_record');
    expect(out).toContain('warning  M5.v2  unknown_parent');
    expect(code).toBe(0);
  });

  test('M5 a circle is an error, told with rule, file and line; the check fails', () => {
    const file = join(root, '-r/cccc4444.jsonl');
    write('-r/cccc4444.jsonl', [user('x1', 'x2'), user('x2', 'x1')]);
    const { findings } = JSON.parse(skein(['check', 'cccc4444', '--json']).out);
    const { out, code } = skein(['check', 'cccc4444']);
    rmSync(file);
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'M5.c1', severity: 'error', file, line: 1 }));
    expect(out).toContain('error    M5.c1  parent_cycle');
    expect(out).toContain(`${file}:1`);
    expect(code).toBe(1);
  });

  test.each([
    ['empty', '', 0],
    ['not JSON at all', '\u0000\u0001\nrubbish\n', 2],
  ])('H19, H23 a file asked for by name is read even when it is %s', (_what, content, reported) => {
    const file = join(home, 'odd.jsonl');
    writeFileSync(file, content);
    const result = JSON.parse(skein(['check', file, '--json']).out);
    expect(result).toMatchObject({ files: 1, lines: reported, accounted: { reported } });
  });

  test('H19 a file that is no log is told when it lies in a folder of logs', () => {
    const folder = mkdtempSync(join(home, 'mixed-'));
    writeFileSync(join(folder, 'data.jsonl'), '{"x":1}\n');
    writeFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(user('m1', null, 'hello'))}\n`);
    const { out } = skein(['check', folder]);
    expect(out).toContain(`${join(folder, 'data.jsonl')} is not a log that Skein knows; it is left out\n`);
    expect(out).toContain('1 file, 1 line: every line is accounted for');
  });
});
