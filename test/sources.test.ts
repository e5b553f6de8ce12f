import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkProject, History, type HistoryOptions } from '../src/history/index.ts';
import { bytesOf, type Json, piHeader, piUser, user } from './kit/transcript.ts';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'skein-sources-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (path: string): string => join(home, path);
function write(path: string, content: readonly Json[] | string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), bytesOf(content));
}
const link = (target: string, path: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
};
/** A project with one good session, so that there is always a rest to be read. */
const good = (project = 'projects/p', stem = 'good'): void =>
  write(`${project}/${stem}.jsonl`, [user(`u-${stem}`, null)]);

const ROOT: HistoryOptions = { env: {}, home: '' };
const open = (...roots: string[]): History => History.open({ ...ROOT, roots: roots.map(at) });
const sessionsOf = (history: History): string[] =>
  history.projects.flatMap((project) => project.sessions().map((session) => session.id)).sort();
/** What is told about the files, with the folder of the test taken out. */
const toldBy = (history: History): string[] =>
  [
    ...history.problems,
    ...history.projects.flatMap((project) => project.logs.flatMap((logs) => logs.read().problems)),
  ].map(({ message }) => message.replaceAll(home, '~'));

describe('H19: what cannot be read is told in one line, and the rest is read', () => {
  test('a root that is not there', () => {
    good();
    const history = open('nowhere', 'projects');
    expect(toldBy(history)).toEqual(['Root ~/nowhere does not exist; it is left out']);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a root that is a file', () => {
    good();
    const history = open('projects/p/good.jsonl', 'projects');
    expect(toldBy(history)).toEqual(['Root ~/projects/p/good.jsonl is not a folder; it is left out']);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a folder with the name of a log', () => {
    good();
    write('projects/p/x.jsonl/inner.jsonl', [user('u', null)]);
    const history = open('projects');
    expect(toldBy(history)).toEqual(['~/projects/p/x.jsonl is a folder, not a file; it is left out']);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a link that leads nowhere', () => {
    good();
    link(at('gone.jsonl'), 'projects/p/x.jsonl');
    const history = open('projects');
    expect(toldBy(history)).toEqual(['Link ~/projects/p/x.jsonl leads nowhere; it is left out']);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a link out of the root is not followed', () => {
    good();
    write('secret/s.jsonl', [user('u', null)]);
    link(at('secret/s.jsonl'), 'projects/p/file.jsonl');
    link(at('secret'), 'projects/p/good');
    link(at('secret'), 'projects/q');
    const history = open('projects');
    expect(toldBy(history)).toEqual([
      'Link ~/projects/q leads out of ~/projects; it is not followed',
      'Link ~/projects/p/file.jsonl leads out of ~/projects; it is not followed',
      'Link ~/projects/p/good leads out of ~/projects; it is not followed',
    ]);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a root beside the real one whose name begins alike is outside too', () => {
    good();
    write('projects-old/p/s.jsonl', [user('u', null)]);
    link(at('projects-old/p/s.jsonl'), 'projects/p/s.jsonl');
    expect(sessionsOf(open('projects'))).toEqual(['good']);
  });

  test('links that lead to each other', () => {
    good();
    link(at('projects/p/b.jsonl'), 'projects/p/a.jsonl');
    link(at('projects/p/a.jsonl'), 'projects/p/b.jsonl');
    const history = open('projects');
    expect(toldBy(history)).toEqual([
      'Link ~/projects/p/a.jsonl leads nowhere; it is left out',
      'Link ~/projects/p/b.jsonl leads nowhere; it is left out',
    ]);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a folder that holds a link to itself is read once', () => {
    good();
    write('projects/p/good/subagents/agent-g.jsonl', [user('s1', null, 'go', { isSidechain: true, agentId: 'g' })]);
    link(at('projects/p'), 'projects/p/good/subagents/back');
    link(at('projects/p/good/subagents'), 'projects/p/good/subagents/self');
    const history = open('projects');
    expect(history.projects[0]?.files.map(({ facts }) => facts.id)).toEqual([
      'p/good.jsonl',
      'p/good/subagents/agent-g.jsonl',
    ]);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a link to a pipe is not waited for', () => {
    good();
    execFileSync('mkfifo', [at('projects/p/pipe')]);
    execFileSync('mkfifo', [at('projects/p/pipe.jsonl')]);
    link(at('projects/p/pipe'), 'projects/p/x.jsonl');
    const history = open('projects');
    expect(toldBy(history)).toEqual([
      '~/projects/p/pipe.jsonl is neither a file nor a folder; it is left out',
      '~/projects/p/x.jsonl is neither a file nor a folder; it is left out',
    ]);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a folder is known by its own name, not by that of a link that comes before it', () => {
    good();
    write('projects/p/good/subagents/agent-g.jsonl', [user('s1', null, 'go', { isSidechain: true, agentId: 'g' })]);
    link(at('projects/p/good'), 'projects/p/a-link');
    expect(open('projects').projects[0]?.files.map(({ facts }) => facts.session)).toEqual([null, 'good']);
  });

  test('links to things that are no logs are nobody\u2019s business', () => {
    good();
    link('/etc/hostname', 'projects/p/notes.txt');
    link(at('gone'), 'projects/p/gone.txt');
    link('/etc/hostname', '.claude/settings.json');
    expect(toldBy(open('projects'))).toEqual([]);
    expect(toldBy(open('.claude'))).toEqual([]);
  });

  test('a link inside the root is followed', () => {
    good('projects/.kept/p');
    link(at('projects/.kept/p'), 'projects/q');
    expect(open('projects').projects.map(({ id }) => id)).toEqual(['q']);
  });

  test('a link to a project that is there under its own name is not a second one', () => {
    good();
    link(at('projects/p'), 'projects/q');
    expect(open('projects').projects.map(({ id, files }) => [id, files.length])).toEqual([['p', 1]]);
  });

  test('an empty project is none, an empty file is no session', () => {
    good();
    mkdirSync(at('projects/empty'));
    write('projects/q/nothing.jsonl', '');
    const history = open('projects');
    expect(toldBy(history)).toEqual([]);
    expect(history.projects.map(({ id }) => id).sort()).toEqual(['p', 'q']);
    expect(sessionsOf(history)).toEqual(['good']);
  });

  test('a file that goes away, or becomes a folder, between finding and reading', () => {
    good();
    write('projects/p/gone.jsonl', [user('g', null)]);
    write('projects/p/turned.jsonl', [user('t', null)]);
    const history = open('projects');
    rmSync(at('projects/p/gone.jsonl'));
    rmSync(at('projects/p/turned.jsonl'));
    mkdirSync(at('projects/p/turned.jsonl'));
    expect(sessionsOf(history)).toEqual(['good']);
    expect(toldBy(history)).toEqual([
      '~/projects/p/gone.jsonl does not exist; it is left out',
      '~/projects/p/turned.jsonl is a folder, not a file; it is left out',
    ]);
  });

  test('what was told is in the check, with a severity', () => {
    good();
    write('projects/p/gone.jsonl', [user('g', null)]);
    const [project] = open('projects').projects;
    rmSync(at('projects/p/gone.jsonl'));
    const check = project && checkProject(project);
    expect(check?.findings).toMatchObject([{ type: 'unreadable_file', rule: 'H19', count: 1 }]);
    expect(check && Object.values(check.accounted).reduce((a, b) => a + b, 0)).toBe(check?.lines);
  });

  test.skipIf(process.getuid?.() === 0)(
    'a file and a folder that may not be read (says nothing when run as root)',
    () => {
      good();
      write('projects/p/closed.jsonl', [user('c', null)]);
      write('projects/q/closed.jsonl', [user('c', null)]);
      chmodSync(at('projects/p/closed.jsonl'), 0);
      chmodSync(at('projects/q'), 0);
      const history = open('projects');
      expect(sessionsOf(history)).toEqual(['good']);
      expect(toldBy(history)).toEqual([
        'Folder ~/projects/q may not be read (permission denied); it is left out',
        '~/projects/p/closed.jsonl may not be read (permission denied); it is left out',
      ]);
      chmodSync(at('projects/q'), 0o700);
    },
  );

  test('NUL bytes in the middle of a file', () => {
    write('projects/p/s.jsonl', [user('u1', null)]);
    appendFileSync(
      at('projects/p/s.jsonl'),
      Buffer.concat([Buffer.alloc(5000), bytesOf([user('u2', 'u1')]), Buffer.alloc(3)]),
    );
    const [project] = open('projects').projects;
    expect(project?.sessions()[0]?.facts.recordCount).toBe(2);
    expect(project && checkProject(project).findings.map(({ type, line }) => [type, line])).toEqual([
      ['bad_encoding', 2],
      ['torn_last_line', 3],
    ]);
  });

  test('a sidecar that is no JSON', () => {
    good();
    write('projects/p/good/subagents/agent-g.jsonl', [user('s1', null, 'go', { isSidechain: true, agentId: 'g' })]);
    write('projects/p/good/subagents/agent-g.meta.json', '{"agentType":');
    const history = open('projects');
    expect(sessionsOf(history)).toEqual(['good']);
    expect(toldBy(history)).toEqual([
      '~/projects/p/good/subagents/agent-g.meta.json is not a JSON object; it is left out',
    ]);
  });
});

