import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistant, type Json, user } from '../kit/transcript.ts';

const BIN = resolve('bin/skein.cjs');
let home = '';

/** An answer of a model at a time, with a million tokens in and some out. */
function answer(uuid: string, model: string, time: string, output: number): Json {
  const line = assistant(uuid, null, 'x', {
    timestamp: time,
    usage: {
      input_tokens: 1_000_000,
      output_tokens: output,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 30,
    },
  });
  return { ...line, message: { ...(line.message as object), model } };
}

const OPUS = 'claude-opus-4-6';
const HAIKU = 'claude-haiku-4-5';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'skein-stats-'));
  write('-one', 's1', [
    user('u1', null, 'First, "quoted"', { cwd: '/one', timestamp: '2026-03-01T10:00:00.000Z' }),
    answer('a1', OPUS, '2026-03-01T10:01:00.000Z', 10),
    answer('a2', HAIKU, '2026-03-02T23:30:00.000Z', 20),
  ]);
  write('-two', 's2', [
    user('u2', null, 'Second', { cwd: '/two', timestamp: '2026-03-05T10:00:00.000Z' }),
    answer('a3', '=cmd|"x",y', '2026-03-05T10:01:00.000Z', 40),
    answer('a1', OPUS, '2026-03-01T10:01:00.000Z', 10),
  ]);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(project: string, session: string, lines: readonly Json[]): void {
  const folder = join(home, '.claude/projects', project);
  mkdirSync(folder, { recursive: true });
  const text = lines.map((line) => `${JSON.stringify({ ...line, cwd: `/${project.slice(1)}`, sessionId: session })}\n`);
  writeFileSync(join(folder, `${session}.jsonl`), text.join(''));
}

function run(...args: readonly string[]): { stdout: string; stderr: string; status: number | null } {
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'Asia/Tokyo' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, 'stats', ...args], { encoding: 'utf8', env });
  return { stdout, stderr, status };
}
const json = (...args: readonly string[]) => JSON.parse(run('--json', ...args).stdout);
const rows = (...args: readonly string[]): string[] =>
  run(...args)
    .stdout.split('\n')
    .slice(1, -1);

