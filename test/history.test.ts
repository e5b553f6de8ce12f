import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eachSession, History, listSessions, type Session } from '../src/history/index.ts';
import { Logs } from '../src/history/logs.ts';
import { SkeinError } from '../src/model/index.ts';
import { type Home, openHome } from './kit/home.ts';
import { assistant, piAssistant, piHeader, piUser, summary, toolResult, toolUse, user } from './kit/transcript.ts';

let home: Home;
beforeEach(() => {
  home = openHome();
});
afterEach(() => home.remove());

const open = (): History => History.open({ env: {}, home: home.path });
const APP = { cwd: '/work/app' };
const CLAUDE = '.claude/projects/-work-app';
const CONFIG = '.config/claude/projects/-work-app';
const PI = '.pi/agent/sessions/--work-app--';

/** The message of what is thrown, with its code. */
function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SkeinError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'nothing thrown';
}

const texts = (session: Session): string[] => [...session.records()].map(({ id }) => session.textOf(id));

describe('H a project is a working folder', () => {
  test('H its logs of every agent in every root are one project', () => {
    home.write(`${CLAUDE}/s1.jsonl`, [user('u1', null, 'first', APP)]);
    home.write(`${CONFIG}/s2.jsonl`, [user('u2', null, 'second', APP)]);
    home.write(`${PI}/2026-01-01T00-00-00-000Z_p1.jsonl`, [piHeader('p1', APP), piUser('e1', null, 'third')]);
    const { projects, problems } = open();
    expect(problems).toEqual([]);
    expect(projects.map(({ path, agents, names }) => ({ path, agents, names: [...names].sort() }))).toEqual([
      { path: '/work/app', agents: ['claude-code', 'pi'], names: ['--work-app--', '-work-app'] },
    ]);
    const sessions = projects[0]?.sessions().map(({ id, agent, title }) => [id, agent, title]);
    expect(sessions).toEqual([
      ['p1', 'pi', 'third'],
      ['s2', 'claude-code', 'second'],
      ['s1', 'claude-code', 'first'],
    ]);
  });

  test('H the same file name in two roots is two files', () => {
    home.write(`${CLAUDE}/s1.jsonl`, [user('u1', null, 'here', APP)]);
    home.write(`${CONFIG}/s1.jsonl`, [user('v1', null, 'there', APP)]);
    const [project] = open().projects;
    expect(new Set(project?.files.map(({ facts }) => facts.id)).size).toBe(2);
    expect(
      project
        ?.sessions()
        .flatMap((session) => texts(session))
        .sort(),
    ).toEqual(['here', 'there']);
  });

  test('H8 a session that goes on in another root is one session', () => {
    home.write(`${CLAUDE}/main.jsonl`, [user('u1', null, 'begin', APP), assistant('a1', 'u1', 'ok')]);
    home.write(`${CONFIG}/more.jsonl`, [user('u2', 'a1', 'go on', APP)]);
    const sessions = open().projects.flatMap((project) => project.sessions());
    expect(sessions.map((session) => [session.id, texts(session)])).toEqual([['main', ['begin', 'ok', 'go on']]]);
    expect(open().find('more').id).toBe('main');
  });

  test('H9 Pi files of one project stay two sessions, though their entries have the same ids', () => {
    home.write(`${PI}/2026-01-01T00-00-00-000Z_p1.jsonl`, [piHeader('p1', APP), piUser('e1', null, 'one')]);
    home.write(`${PI}/2026-01-02T00-00-00-000Z_p2.jsonl`, [piHeader('p2', APP), piUser('e1', null, 'two')]);
    expect(open().find('p1').title).toBe('one');
    expect(open().find('p2').title).toBe('two');
  });

  test('P4 a file inside a root means the session of that file, also one that continues another', () => {
    home.write(`${CLAUDE}/main.jsonl`, [user('u1', null, 'begin', APP), assistant('a1', 'u1', 'ok')]);
    const path = home.write(`${CLAUDE}/more.jsonl`, [user('u2', 'a1', 'go on', APP)]);
    expect(open().findFile(path)?.id).toBe('main');
    expect(open().findFile(join(home.path, 'elsewhere/more.jsonl'))).toBeNull();
  });
});

