import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());
const at = (day: number, minute = 0): { timestamp: string } => ({
  timestamp: new Date(Date.UTC(2026, 0, day, 12, minute)).toISOString(),
});
const IMAGE = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
home.write('.claude/projects/-r-clock/aaaa1111.jsonl', [
  user('u1', null, 'Why does the clock stop?', { cwd: '/r/clock', ...at(1) }),
  assistant(
    'a1',
    'u1',
    [{ type: 'text', text: 'Let me look at the clock.' }, toolUse('T1', 'Read', { file_path: '/r/clock/src/tick.ts' })],
    { cwd: '/r/clock', ...at(1, 1) },
  ),
  user('r1', 'a1', [toolResult('T1', 'no such clock: <b>tick</b> \u001b[31m& more', true)], {
    cwd: '/r/clock',
    ...at(1, 2),
  }),
  user('u2', 'r1', 'Then change it', { cwd: '/r/clock', ...at(1, 3) }),
  assistant(
    'a2',
    'u2',
    [toolUse('T2', 'Edit', { file_path: '/r/clock/src/tick.ts', old_string: 'a', new_string: 'b' })],
    { cwd: '/r/clock', ...at(1, 4) },
  ),
  user('r2', 'a2', [toolResult('T2', 'ok')], { cwd: '/r/clock', ...at(1, 5) }),
]);
home.write('.claude/projects/-r-tower/bbbb2222/subagents/agent-abc1.jsonl', [
  user('s1', null, 'Count the bricks', { cwd: '/r/tower', isSidechain: true, agentId: 'abc1', ...at(3, 2) }),
  assistant('s2', 's1', 'There are 4711.', { cwd: '/r/tower', isSidechain: true, agentId: 'abc1', ...at(3, 3) }),
]);
home.write('.claude/projects/-r-tower/bbbb2222.jsonl', [
  user('v1', null, 'The tower needs a clock', { cwd: '/r/tower', ...at(3) }),
  assistant('w1', 'v1', 'Not a bell?', { cwd: '/r/tower', ...at(3, 1) }),
  user(
    'w0',
    'w1',
    [
      { type: 'text', text: 'A tower:' },
      { type: 'image', source: IMAGE },
    ],
    {
      cwd: '/r/tower',
      ...at(3, 2),
    },
  ),
]);

const json = (...args: string[]) => {
  const { out, err, code } = home.skein(['search', '--json', ...args]);
  expect(err).toBe('');
  return { ...JSON.parse(out), code };
};
const ids = (...args: string[]): string[] =>
  json(...args)
    .items.map((item: { uuid: string }) => item.uuid)
    .sort();