describe('skein stats', () => {
  test('P4 a row per local day, newest first, and the total; a response in two projects counts once', () => {
    const { stdout } = run();
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['DAY', 'RESPONSES', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE', 'COST'],
      ['2026-03-05', '1', '1,000,000', '40', '200', '30', '–'],
      ['2026-03-03', '1', '1,000,000', '20', '200', '30', '$1.00'],
      ['2026-03-01', '1', '1,000,000', '10', '200', '30', '$5.00'],
      ['Total', '3', '3,000,000', '70', '600', '90', '$6.00+'],
      [''],
      ['3 days; list prices of 2026-06'],
      ['No price is known for =cmd|"x",y: costs marked + do not contain them (--prices FILE)'],
      [''],
    ]);
  });

  test('P3 a row per local week and month', () => {
    const first = (by: string): unknown[] => json('--by', by).items.map((item: Json) => [item[by], item.responses]);
    expect(first('week')).toEqual([
      ['2026-W10', 2],
      ['2026-W09', 1],
    ]);
    expect(first('month')).toEqual([['2026-03', 3]]);
    expect(run('--by', 'week').stdout).toContain('2 weeks; list prices');
  });

  test('P3 --breakdown: the models of each row, the dearest first, in every form', () => {
    const cells = rows('--by', 'month', '--breakdown').map((row) => row.split(/ {2,}/).slice(0, 2));
    expect(cells.slice(0, 5)).toEqual([
      ['2026-03', '3'],
      ['└─ Opus 4.6', '1'],
      ['└─ Haiku 4.5', '1'],
      ['└─ =cmd|"x",y', '1'],
      ['Total', '3'],
    ]);
    const [month] = json('--by', 'month', '--breakdown').items;
    expect(month.models.map((each: Json) => [each.model, each.output_tokens])).toEqual([
      [OPUS, 10],
      [HAIKU, 20],
      ['=cmd|"x",y', 40],
    ]);
    const csv = run('--by', 'month', '--breakdown', '--csv').stdout.split('\n');
    expect(csv[0]).toMatch(/^month,model,responses,/);
    expect(csv[2]).toMatch(/^2026-03,claude-haiku-4-5,1,/);
    expect(json('--by', 'month').items[0].models).toBeUndefined();
    expect(run('--by', 'model', '--breakdown')).toMatchObject({ status: 2, stdout: '' });
  });

  test('H12 --by session: what belongs to no session is one row, and the others are those that are listed', () => {
    const lone = (id: string): Json => ({ ...answer(id, HAIKU, '2026-03-06T10:00:00.000Z', 1), isSidechain: true });
    const root = join(home, 'lone/projects/-one');
    mkdirSync(root, { recursive: true });
    for (const id of ['x1', 'x2'])
      writeFileSync(
        join(root, `agent-${id}.jsonl`),
        `${JSON.stringify({ ...lone(id), agentId: id, sessionId: `gone-${id}`, cwd: '/one' })}\n`,
      );
    writeFileSync(join(root, 's9.jsonl'), `${JSON.stringify(answer('a9', OPUS, '2026-03-07T10:00:00.000Z', 1))}\n`);
    writeFileSync(join(root, 's8.jsonl'), `${JSON.stringify(user('u8', null, 'Nothing used'))}\n`);
    const args = ['--by', 'session', '--root', join(home, 'lone')];
    expect(json(...args).items).toMatchObject([
      { session_id: 's9', responses: 1, last_activity: '2026-03-07T10:00:00.000Z', project_path: '/r' },
      { session_id: null, title: null, responses: 2 },
    ]);
    const { stdout } = run(...args);
    expect(stdout).toMatch(/^s9 +x +2026-03-07 19:00 +r /m);
    expect(stdout).toMatch(/^ +\(agents without a session\) +2 /m);
    expect(stdout).toContain('1 of 2 sessions used tokens');
  });

  test('P4 by model, project and session, the dearest first', () => {
    const first = (by: string): string[] =>
      rows('--by', by)
        .slice(0, 3)
        .map((row) => row.split(/ {2,}/)[0] ?? '');
    expect(first('model')).toEqual(['Opus 4.6', 'Haiku 4.5', '=cmd|"x",y']);
    expect(first('project')).toEqual(['/one', '/two', 'Total']);
    expect(first('session')).toEqual(['s1', 's2', 'Total']);
    expect(rows('--by', 'session')[0]).toContain('First, "quoted"');
  });

  test('P4 --json: totals and items, the cost null where a price is missing', () => {
    const { totals, items, by, prices } = json('--by', 'model');
    expect(totals).toMatchObject({
      input_tokens: 3_000_000,
      output_tokens: 70,
      cache_read_tokens: 600,
      cache_creation_tokens: 90,
      cost_usd: null,
      unknown_models: ['=cmd|"x",y'],
      responses: 3,
    });
    expect(items.map((item: Json) => [item.model, item.output_tokens, item.cost_usd === null])).toEqual([
      [OPUS, 10, false],
      [HAIKU, 20, false],
      ['=cmd|"x",y', 40, true],
    ]);
    expect([by, prices]).toEqual(['model', '2026-06']);
  });

  test('P4 --json by session has whole ids and titles', () => {
    expect(json('--by', 'session').items).toMatchObject([
      { session_id: 's1', title: 'First, "quoted"' },
      { session_id: 's2', title: 'Second' },
    ]);
  });

  test('P4 --csv: quoted, and nothing that a spreadsheet would run', () => {
    const lines = run('--csv', '--by', 'model').stdout.split('\n');
    expect(lines[0]).toBe(
      'model,responses,input_tokens,output_tokens,cache_read_tokens,cache_creation_tokens,cost_usd',
    );
    expect(lines[1]).toMatch(/^claude-opus-4-6,1,1000000,10,200,30,5\.\d+$/);
    expect(lines[3]).toBe(`"'=cmd|""x"",y",1,1000000,40,200,30,`);
    expect(lines.slice(4)).toEqual(['']);
  });

  test('P4 -p takes one project, by its name or a part of it', () => {
    expect(json('-p', 'two').totals).toMatchObject({ responses: 2, output_tokens: 50 });
    const { stderr, status } = run('-p', 'three');
    expect(stderr).toMatch(/three/);
    expect(status).not.toBe(0);
  });

  test('P4 --on, --since and --until are days in local time', () => {
    expect(json('--on', '2026-03-03').totals).toMatchObject({ responses: 1, output_tokens: 20 });
    expect(json('--on', '2026-03-02').totals).toMatchObject({ responses: 0, output_tokens: 0, cost_usd: 0 });
    expect(json('--since', '2026-03-03').totals.output_tokens).toBe(60);
    expect(json('--until', '2026-03-03').totals.output_tokens).toBe(30);
  });

  test('C13 --prices FILE gives prices to models that have none', () => {
    const file = join(home, 'prices.json');
    writeFileSync(
      file,
      JSON.stringify({
        date: '2026-11',
        models: { '=cmd|"x",y': { input: 2, output: 0, cache_write_5m: 0, cache_read: 0 } },
      }),
    );
    const { totals, prices } = json('--prices', file);
    expect(totals.unknown_models).toBeUndefined();
    expect(totals.cost_usd).toBeCloseTo(8.001, 2);
    expect(prices).toBe('2026-11');
  });

  test('C13 a price file that is none, or not there, is told', () => {
    const file = join(home, 'bad.json');
    writeFileSync(file, '{}');
    expect(run('--prices', file)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('has no object "models"'),
    });
    expect(run('--prices', join(home, 'none.json')).stderr).toMatch(/none\.json cannot be read \(ENOENT\)/);
    expect(run('--prices', file).status).not.toBe(0);
  });

  test('P4 nothing found: told on the error stream, empty as JSON, a header as CSV', () => {
    const nothing = ['--on', '2020-01-01'];
    const { stdout, stderr, status } = run(...nothing);
    expect([stdout, status]).toEqual(['', 1]);
    expect(stderr).toMatch(/No usage found/);
    expect(json(...nothing)).toMatchObject({ totals: { responses: 0 }, items: [] });
    expect(run('--csv', ...nothing).stdout.split('\n')).toHaveLength(2);
    for (const form of ['--json', '--csv']) expect(run(form, ...nothing).status).toBe(1);
  });
});