describe('H22 lookup', () => {
  const projects = (...names: readonly string[]): void => {
    for (const name of names) home.write(`.claude/projects/${name}/${name}-s.jsonl`, [user(name, null, name, {})]);
  };

  test('H22 a project: exact, ambiguous, none (check 25)', () => {
    home.write('.claude/projects/foo-bar/s1.jsonl', [user('u1', null, 'x', { cwd: '/q/foo-bar' })]);
    home.write('.claude/projects/foo-bar-extended/s2.jsonl', [user('u2', null, 'x', { cwd: '/q/foo-bar-extended' })]);
    const history = open();
    expect(history.findProject('foo-bar').id).toBe('foo-bar');
    expect(history.findProject('/q/foo-bar').id).toBe('foo-bar');
    expect(history.findProject('extended').id).toBe('foo-bar-extended');
    const ambiguous = errorOf(() => history.findProject('foo'));
    expect(ambiguous).toMatch(/^ambiguous: Ambiguous project 'foo'\. Matches:\n/);
    expect(ambiguous.match(/^ {2}- foo-bar(-extended)? /gm)).toHaveLength(2);
    expect(errorOf(() => history.findProject('zzz'))).toBe("not_found: No project found matching 'zzz'");
  });

  test('H22 a session: exact before beginning before part', () => {
    home.write(`${CLAUDE}/abc12.jsonl`, [user('u1', null, 'x', APP)]);
    home.write(`${CLAUDE}/abc12-long.jsonl`, [user('u2', null, 'x', APP)]);
    home.write(`${CLAUDE}/xabc12.jsonl`, [user('u3', null, 'x', APP)]);
    const history = open();
    expect(history.find('abc12').id).toBe('abc12');
    expect(history.find('abc12-').id).toBe('abc12-long');
    expect(history.find('c12-l').id).toBe('abc12-long');
    expect(errorOf(() => history.find('abc1'))).toMatch(
      /^ambiguous: Ambiguous session 'abc1'\. Matches:\n {2}- abc12(-long)? .*\n {2}- abc12(-long)? [^\n]*$/,
    );
    expect(errorOf(() => history.find('zzz'))).toBe("not_found: No session found matching 'zzz'");
  });

  test('H22 a long list of matches says how many more there are', () => {
    projects(...Array.from({ length: 25 }, (_, i) => `many-${i}`));
    const lines = errorOf(() => open().find('many')).split('\n');
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('  … and 5 more');
  });

  test.each([
    ['the id in its header', 'HEAD-1'],
    ['the beginning of the id in its header', 'HEAD'],
    ['the id in its name', 'p1'],
    ['the whole name of its file', '2026-01-01T00-00-00-000Z_p1'],
  ])('H8 a Pi session is found by %s', (_what, id) => {
    home.write(`${PI}/2026-01-01T00-00-00-000Z_p1.jsonl`, [piHeader('HEAD-1', APP), piUser('e1', null, 'hello')]);
    home.write(`${PI}/2026-01-02T00-00-00-000Z_p2.jsonl`, [piHeader('p2', APP), piUser('e1', null, 'other')]);
    expect(open().find(id)).toMatchObject({ id: 'HEAD-1', title: 'hello' });
  });

  test('H22 the empty text is no name', () => {
    projects('a', 'b');
    expect(errorOf(() => open().find(''))).toMatch(/^(not_found|ambiguous|bad_input): /);
  });
});