describe.each([
  ['without an index', false],
  ['with one', true],
])('P4 skein search --json, %s:', (_, isIndexed) => {
  beforeAll(() => void (isIndexed && home.skein(['index'])));

  test('items with full ids, snake_case, marked snippet and the command that opens it', () => {
    const found = json('stop');
    expect(found).toMatchObject({ total: 1, total_capped: false, code: 0 });
    expect(found.items).toEqual([
      {
        session_id: 'aaaa1111',
        session_title: 'Why does the clock stop?',
        project_id: '-r-clock',
        project_path: '/r/clock',
        agent: 'claude-code',
        uuid: 'u1',
        record_uuid: 'u1',
        type: 'user',
        kind: 'user',
        timestamp: '2026-01-01T12:00:00.000Z',
        score: expect.any(Number),
        snippet: [
          { text: 'Why does the clock ', marked: false },
          { text: 'stop', marked: true },
          { text: '?', marked: false },
        ],
        command: ['skein', 'show', 'aaaa1111', '--at', 'u1'],
      },
    ]);
  });

  test('the command that opens it looks where it was found', () => {
    const root = `${home.path}/.claude/projects`;
    for (const group of ['none', 'session']) {
      const [item] = json('stop', '--group', group, '--root', root).items;
      expect((item.hits?.[0] ?? item).command).toEqual(['skein', 'show', 'aaaa1111', '--at', 'u1', '--root', root]);
    }
  });

  test.each([
    [['clock'], ['a1', 'a1_result_0', 'a1_tool_0', 'a2_tool_0', 'u1', 'v1']],
    [['clock', '-p', 'TOWER'], ['v1']],
    [
      ['clock', '--type', 'user'],
      ['u1', 'v1'],
    ],
    [['clock', '--is', 'error'], ['a1_result_0']],
    [['--substring', 'tower', '--has', 'image'], ['w0']],
    [['--has', 'image'], ['w0']],
    [
      ['--tool', 'Edit'],
      ['a2_result_0', 'a2_tool_0'],
    ],
    [
      ['--file', 'src/tick.ts', '--type', 'tool_use'],
      ['a1_tool_0', 'a2_tool_0'],
    ],
    [['clock', '--since', '2026-01-02'], ['v1']],
    [['clock', '--until', '2026-01-02', '--type', 'user'], ['u1']],
    [['clock', '--session', 'bbbb'], ['v1']],
    [['--substring', 'OES THE'], ['u1']],
    [['--regex', 'c[l]ock\\?'], []],
    [['--regex', '^T.*k$', '-p', 'tower'], ['v1']],
    [
      ['the', 'tower', 'OR', 'bell'],
      ['v1', 'w1'],
    ],
    [['clock', '-tower', '--type', 'user'], ['u1']],
    [['--', '--nowhere', 'OR', 'bell'], ['w1']],
    [['nowhere'], []],
  ])('M13 %j finds %j', (args, expected) => {
    expect(ids(...args)).toEqual(expected);
  });

  test('M14 grouped by session, with facets', () => {
    const found = json('clock', '--group', 'session', '--facets');
    expect(
      found.items.map((item: { session_id: string; hits: unknown[] }) => [item.session_id, item.hits.length]).sort(),
    ).toEqual([
      ['aaaa1111', 5],
      ['bbbb2222', 1],
    ]);
    expect(json('clock', '--group', 'session', '--limit', '1')).toMatchObject({ total: 6, items: { length: 1 } });
    expect(found.facets).toEqual({
      project: [
        { value: '/r/clock', count: 5 },
        { value: '/r/tower', count: 1 },
      ],
      type: [
        { value: 'tool_use', count: 2 },
        { value: 'user', count: 2 },
        { value: 'assistant', count: 1 },
        { value: 'tool_result', count: 1 },
      ],
      tool: [
        { value: 'Read', count: 2 },
        { value: 'Edit', count: 1 },
      ],
      model: [{ value: 'claude-x', count: 4 }],
    });
  });

  test('--limit leaves the total as it is, --jsonl gives one per line, nothing found is exit 1', () => {
    expect(json('clock', '--limit', '2')).toMatchObject({ total: 6, items: { length: 2 } });
    expect(home.skein(['search', 'clock', '--jsonl']).out.trim().split('\n')).toHaveLength(6);
    expect(json('nowhere')).toEqual({ items: [], total: 0, total_capped: false, code: 1 });
  });
});