describe('Where the agents keep their logs', () => {
  const discover = (env: Record<string, string>): History => History.open({ env, home });

  test('the places of the agents, when nothing is set', () => {
    good('.claude/projects/p', 'a');
    good('.config/claude/projects/p', 'b');
    write('.pi/agent/sessions/--r--/2026-01-01T00-00-00-000Z_c.jsonl', [piHeader('c'), piUser('1', null)]);
    expect(sessionsOf(discover({}))).toEqual(['a', 'b', 'c']);
    expect(toldBy(discover({}))).toEqual([]);
  });

  test('nothing anywhere is no problem, and says where was looked', () => {
    const history = discover({});
    expect([history.projects, history.problems]).toEqual([[], []]);
    expect(history.looked).toContain(at('.claude/projects'));
  });

  test('XDG_CONFIG_HOME moves one of the two', () => {
    good('.claude/projects/p', 'a');
    good('.config/claude/projects/p', 'b');
    good('xdg/claude/projects/p', 'c');
    expect(sessionsOf(discover({ XDG_CONFIG_HOME: at('xdg') }))).toEqual(['a', 'c']);
  });

  test('CLAUDE_CONFIG_DIR replaces both and may be a list, a folder of projects, and begin with ~', () => {
    good('.claude/projects/p', 'a');
    good('one/projects/p', 'b');
    good('two/projects/p', 'c');
    good('three/projects/p', 'd');
    const list = [at('one'), at('two/projects'), '~/three'].join(',');
    expect(sessionsOf(discover({ CLAUDE_CONFIG_DIR: list }))).toEqual(['b', 'c', 'd']);
    expect(sessionsOf(discover({ CLAUDE_CONFIG_DIR: ` ${at('one')} , ${at('two')}/ ,` }))).toEqual(['b', 'c']);
    expect(sessionsOf(discover({ CLAUDE_CONFIG_DIR: '' }))).toEqual(['a']);
  });

  test('one folder named twice is read once', () => {
    good('one/projects/p', 'b');
    const list = [at('one'), at('one/projects'), at('one/')].join(',');
    expect(discover({ CLAUDE_CONFIG_DIR: list }).projects).toHaveLength(1);
  });

  test('two places that are one folder are read once', () => {
    good('.config/claude/projects/p', 'b');
    link(at('.config/claude'), '.claude');
    expect(discover({}).projects).toHaveLength(1);
    expect(open('.claude', '.claude/projects', '.config/claude/projects').projects).toHaveLength(1);
  });

  test('a folder that was asked for by name and is not there is told', () => {
    good('one/projects/p', 'b');
    const history = discover({ CLAUDE_CONFIG_DIR: [at('one'), at('nowhere')].join(',') });
    expect(sessionsOf(history)).toEqual(['b']);
    expect(toldBy(history)).toEqual([
      'CLAUDE_CONFIG_DIR names ~/nowhere/projects, which does not exist; it is left out',
    ]);
  });

  test.each(['PI_CODING_AGENT_DIR', 'PI_AGENT_DIR'])('%s replaces the place of Pi only', (name) => {
    good('.claude/projects/p', 'a');
    const entries = (id: string): readonly Json[] => [piHeader(id), piUser('1', null)];
    write('.pi/agent/sessions/--r--/2026-01-01T00-00-00-000Z_c.jsonl', entries('c'));
    write('mine/sessions/--r--/2026-01-01T00-00-00-000Z_d.jsonl', entries('d'));
    expect(sessionsOf(discover({ [name]: at('mine') }))).toEqual(['a', 'd']);
    expect(sessionsOf(discover({ [name]: at('mine/sessions') }))).toEqual(['a', 'd']);
  });
});