describe('H13–H16 segments and threads', () => {
  const branched = (): Session => {
    home.write(`${CLAUDE}/s.jsonl`, [
      user('u1', null, 'start', { ...APP, gitBranch: 'main' }),
      assistant('a1', 'u1', 'ok'),
      user('u2', 'a1', 'one way'),
      assistant('a2', 'u2', 'done'),
      user('u3', 'a1', 'another way', { gitBranch: 'dev' }),
    ]);
    home.write(`${CLAUDE}/sums.jsonl`, [summary('a2', 'The first way')]);
    return open().find('s');
  };

  test('H13 a segment ends where the ways part', () => {
    expect(branched().rootSegments).toEqual([
      {
        records: ['u1', 'a1'],
        children: [
          { records: ['u2', 'a2'], children: [] },
          { records: ['u3'], children: [] },
        ],
      },
    ]);
  });

  test('H15 a thread is named by its first record after the fork; the newest stands first', () => {
    const session = branched();
    expect(session.threads.map(({ id, facts }) => [id, facts.leaf, facts.fork, facts.resumeId])).toEqual([
      ['u3', 'u3', 'a1', 's'],
      ['u1', 'a2', null, 's'],
    ]);
    expect(session.defaultThread?.id).toBe('u3');
    const [newest, older] = session.threads;
    expect([...(newest?.records() ?? [])].map(({ id }) => id)).toEqual(['u1', 'a1', 'u3']);
    expect([...(older?.records() ?? [])].map(({ id }) => id)).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(newest?.facts.gitBranch).toBe('dev');
  });

  test('H16 a summary of another file names its thread; without one its prompts do', () => {
    expect(branched().threads.map((thread) => thread.summary)).toEqual(['another way', 'The first way']);
    expect(open().projects[0]?.sessions()).toHaveLength(1);
  });

  test('H3 what a record says holds the results of its calls', () => {
    home.write(`${CLAUDE}/s.jsonl`, [
      user('u1', null, 'x', APP),
      assistant('a1', 'u1', [toolUse('A'), toolUse('B')]),
      user('r1', 'a1', [toolResult('B', 'for b'), toolResult('A', 'for a')]),
    ]);
    const session = open().find('s');
    const record = session.record('a1');
    const { results } = session.content(record ?? expect.fail());
    expect([...results].map(([id, { block }]) => [id, block.output])).toEqual([
      ['A', 'for a'],
      ['B', 'for b'],
    ]);
  });
});

describe('H3 results that lie beside the log', () => {
  const preview = (path: string): string =>
    `<persisted-output>\nOutput too large (70KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nthe preview\n</persisted-output>`;
  /** What a result is, of which the log says that it lies at `path`. `prepare` is given the folder it may lie in. */
  const resultAt = (path: string, prepare: (folder: string) => void): string => {
    home.write(`${CLAUDE}/s.jsonl`, [
      user('u1', null, 'x', APP),
      assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'cat' })]),
      user('r1', 'a1', [toolResult('T', preview(path))]),
    ]);
    mkdirSync(join(home.path, CLAUDE, 's'));
    prepare(join(home.path, CLAUDE, 's/tool-results'));
    const session = open().find('s');
    return String(session.content(session.record('a1') ?? expect.fail()).results.get('T')?.block.output);
  };
  const put = (name: string, text: string) => (folder: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  test.each([['/elsewhere/projects/-r/s/tool-results/x.txt'], ['C:\\Users\\ana\\tool-results\\x.txt']])(
    'H3 %s is read from the folder of the session',
    (path) => {
      expect(resultAt(path, put('x.txt', 'the whole output'))).toBe('the whole output');
    },
  );

  test('H3 that of a sub-agent lies in the folder of the session around it', () => {
    const more = { ...APP, isSidechain: true, agentId: 'b1', sessionId: 's' };
    home.write(`${CLAUDE}/s.jsonl`, [user('u1', null, 'x', APP)]);
    home.write(`${CLAUDE}/s/tool-results/x.txt`, 'the whole output');
    home.write(`${CLAUDE}/s/subagents/agent-b1.jsonl`, [
      user('s1', null, 'look', more),
      assistant('s2', 's1', [toolUse('T', 'Bash', { command: 'cat' })], more),
      user('s3', 's2', [toolResult('T', preview('/a/x.txt'))], more),
    ]);
    const session = open().find('s');
    const { results } = session.content(session.record('s2') ?? expect.fail());
    expect(results.get('T')?.block.output).toBe('the whole output');
  });

  test.each<[string, string, (folder: string) => void]>([
    ['is not there', '/a/tool-results/gone.txt', () => undefined],
    [
      'is named by a way out',
      '../../secret.txt',
      (folder) => {
        put('y.txt', '')(folder);
        home.write(`${CLAUDE}/secret.txt`, 'SECRET');
      },
    ],
    ['is named by a whole path', '/etc/hostname', (folder) => put('y.txt', '')(folder)],
    ['has no name', '/a/tool-results/..', (folder) => put('y.txt', '')(folder)],
    [
      'is a link',
      '/a/x.txt',
      (folder) => {
        mkdirSync(folder);
        symlinkSync(home.write('secret.txt', 'SECRET'), join(folder, 'x.txt'));
      },
    ],
    [
      'lies in a folder that is a link',
      '/a/secret.txt',
      (folder) => {
        home.write('linked/secret.txt', 'SECRET');
        symlinkSync(join(home.path, 'linked'), folder);
      },
    ],
    ['is a folder', '/a/x.txt', (folder) => void mkdirSync(join(folder, 'x.txt'), { recursive: true })],
    [
      'is too large',
      '/a/x.txt',
      (folder) => {
        put('x.txt', 'SECRET')(folder);
        truncateSync(join(folder, 'x.txt'), 17 * 1024 * 1024);
      },
    ],
  ])('H3, P6 when it %s the preview stays', (_why, path, prepare) => {
    expect(resultAt(path, prepare)).toContain('the preview');
  });
});

