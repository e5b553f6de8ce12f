import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BIN, type Home, openHome } from '../kit/home.ts';
import {
  assistant,
  attachment,
  command,
  type Json,
  piAssistant,
  piHeader,
  piUser,
  system,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

let home: Home;
beforeAll(() => {
  home = openHome();
});
afterEach(() => rmSync(join(home.path, '.claude'), { recursive: true, force: true }));
afterAll(() => home.remove());

const FOLDER = '.claude/projects/-r';
let count = 0;
/** A new session of these lines, and its id. */
function session(lines: readonly object[] | string): string {
  const id = `s${String(++count).padStart(3, '0')}`;
  home.write(`${FOLDER}/${id}.jsonl`, lines);
  return id;
}
/** The line ids of one project share one space. */
const mark = (): string => `x${++count}-`;
const show = (...args: readonly string[]) => home.skein(['show', ...args]);
const jsonOf = (...args: readonly string[]) => {
  const { out, err, code } = show(...args, '--as', 'json');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  return JSON.parse(out);
};

describe('P4 show --as json', () => {
  const fixture = (name: string): string => resolve('test/fixtures', name, 'session.jsonl');

  test('P4 the document, and what every record has', () => {
    const { session: facts, thread, records, warnings, ...rest } = jsonOf(fixture('claude-commands'));
    expect(rest).toEqual({});
    expect(facts).toMatchObject({ session_id: 'session', agent: 'claude-code', title: 'Keys of the menu' });
    expect(thread).toMatchObject({ id: 'c02', leaf_uuid: records.at(-1).uuid, summary: expect.any(String) });
    expect(warnings).toMatchObject([
      { type: 'unparsable_line', message: expect.any(String), file: fixture('claude-commands'), line: 29 },
    ]);
    for (const [i, record] of records.entries()) {
      expect(record).toMatchObject({ uuid: expect.any(String), kind: expect.any(String), line: expect.any(Number) });
      expect(record.timestamp).toMatch(/^2026-05-04T09:0\d:\d\d\.000Z$/);
      expect(record.file).toBe('claude-commands/session.jsonl');
      // What waits in the queue hangs on nothing.
      if (i > 0 && !record.queued)
        expect(records.slice(0, i).map((each: Json) => each.uuid)).toContain(record.parent_uuid);
      expect(record).not.toHaveProperty('annotations');
    }
  });

  test('P4, H4 commands, bash, memory, notification, compaction, teammate, a prompt that waits', () => {
    const { records } = jsonOf(fixture('claude-commands'));
    const short = records
      .filter(({ kind }: Json) => kind !== 'assistant')
      .map(({ uuid, parent_uuid, timestamp, file, line, blocks, aliases, edge, ...rest }: Json) => rest);
    expect(short).toEqual([
      { kind: 'built_in_command', command_name: '/model', command_args: 'large', stdout: 'Set model to large' },
      { kind: 'built_in_command', command_name: '/theme', command_args: '', stdout: '' },
      { kind: 'built_in_command', command_name: '/vim', command_args: '' },
      {
        kind: 'user_defined_command',
        command_name: '/review',
        command_args: 'src/menu.ts',
        expanded_prompt: '# Review\nRead src/menu.ts and say what is wrong.',
      },
      {
        kind: 'bash',
        command: 'git status --short',
        stdout: ' M src/menu.ts\n?? notes.txt',
        stderr: 'warning: odd line ends',
      },
      { kind: 'user', origin: 'memory', text: 'keys are listed in KEYS.md' },
      { kind: 'user', origin: 'human', text: 'Unbind the second one.' },
      { kind: 'user', origin: 'human', text: 'and the third one too' },
      { kind: 'notification', text: expect.stringContaining('<task-id>b7</task-id>') },
      {
        kind: 'compaction',
        trigger: 'manual',
        pre_tokens: 120000,
        post_tokens: null,
        summary: expect.stringContaining('1. Keys were unbound.'),
      },
      { kind: 'teammate', text: 'I pressed every key.\nNothing odd.' },
      { kind: 'user', origin: 'human', text: 'Thanks. Commit it.' },
      { kind: 'user', origin: 'human', queued: true, text: 'and push' },
    ]);
  });

  test('P4 an answer has blocks, model, usage and calls with input, result, error and agents', () => {
    const { records } = jsonOf(fixture('claude-tools'));
    const at = (uuid: string) => records.find((record: Json) => record.uuid === uuid);
    expect(at('k02')).toMatchObject({
      kind: 'assistant',
      parent_uuid: 'k01',
      aliases: expect.arrayContaining(['k03', 'k04']),
      text: 'I look for where prices are made.',
      model: 'claude-sonnet-4-5-20250929',
      usage: { input_tokens: 4, output_tokens: 20, cache_read_tokens: 900, cache_creation_tokens: 30 },
      blocks: [
        { type: 'thinking', uuid: 'k02', line: 3 },
        { type: 'text', uuid: 'k03', line: 4 },
        { type: 'call', uuid: 'k04', line: 5 },
      ],
    });
    expect(at('k06').tool_calls.map((call: Json) => [call.tool_use_id, call.is_error, call.agent_id])).toEqual([
      ['t_read', false, null],
      ['t_ls', false, null],
    ]);
    expect(at('k11').tool_calls).toMatchObject([
      {
        tool_use_id: 't_agent',
        name: 'Task',
        input: { subagent_type: 'Explore' },
        result: {
          content: [{ type: 'text', text: 'src/tax.ts:3 has 0.19' }],
          tool_use_result: { agentId: 'a77c1f0' },
          timestamp: expect.stringMatching(/Z$/),
        },
        is_error: false,
        agents: ['a77c1f0'],
        agent_id: 'a77c1f0',
      },
    ]);
    expect(at('k18').tool_calls[0]).toMatchObject({ is_error: true });
    expect(at('k46').tool_calls[0]).toMatchObject({ name: 'Bash', result: null, is_error: false });
    expect(at('k47')).toMatchObject({ kind: 'user', origin: 'interruption' });
  });

  test('P4 Pi: branch summary, compaction, custom message; labels only when verbose', () => {
    const { records, thread } = jsonOf(fixture('pi-branches'));
    expect(thread.id).toMatch(/p012$/);
    expect(records.map(({ kind }: Json) => kind)).toEqual([
      ...['user', 'assistant', 'assistant', 'branch_summary', 'user', 'assistant'],
      ...['bash', 'compaction', 'notification', 'user', 'assistant'],
    ]);
    expect(records[3].summary).toBe('The other way added sage to plants.md.\nIt was not wanted.');
    expect(records[6]).toMatchObject({ command: 'ls', stdout: 'log.txt\nplants.md\n' });
    const verbose = jsonOf(fixture('pi-branches'), '--verbose');
    expect(verbose.records[2].annotations).toMatchObject([{ kind: 'label', uuid: expect.stringMatching(/p007$/) }]);
    expect(verbose.session.annotations.map(({ kind }: Json) => kind)).toEqual([
      'model_change',
      'thinking_level_change',
    ]);
  });

  test('P4 a kind nobody knows is told as it is', () => {
    const m = mark();
    const id = session([user(`${m}1`, null, 'x'), assistant(`${m}2`, `${m}1`, [{ type: 'hologram', size: 3 }])]);
    expect(jsonOf(id).records[1].blocks).toMatchObject([
      { type: 'unknown', name: 'hologram', json: { type: 'hologram', size: 3 } },
    ]);
  });

  test('P4 a session of 2,000 records is one valid document', () => {
    const m = mark();
    const lines = Array.from({ length: 1000 }, (_, i) => [
      user(`${m}u${i}`, i === 0 ? null : `${m}a${i - 1}`, `prompt ${i}`),
      assistant(`${m}a${i}`, `${m}u${i}`, `answer ${i}`),
    ]).flat();
    const { records, warnings } = jsonOf(session(lines));
    expect([records.length, records[1999].text, warnings]).toEqual([2000, 'answer 999', []]);
  });

  test('P4, P6 what acts on a terminal is escaped and means the same', () => {
    const id = session([user(`${mark()}1`, null, 'a\u001b[1m\u009b2J\u202eb')]);
    const { out } = show(id, '--as', 'json');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(JSON.parse(out).records[0].text).toBe('a\u001b[1m\u009b2J\u202eb');
  });
});

describe('P3 show --agent, --thread', () => {
  const tools = resolve('test/fixtures/claude-tools/session.jsonl');

  test('P4 one sub-agent in any form', () => {
    expect(show(tools, '--agent', 'a77').out).toContain('<Assistant> src/tax.ts:3 has 0.19');
    expect(jsonOf(tools, '--agent', 'a77')).toMatchObject({
      thread: null,
      agent: { agent_id: 'a77c1f0', tool_use_id: 't_agent' },
      records: [{ uuid: 's01', agent_id: 'a77c1f0' }, { uuid: 's02' }, { uuid: 's04' }],
    });
    expect(show(tools, '--agent', 'a77', '--file-order').out).toContain('<Assistant> src/tax.ts:3 has 0.19');
  });

  test('H15, H22 a thread by its first or last record', () => {
    expect(show(tools).out).not.toContain('write it anew');
    for (const id of ['k01', 'k22']) expect(show(tools, '--thread', id).out).toContain('write it anew');
    expect(show(tools, '--thread', 'k').err).toMatch(/^skein: Ambiguous thread 'k'\. Matches:\n/);
  });

  test('P4 markdown has one thread; html and outline have all branches, or the thread that is named', () => {
    const said = (...args: string[]) => {
      const { out } = show(tools, ...args);
      return ['write it anew', 'Frobnicate'].map((text) => out.includes(text));
    };
    expect(said('--as', 'markdown')).toEqual([false, true]);
    for (const form of ['html', 'outline']) expect(said('--as', form)).toEqual([true, true]);
    for (const form of ['markdown', 'html', 'outline'])
      expect(said('--as', form, '--thread', 'k22')).toEqual([true, false]);
  });

  test('P4 one sub-agent as markdown, html and outline', () => {
    for (const form of ['markdown', 'html', 'outline']) {
      const { out } = show(tools, '--as', form, '--agent', 'a77');
      expect(out).toContain('has 0.19');
      expect(out).not.toContain('Frobnicate');
    }
    const { root } = JSON.parse(show(tools, '--as', 'outline', '--agent', 'a77').out);
    expect(root.children.map(({ record_uuid, level }: Json) => [record_uuid, level])).toEqual([['s01', 1]]);
  });

  test.each([
    [['--agent', 'zzz'], "No sub-agent found matching 'zzz'", 1],
    [['--thread', 'zzz'], "No thread found matching 'zzz'", 1],
    [['--agent', 'a77', '--thread', 'k01'], '--agent and --thread exclude each other', 2],
    [['--follow', '--file-order'], '--follow and --file-order exclude each other', 2],
    [['--follow', '-o', 'x'], '--follow does not end and cannot write to a file: leave out --output', 2],
    [['--file-order', '--thread', 'k01'], '--file-order shows every thread of a file: leave out --thread', 2],
    [['--file-order', '--as', 'json'], '--file-order shows text only', 2],
  ])('P3 %j: %s', (args, message, code) => {
    expect(show(tools, ...args)).toEqual({ out: '', err: `skein: ${message}\n`, code });
  });

  test('P3 --json is --as json', () => {
    expect(show(tools, '--json')).toEqual(show(tools, '--as', 'json'));
  });

  test('P3 an unknown form, an unknown id, no id', () => {
    expect(show(tools, '--as', 'pdf')).toMatchObject({
      out: '',
      err: expect.stringMatching(
        /^skein: .*'pdf' is invalid.*text, markdown, html, json, chat, outline, messages.*\n$/,
      ),
      code: 2,
    });
    expect(show('zzz')).toEqual({ out: '', err: "skein: No session found matching 'zzz'\n", code: 1 });
    expect(show('./gone.jsonl')).toMatchObject({
      err: `skein: ${join(home.path, 'gone.jsonl')} does not exist\n`,
      code: 1,
    });
    expect(show()).toMatchObject({ out: '', err: expect.stringMatching(/^skein: Which session\? .*\n$/), code: 2 });
  });

  test('H12 a session of which only sub-agents are left says so; a single one is shown', () => {
    const lost = (id: string) => {
      const more = { isSidechain: true, agentId: id, sessionId: 'lost-session' };
      home.write(`${FOLDER}/agent-${id}.jsonl`, [
        user(`${id}1`, null, `look for ${id}`, more),
        assistant(`${id}2`, `${id}1`, 'seen', more),
      ]);
    };
    lost('c0ffee1');
    for (const what of ['lost-session', `${FOLDER}/agent-c0ffee1.jsonl`])
      expect(show(what).out).toContain('<User> look for c0ffee1\n');
    lost('c0ffee2');
    expect(show('lost-session')).toEqual({
      out: '',
      err: 'skein: Session lost-session has no thread; of it only sub-agents are left (--agent): c0ffee1, c0ffee2\n',
      code: 1,
    });
    expect(show('lost-session', '--agent', 'c0ffee2').out).toContain('look for c0ffee2');
  });
});

describe('H17 show --file-order', () => {
  test('H17 both branches in the order of the file, a broken line, and what is hidden', () => {
    const m = mark();
    const lines = [
      user(`${m}1`, null, 'start'),
      assistant(`${m}2`, `${m}1`, 'ok'),
      user(`${m}3`, `${m}2`, 'one way'),
      attachment(`${m}4`, `${m}3`, { type: 'hook_success' }),
      attachment(`${m}5`, `${m}4`, { type: 'skill_listing' }),
      user(`${m}6`, `${m}2`, 'another way'),
      { type: 'ai-title', aiTitle: 'A title', sessionId: 's' },
    ].map((line) => JSON.stringify(line));
    const id = session(`${lines.slice(0, 6).join('\n')}\n{"broken\n${lines[6]}\n`);
    const { out } = show(id, '--file-order');
    const said = [...out.matchAll(/^(?:\[.{16}\] )?(<.*)/gm)].map(([, text]) => text);
    expect(said).toEqual([
      '<User> start',
      '<Assistant> ok',
      '<User> one way',
      '<User> another way',
      expect.stringMatching(/^<Unreadable> line 7: .*\{"broken/),
    ]);
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      '3 records hidden (2 attachment, 1 ai-title); use --verbose to show them',
    );
    const verbose = show(id, '--file-order', '--verbose').out;
    expect(verbose.match(/^ {2}· (attachment|ai-title): /gm)).toHaveLength(3);
    expect(verbose).not.toContain('hidden');
  });

  test('H17 one hidden record is one', () => {
    const m = mark();
    const { out } = show(
      session([user(`${m}1`, null, 'x'), system(`${m}2`, `${m}1`, 'turn_duration')]),
      '--file-order',
    );
    expect(out).toContain('\n1 record hidden (1 system/turn_duration); use --verbose to show it\n');
  });

  test('H17 the file that is named, also when it continues another', () => {
    const m = mark();
    const first = session([user(`${m}1`, null, 'begin'), assistant(`${m}2`, `${m}1`, 'ok')]);
    const second = session([user(`${m}3`, `${m}2`, 'go on')]);
    for (const name of [second, `${FOLDER}/${second}.jsonl`, `./${FOLDER}/../-r/${second}.jsonl`]) {
      expect(show(name).out).toContain('begin');
      expect(show(name, '--file-order').out).toMatch(/^\[.{16}\] <User> go on\n$/);
    }
    expect(show(first, '--file-order').out).not.toContain('go on');
  });
});

describe('H21 show --verbose', () => {
  test('H21, H1 thinking, hidden thinking, annotations and whole outputs', () => {
    const m = mark();
    const id = session([
      system(`${m}0`, null, 'informational', { content: 'before all' }),
      user(`${m}1`, null, 'go'),
      assistant(`${m}2`, `${m}1`, [{ type: 'thinking', thinking: 'well', signature: 'x' }], { id: `${m}A` }),
      assistant(`${m}3`, `${m}2`, [{ type: 'thinking', thinking: '', signature: 'x' }], { id: `${m}A` }),
      assistant(`${m}4`, `${m}3`, [toolUse(`${m}T`, 'Bash', { command: 'a\nb' })], { id: `${m}A` }),
      user(`${m}5`, `${m}4`, [toolResult(`${m}T`, '1\n2\n3\n4\n5')]),
      system(`${m}6`, `${m}5`, 'informational', { content: 'after the call' }),
    ]);
    const plain = show(id).out;
    expect(plain).toMatch(/Bash\(a…\)\n {2}⎿ {2}1\n {5}2\n {5}3\n {5}… \+2 lines\n$/);
    expect(plain).not.toMatch(/💭|hidden|informational/);
    const verbose = show(id, '--verbose').out.replace(/^\[.{16}\] /gm, '');
    expect(verbose).toBe(`  · system/informational: before all

<User> go

<Assistant> 💭 well
<Assistant> 💭 thinking (hidden)
<Assistant> Bash(a
     b)
  ⎿  1
     2
     3
     4
     5
  · system/informational: after the call
`);
  });
});

test('H6, H21 a command that is skipped is named when verbose', () => {
  const m = mark();
  const id = session([
    user(`${m}1`, null, 'x'),
    command(`${m}2`, `${m}1`, '/context', 'all'),
    user(`${m}3`, `${m}2`, 'y'),
  ]);
  expect(show(id).out).not.toContain('/context');
  expect(show(id, '--verbose').out).toContain('<User> x\n  · built_in_command: /context all\n');
});

test('H3 a result that lies beside the log is shown whole', () => {
  const m = mark();
  const saved =
    '<persisted-output>\nOutput too large. Full output saved to: /elsewhere/x.txt\n\nPreview:\nabc\n</persisted-output>';
  const id = session([
    assistant(`${m}1`, null, [toolUse(`${m}T`, 'Bash', { command: 'cat' })]),
    user(`${m}2`, `${m}1`, [toolResult(`${m}T`, saved)], {
      toolUseResult: { stdout: 'abc', stderr: '', persistedOutputPath: '/elsewhere/x.txt' },
    }),
  ]);
  home.write(`${FOLDER}/${id}/tool-results/x.txt`, 'a\nb\nc\nd\ne\n');
  expect(show(id).out).toMatch(/Bash\(cat\)\n {2}⎿ {2}a\n {5}b\n {5}c\n {5}… \+2 lines\n$/);
  expect(show(id, '--verbose').out).toMatch(/⎿ {2}a\n {5}b\n {5}c\n {5}d\n {5}e\n$/);
});

describe('P3 show -o', () => {
  test('P3 the file has what would have been printed, and only its owner may read it', () => {
    const id = session([user(`${mark()}1`, null, 'x')]);
    const file = join(home.path, 'out.txt');
    expect(show(id, '-o', file)).toEqual({ out: '', err: '', code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(show(id).out);
    show(id, '-o', file, '--as', 'json');
    expect(JSON.parse(readFileSync(file, 'utf8')).records).toHaveLength(1);
    expect(show(id, '-o', join(home.path, 'no/such/folder'))).toMatchObject({
      err: expect.stringMatching(/^skein: .*no\/such\/folder cannot be written \(ENOENT\)\n$/),
      code: 2,
    });
  });

  test('P6 a log of an agent is never written to, by whatever name', () => {
    const id = session([user(`${mark()}1`, null, 'x')]);
    const other = home.write('.claude/projects/-other/o.jsonl', [user('other', null, 'y', { cwd: '/other' })]);
    const own = join(home.path, FOLDER, `${id}.jsonl`);
    symlinkSync(own, join(home.path, 'soft.txt'));
    linkSync(own, join(home.path, 'hard.txt'));
    const lone = home.write('lone.jsonl', [user('lone', null, 'z')]);
    const before = [own, other, lone].map((path) => readFileSync(path, 'utf8'));
    for (const [what, path] of [
      [id, own],
      [id, other],
      [id, 'soft.txt'],
      [id, 'hard.txt'],
      [lone, lone],
      [lone, own],
    ] as const)
      expect(show(what, '-o', path)).toEqual({
        out: '',
        err: `skein: ${path} is a log of an agent; Skein does not write to it\n`,
        code: 2,
      });
    expect([own, other, lone].map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  });
});

describe('P3 show --follow', () => {
  /** What is printed while lines are added to a log. */
  async function following(
    id: string,
    act: (shows: (wanted: string) => Promise<void>) => Promise<void>,
    ...args: string[]
  ) {
    const child = spawn(process.execPath, [BIN, 'show', id, '--follow', ...args], { env: home.env });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    const ended = new Promise<NodeJS.Signals | number | null>((done) =>
      child.on('exit', (code, signal) => done(signal ?? code)),
    );
    const shows = async (wanted: string): Promise<void> => {
      for (const end = Date.now() + 10_000; !out.includes(wanted); await sleep(20))
        if (Date.now() > end) throw new Error(`Never shown: ${wanted}\n${out}${err}`);
    };
    try {
      await act(shows);
    } finally {
      child.kill('SIGINT');
    }
    return { end: await ended, err, out: out.replace(/^\[.{16}\] /gm, '') };
  }

  test('P3 what is added appears once, results under their call, half a line is waited for', async () => {
    const m = mark();
    const id = session([user(`${m}1`, null, 'begin')]);
    const file = join(home.path, FOLDER, `${id}.jsonl`);
    const add = (...lines: readonly object[]): void =>
      appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { end, err, out } = await following(id, async (shows) => {
      await shows('begin');
      add(assistant(`${m}2`, `${m}1`, 'I read two files', { id: `${m}A` }));
      add(assistant(`${m}3`, `${m}2`, [toolUse(`${m}R`, 'Read', { file_path: 'a.txt' })], { id: `${m}A` }));
      await shows('Read(a.txt)');
      add(assistant(`${m}4`, `${m}3`, [toolUse(`${m}S`, 'Read', { file_path: 'b.txt' })], { id: `${m}A` }));
      await shows('Read(b.txt)');
      add(user(`${m}5`, `${m}4`, [toolResult(`${m}S`, 'result of b')]));
      await shows('result of b');
      add(user(`${m}6`, `${m}3`, [toolResult(`${m}R`, 'result of a')]));
      await shows('result of a');
      const line = `${JSON.stringify(assistant(`${m}7`, `${m}6`, 'the end ä'))}\n`;
      const bytes = Buffer.from(line);
      const cut = bytes.indexOf('ä') + 1;
      appendFileSync(file, bytes.subarray(0, cut));
      await sleep(400);
      appendFileSync(file, bytes.subarray(cut));
      await shows('the end');
    });
    expect({ end, err }).toEqual({ end: 'SIGINT', err: '' });
    expect(out).toBe(`<User> begin

<Assistant> I read two files
<Assistant> Read(a.txt)
<Assistant> Read(b.txt)
  ⎿  result of b

<Assistant> Read(a.txt)
  ⎿  result of a

<Assistant> the end ä
`);
  });

  test('P3 a file that is replaced is read anew', async () => {
    const name = '.pi/agent/sessions/--r--/2026-01-01T00-00-00-000Z_follow.jsonl';
    const file = home.write(name, [piHeader('follow'), piUser('e1', null, 'hello Pi')]);
    const { out, err } = await following('follow', async (shows) => {
      await shows('hello Pi');
      appendFileSync(file, `${JSON.stringify(piAssistant('e2', 'e1', 'hello you'))}\n`);
      await shows('hello you');
      home.write(name, [piHeader('follow'), piUser('e9', null, 'from new')]);
      await shows('from new');
    });
    expect(out).toBe('<User> hello Pi\n\n<Assistant> hello you\n\n<User> from new\n');
    expect(err).toBe('skein: a file of follow was replaced; it is read anew\n');
  });

  const told = (m: string, count: number): string =>
    Array.from(
      { length: count },
      (_, i) => `${JSON.stringify(user(`${m}${i}`, i === 0 ? null : `${m}${i - 1}`, `${m} says ${i}.`))}\n`,
    ).join('');
  const replaced: readonly (readonly [string, number, boolean, (file: string, text: string) => void])[] = [
    ['written again and shorter', 4, false, writeFileSync],
    ['written again and longer', 20, false, writeFileSync],
    [
      'deleted and made again',
      6,
      false,
      (file, text) => {
        rmSync(file);
        writeFileSync(file, text);
      },
    ],
    [
      'replaced by rename with a longer one',
      20,
      false,
      (file, text) => {
        writeFileSync(`${file}.new`, text);
        renameSync(`${file}.new`, file);
      },
    ],
    ['written again with the same ids', 20, true, writeFileSync],
  ];
  test.each(replaced)(
    'attack C3 a file that is %s: what is in it now is printed, all of it and nothing else',
    async (_, count, sameIds, replace) => {
      const m = mark();
      const id = session(
        told(m, 6)
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
      const file = join(home.path, FOLDER, `${id}.jsonl`);
      const now = sameIds ? told(m, count).replaceAll(' says ', ' repeats ') : told(`${m}x`, count);
      const texts = (text: string): string[] => text.match(/[\w-]+ (?:says|repeats) \d+\./g) ?? [];
      const { out, err } = await following(id, async (shows) => {
        await shows(`${m} says 5.`);
        replace(file, now);
        await shows(texts(now).at(-1) ?? '');
      });
      expect(texts(out)).toEqual([...texts(told(m, 6)), ...texts(now)]);
      expect(err).toBe(`skein: a file of ${id} was replaced; it is read anew\n`);
    },
  );

  test('attack C3 replaced by rename with itself and more, only what is more is printed', async () => {
    const m = mark();
    const id = session([user(`${m}0`, null, 'begin')]);
    const file = join(home.path, FOLDER, `${id}.jsonl`);
    const { out, err } = await following(id, async (shows) => {
      await shows('begin');
      writeFileSync(
        `${file}.new`,
        `${readFileSync(file, 'utf8')}${JSON.stringify(user(`${m}1`, `${m}0`, 'goes on'))}\n`,
      );
      renameSync(`${file}.new`, file);
      await shows('goes on');
    });
    expect([out, err]).toEqual(['<User> begin\n\n<User> goes on\n', '']);
  });
});

describe('P3 where the output goes', () => {
  test.skipIf(!existsSync('/dev/full'))('P3 a full disk is an error of one line', () => {
    const id = session([user(`${mark()}1`, null, 'x')]);
    expect(show(id, '-o', '/dev/full')).toEqual({
      out: '',
      err: 'skein: /dev/full cannot be written (ENOSPC)\n',
      code: 2,
    });
    const run = spawnSync('bash', ['-c', `"$0" "$1" show ${id} > /dev/full`, process.execPath, BIN], {
      encoding: 'utf8',
      env: home.env,
    });
    expect([run.stderr, run.status]).toEqual(['skein: the output cannot be written (ENOSPC)\n', 2]);
  });

  test('P3 `skein show … | head -1` is quiet and ok', () => {
    const m = mark();
    const lines = Array.from({ length: 3000 }, (_, i) =>
      user(`${m}${i}`, i === 0 ? null : `${m}${i - 1}`, `line ${i} ${'x'.repeat(100)}`),
    );
    const id = session(lines);
    const script = `"$0" "$1" show ${id} | head -1; echo "\${PIPESTATUS[@]}"`;
    const run = spawnSync('bash', ['-c', script, process.execPath, BIN], { encoding: 'utf8', env: home.env });
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^\[.{16}\] <User> line 0 x+\n0 0\n$/);
  });
});