describe('H19: a line of 200 MB', () => {
  const MEGABYTES = 200;
  const folder = mkdtempSync(join(tmpdir(), 'skein-long-line-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The long line stands between two others, as the result of a call would. */
  function writeLong(): string {
    const path = join(folder, 'projects/p/long.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    const [first, , last] = [user('u1', null), null, user('u3', 'u2')];
    const file = openSync(path, 'w');
    writeSync(file, `${JSON.stringify(first)}\n`);
    writeSync(file, '{"type":"user","message":{"role":"user","content":"the beginning ');
    const piece = Buffer.from('long \\"words\\" \\u00e9 and \u00e9 and \\\\ '.repeat(30_000));
    for (let size = 0; size < MEGABYTES * 1024 * 1024; size += piece.length) writeSync(file, piece);
    writeSync(
      file,
      '"},"uuid":"u2","parentUuid":"u1","isSidechain":false,"sessionId":"long","timestamp":"2026-01-01T00:00:05.000Z"}\n',
    );
    writeSync(file, `${JSON.stringify(last)}\n`);
    closeSync(file);
    return join(folder, 'projects');
  }

  const run = (script: string, root: string) => {
    const code = `import { History, checkProject } from ${JSON.stringify(join(process.cwd(), 'src/history/index.ts'))};
      const [project] = History.open({ roots: [${JSON.stringify(root)}] }).projects;
      ${script}
      console.log(JSON.stringify({ result, peak: process.resourceUsage().maxRSS / 1024 }));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    if (child.status !== 0) throw new Error(child.stderr || `ended with ${child.signal}`);
    return JSON.parse(child.stdout) as { result: unknown; peak: number };
  };

  test('keeps its place in the chain, is reported, and needs less than 400 MB of memory', () => {
    const { result, peak } = run(
      `const { tree } = project.logs[0].read();
       const { accounted, findings } = checkProject(project);
       const parents = [...tree.allRecords()].map(({ id, parent }) => [id, parent]);
       const result = { parents, accounted, findings: findings.filter(({ rule }) => rule.startsWith('H')).map(({ type, line }) => [type, line]) };`,
      writeLong(),
    );
    expect(result).toEqual({
      parents: [
        ['u1', null],
        ['u2', 'u1'],
        ['u3', 'u2'],
      ],
      accounted: { records: 2, folded: 0, annotations: 0, bookkeeping: 0, reported: 1 },
      findings: [['line_too_long', 2]],
    });
    expect(peak).toBeLessThan(400);
  });

  test('its content is the beginning, read without taking the whole line into memory', () => {
    const { result, peak } = run(
      `const [session] = project.sessions();
       const blocks = session.content(session.record('u2')).own;
       const result = { types: blocks.map(({ type }) => type), length: blocks[0]?.text?.length, start: blocks[0]?.text?.slice(0, 20) };`,
      join(folder, 'projects'),
    );
    expect(result).toMatchObject({ types: ['text'], start: 'the beginning long "' });
    expect((result as { length: number }).length).toBeGreaterThan(10_000);
    expect((result as { length: number }).length).toBeLessThan(1_000_000);
    expect(peak).toBeLessThan(400);
  });
});