describe('P6 linear: lists hold one project at a time', () => {
  /** The most logs that were read and not forgotten at once, and how often any were read. */
  function count(run: () => void): { most: number; reads: number } {
    const alive = new Set<Logs>();
    let most = 0;
    let reads = 0;
    const { read, close } = Logs.prototype;
    const spies = [
      vi.spyOn(Logs.prototype, 'read').mockImplementation(function (this: Logs, ...args) {
        if (!alive.has(this)) reads++;
        alive.add(this);
        most = Math.max(most, alive.size);
        return read.apply(this, args);
      }),
      vi.spyOn(Logs.prototype, 'close').mockImplementation(function (this: Logs) {
        alive.delete(this);
        close.apply(this);
      }),
    ];
    run();
    for (const spy of spies) spy.mockRestore();
    return { most, reads };
  }
  const fill = (projects: number): void => {
    for (let i = 0; i < projects; i++)
      home.write(`.claude/projects/-p${i}/s${i}.jsonl`, [
        user(`u${i}`, null, `prompt ${i}`, { cwd: `/p${i}` }),
        assistant(`a${i}`, `u${i}`),
      ]);
  };

  test('P6 a list of all sessions reads every project once and forgets it', () => {
    fill(12);
    let titles: (string | null)[] = [];
    const work = count(() => {
      titles = listSessions(open(), { threads: true }).map(({ title }) => title);
    });
    expect(titles).toHaveLength(12);
    expect(titles[0]).toBe('prompt 11');
    expect(work).toEqual({ most: 1, reads: 12 });
  });

  test('P6 who wants the first session reads the first project', () => {
    fill(12);
    const work = count(() => {
      for (const { id } of eachSession(open())) if (id) break;
    });
    expect(work.reads).toBe(1);
  });

  test('P6 a session is found by its file name without reading other projects', () => {
    fill(12);
    expect(count(() => void open().find('s7')).reads).toBe(1);
  });

  test('P6 two agents in one folder are one project', () => {
    home.write(`${CLAUDE}/s1.jsonl`, [user('u1', null, 'x', APP)]);
    home.write(`${PI}/2026-01-01T00-00-00-000Z_p1.jsonl`, [
      piHeader('p1', APP),
      piUser('e1', null, 'x'),
      piAssistant('e2', 'e1'),
    ]);
    fill(3);
    expect(count(() => void listSessions(open()))).toEqual({ most: 2, reads: 5 });
  });
});

test('H8 the working folder is told from lines that another program wrote with spaces', () => {
  const root = join(home.path, 'projects');
  mkdirSync(join(root, '-r'), { recursive: true });
  writeFileSync(
    join(root, '-r/s.jsonl'),
    '{"type": "user", "uuid": "a", "parentUuid": null, "sessionId": "s", "cwd": "/r", "message": {"role": "user", "content": "hi"}}\n',
  );
  expect(History.open({ roots: [root] }).projects.map(({ path }) => path)).toEqual(['/r']);
});