describe('P3 skein search for people', () => {
  test('by session, with what opens each hit; show --at begins there', () => {
    const { out, code } = home.skein(['search', 'clock', '-p', 'clock', '--is', 'error']);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'Why does the clock stop?  clock  aaaa1111',
        '  2026-01-01 12:02  Read error',
        '    no such clock: <b>tick</b> & more',
        '    skein show aaaa1111 --at a1',
        '',
        '1 message',
        '',
      ].join('\n'),
    );
    const shown = home.skein(['show', 'aaaa1111', '--at', 'a2']);
    expect(shown.out).toMatch(/^\[2026-01-01 12:04\] <Assistant> Edit\(tick\.ts\)/);
    expect(home.skein(['show', 'aaaa1111', '--at', 'a1_result_0']).out).toMatch(
      /^\[2026-01-01 12:01\] <Assistant> Let me look/,
    );
  });

  test('P3 what is printed to be typed looks where this command looked', () => {
    const root = home
      .write("it's/projects/-x/cccc3333.jsonl", [
        user('w1', null, 'wombat'),
        assistant('w2', 'w1', [toolUse('W', 'Read', { file_path: '/r/wombat.ts' })]),
      ])
      .replace('/-x/cccc3333.jsonl', '');
    const command = `skein show cccc3333 --at w1 --root '${root.replace("'", "'\\''")}'\n`;
    for (const args of [['wombat'], ['wombat', '--group', 'none']])
      expect(home.skein(['search', ...args, '--root', root]).out).toContain(`  ${command}`);
    expect(home.skein(['file', 'wombat.ts', '--root', root]).out).toContain(`Open the first:  ${command}`);
  });

  test('what a sub-agent said is opened there', () => {
    const { out } = home.skein(['search', '4711']);
    expect(out).toMatch(/assistant \(sub-agent\)\n {4}There are 4711\.\n {4}skein show bbbb2222 --at s2\n/);
    expect(home.skein(['show', 'bbbb2222', '--at', 's2']).out).toMatch(
      /^\[2026-01-03 12:03\] <Assistant> There are 4711\.\n$/,
    );
  });

  test('flat, and the rest is counted', () => {
    const { out } = home.skein(['search', 'clock', '--group', 'none', '--limit', '1']);
    expect(out).toMatch(/^tower {2}The tower needs a clock {2}2026-01-03 12:00 {2}user\n {2}The tower needs a clock\n/);
    expect(out).toMatch(/\nShowing 1 of 6 messages; --limit shows more\n$/);
  });

  test('an answer that is calls only says so', () => {
    const { out } = home.skein(['search', 'type:assistant', '-p', 'clock']);
    expect(out).toMatch(/ {2}2026-01-01 12:04 {2}assistant\n {4}\(no text\)\n {4}skein show aaaa1111 --at a2\n/);
  });

  test('M14 --group session limits sessions, and shows the best of each', () => {
    const { out } = home.skein(['search', 'clock', '--group', 'session', '--limit', '1']);
    expect(out).toMatch(
      /^The tower needs a clock.*\n\nShowing 1 of 2 sessions with 6 messages; --limit shows more\n$/s,
    );
    const all = home.skein(['search', 'clock', '--group', 'session', '--limit', '2']).out;
    expect(all).toMatch(/\n {2}… 2 more\n\n2 sessions with 6 messages\n$/);
    expect(all.match(/skein show/g)).toHaveLength(4);
  });

  test('M14 when no more than the newest can be had, it is said so', () => {
    const lines = Array.from({ length: 1003 }, (_, i) => user(`m${i}`, null, 'many', { cwd: '/r/many', ...at(1, i) }));
    home.write('many/cccc3333.jsonl', lines);
    const count = (...args: string[]): string | undefined =>
      home
        .skein(['search', 'many', '--root', 'many', ...args])
        .out.trimEnd()
        .split('\n')
        .at(-1);
    expect(count('--limit', '5000')).toBe(
      'Showing the newest 1,000 of 1,003 messages; a narrower query finds older ones',
    );
    expect(count('--limit', '5')).toBe('Showing 5 of 1,003 messages; --limit shows more');
    expect(count('--group', 'session')).toBe(
      '1 session with the newest 1,000 of 1,003 messages; a narrower query finds older ones',
    );
  });

  test.each([
    [['"clock'], 2, /^skein: This quote is not closed\n {2}"clock\n {2}\^\n$/],
    [['clock', '-', 'tower'], 2, /^skein: Nothing follows the "-".*\n.*\n {8}\^\n$/],
    [['tol:Bash'], 2, /^skein: There is no filter tol: – did you mean tool:\?.*\n.*\n {2}\^{4}\n$/],
    [['after:someday'], 2, /^skein: Not a date: someday.*\n.*\n {8}\^+\n$/],
    [['clock', '--since', 'someday'], 2, /^skein: Not a date: someday.*\n$/],
    [['--regex', '('], 2, /^skein: Bad regular expression: Unterminated group: \(\n$/],
    [['--regex', 'x', '--substring'], 2, /^skein: --substring and --regex exclude each other\n$/],
    [['clock', '--jsn'], 2, /^skein: unknown option '--jsn'; to look for it: skein search -- --jsn\n$/],
    [['--substring'], 2, /^skein: --substring needs a text to look for\n$/],
    [['--type', 'x'], 2, /^skein: option '--type <type>' argument 'x' is invalid.*\n$/],
    [['clock', '--limit', '0'], 2, /^skein: option '--limit <count>' argument '0' is invalid.*\n$/],
    [[], 2, /^skein: What to look for\? .*\n$/],
    [['projct:clock'], 2, /^skein: There is no filter projct: – did you mean project:\?.*\n.*\n {2}\^{7}\n$/],
    [['type:constructor'], 2, /^skein: type: takes user, .*; in quotes it is text\n.*\n {7}\^+\n$/],
    [['nowhere'], 1, /^skein: Nothing found for nowhere in .*\n$/],
    [['node:fs'], 1, /^skein: Nothing found for node:fs in .*\n$/],
  ])('M13 %j: exit %i and one clear line', (args, code, expected) => {
    expect(home.skein(['search', ...args])).toMatchObject({ code, out: '', err: expect.stringMatching(expected) });
  });

  test.each([
    [['show', 'aaaa1111', '--at', 'zzz'], 1, "skein: No record found matching 'zzz'\n"],
    [
      ['show', 'aaaa1111', '--at', 'a1', '--thread', 'x'],
      2,
      'skein: --at finds the thread or sub-agent itself: leave out --thread and --agent\n',
    ],
    [['show', 'aaaa1111', '--at', 'a1', '--as', 'html'], 2, 'skein: --at shows text or json\n'],
  ])('%j: exit %i', (args, code, err) => {
    expect(home.skein(args)).toEqual({ code, out: '', err });
  });
});

