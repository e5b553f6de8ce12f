import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projects } from '../kit/random-project.ts';
import { backends, find, findSlowly, idsOf, writeRoot } from '../kit/search-backends.ts';
import { assistant, summary, toolResult, toolUse, user } from '../kit/transcript.ts';

const SESSION = [
  user('u1', null, 'Fix the Café clock', { cwd: '/r', gitBranch: 'fix/clock' }),
  assistant('a1', 'u1', [
    { type: 'thinking', thinking: 'Perhaps the tourbillon is stuck.' },
    { type: 'text', text: 'I look at parse_zebra_quux.' },
    toolUse('T1', 'Read', { file_path: 'src/clock.ts', limit: 4711 }),
    toolUse('T2', 'Bash', { command: 'grep -rn HTTPServer src', nested: [{ note: 'deepNote' }] }),
  ]),
  user('r1', 'a1', [toolResult('T1', [{ type: 'text', text: 'export const tick = 1; // 日本語' }])]),
  user('r2', 'a1', [toolResult('T2', 'grep: \u001b[31mperm\u001b[0mission denied', true)]),
  assistant('a2', 'r2', 'Written in C++ now.'),
];

describe.each(backends)('M13 with %s everything that was said and done is found:', (_, open) => {
  test.each([
    ['clock', ['a1_tool_0', 'u1']],
    ['cafe', ['u1']],
    ['tourbillon', ['a1']],
    ['zebra', ['a1']],
    ['parse_zebra_quux', ['a1']],
    ['4711', ['a1_tool_0']],
    ['deepNote', ['a1_tool_1']],
    ['note', ['a1_tool_1']],
    ['httpserver', ['a1_tool_1']],
    ['server', ['a1_tool_1']],
    ['src/clock.ts', ['a1_tool_0']],
    ['tick', ['a1_result_0']],
    ['日本', ['a1_result_0']],
    ['permission', ['a1_result_1']],
    ['"permission denied"', ['a1_result_1']],
    ['c++', ['a2']],
    ['file_path', []],
    ['is:error', ['a1_result_1']],
    ['tool:Bash', ['a1_result_1', 'a1_tool_1']],
    ['file:src/clock.ts', ['a1_result_0', 'a1_tool_0']],
    ['file:/r/src/clock.ts type:tool_use', ['a1_tool_0']],
    ['branch:fix/clock type:user', ['u1']],
    ['model:claude type:assistant', ['a1', 'a2']],
    ['agent:pi', []],
    ['project:/r clock -src', ['u1']],
    ['project:tower', []],
    ['session:s9 cafe', ['u1']],
  ])('%s finds %j', async (query, expected) => {
    const found = await find(await open([writeRoot({ '-r/s9.jsonl': SESSION })]), query);
    expect(idsOf(found)).toEqual(expected);
    expect(found.total).toBe(expected.length);
  });

  test('what sub-agents said, with is:subagent', async () => {
    const files = {
      '-r/s.jsonl': [
        user('u1', null, 'Ask a scout'),
        assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'Look for walrus' })]),
        user('r1', 'a1', [toolResult('T', 'walrus found')], { toolUseResult: { agentId: 'abc1' } }),
      ],
      '-r/s/subagents/agent-abc1.jsonl': [
        user('b1', null, 'Look for walrus', { isSidechain: true, agentId: 'abc1' }),
        assistant('b2', 'b1', 'A walrus is here.', { isSidechain: true, agentId: 'abc1' }),
      ],
    };
    expect(idsOf(await find(await open([writeRoot(files)]), 'walrus is:subagent'))).toEqual(['b1', 'b2']);
    expect(idsOf(await find(await open([writeRoot(files)]), 'walrus -is:subagent'))).toEqual([
      'a1_result_0',
      'a1_tool_0',
    ]);
  });

  test('titles that stand nowhere else lead to the first message; a title taken from a prompt is one hit', async () => {
    const search = await open([
      writeRoot({
        '-r/s.jsonl': [
          user('u1', null, 'Hello there'),
          assistant('a1', 'u1', 'Yes?'),
          summary('a1', 'Repair of the orrery'),
        ],
        '-q/t.jsonl': [user('v1', null, 'Another astrolabe')],
      }),
    ]);
    expect(await find(search, 'orrery')).toMatchObject({
      total: 1,
      hits: [{ uuid: 'u1', sessionTitle: 'Repair of the orrery' }],
    });
    expect(idsOf(await find(search, 'orrery hello'))).toEqual(['u1']);
    expect(idsOf(await find(search, '"there repair"'))).toEqual([]);
    expect(idsOf(await find(search, 'astrolabe'))).toEqual(['v1']);
  });

  test('results that were too long for the log', async () => {
    const saved =
      '<persisted-output>\nOutput too large (60KB). Full output saved to: /x/s/tool-results/out1.txt\n\nPreview:\nfirst\n</persisted-output>';
    const search = await open([
      writeRoot({
        '-r/s.jsonl': [
          user('u1', null, 'Run'),
          assistant('a1', 'u1', [toolUse('T', 'Bash')]),
          user('r1', 'a1', [toolResult('T', saved)]),
        ],
        '-r/s/tool-results/out1.txt': `${'line\n'.repeat(1000)}\u001b[1mhippo\u001b[0mgriff at the end`,
      }),
    ]);
    expect(idsOf(await find(search, 'hippogriff'))).toEqual(['a1_result_0']);
    expect(idsOf(await find(search, 'unicorn'))).toEqual([]);
  });

  test('whatever the logs look like, the same as when every message is looked at', async () => {
    const word = fc.constantFrom(
      'ok',
      'u*',
      'the',
      '"a b"',
      'Read',
      'is:error',
      'type:tool',
      '-ok',
      'is:subagent',
      'x OR y',
      'file:a.ts',
      's*',
    );
    await fc.assert(
      fc.asyncProperty(projects, fc.array(word, { minLength: 1, maxLength: 2 }), async ({ files, format }, words) => {
        fc.pre(format !== 'pi');
        const root = writeRoot(
          Object.fromEntries(Object.entries(files).map(([name, content]) => [`-r/${name}`, content])),
        );
        const query = words.join(' ');
        expect(idsOf(await find(await open([root]), query))).toEqual(findSlowly(root, query));
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