describe('M14a skein file', () => {
  test('which prompts read or changed a file, newest first', () => {
    const { out } = home.skein(['file', 'src/tick.ts', '--json']);
    expect(JSON.parse(out)).toEqual({
      items: [
        {
          session_id: 'aaaa1111',
          project_id: '-r-clock',
          project_path: '/r/clock',
          agent: 'claude-code',
          prompt_uuid: 'u2',
          prompt: 'Then change it',
          prompted_at: '2026-01-01T12:03:00.000Z',
          last_record_uuid: 'a2',
          last_at: '2026-01-01T12:04:00.000Z',
          reads: 0,
          changes: 1,
          paths: ['/r/clock/src/tick.ts'],
        },
        expect.objectContaining({ prompt_uuid: 'u1', reads: 1, changes: 0 }),
      ],
      total: 2,
    });
    const table = home.skein(['file', '*.ts']).out;
    expect(table).toMatch(
      /\n2026-01-01 12:04 {2}aaaa1111 {2}u2 +Then change it +clock +1\n2026-01-01 12:01 {2}aaaa1111 {2}u1 /,
    );
    expect(table).toMatch(/2 prompts\nOpen the first: {2}skein show aaaa1111 --at u2\n$/);
    expect(home.skein(['file', 'tock.ts'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^skein: No call that reads or changes tock\.ts in .*\n$/),
    });
  });
});

describe('M7, M8 what is gone and what is forgotten', () => {
  test('is found in the archive after the agent deleted it, and not after it was forgotten', () => {
    home.skein(['index']);
    rmSync(`${home.path}/.claude/projects/-r-clock`, { recursive: true });
    expect(ids('stop')).toEqual(['u1']);
    expect(ids('--substring', 'clock stop')).toEqual(['u1']);
    expect(ids('--regex', 'clock s\\w+')).toEqual(['u1']);
    expect(JSON.parse(home.skein(['file', 'tick.ts', '--json']).out).total).toBe(2);
    expect(home.skein(['forget', 'aaaa1111', '--yes']).code).toBe(0);
    for (const args of [['stop'], ['--substring', 'clock stop'], ['--regex', 'clock s\\w+']])
      expect(ids(...args)).toEqual([]);
    expect(ids('clock')).toEqual(['v1']);
  });
});
