import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/index.ts';
import { projects } from '../kit/random-project.ts';
import { backends, find, findSlowly, idsOf, SESSION, writeRoot } from '../kit/search-backends.ts';
import { assistant, type Files, summary, toolResult, toolUse, user } from '../kit/transcript.ts';

describe.each(backends)('M13 with %s everything that was said and done is found:', (_, withSearch) => {
  /** What each query finds. */
  const ask = async (files: Files, ...queries: readonly string[]): Promise<string[][]> =>
    withSearch([writeRoot(files)], async (search) => {
      const found: string[][] = [];
      for (const query of queries) {
        const answer = await find(search, query);
        expect(answer.total).toBe(answer.hits.length);
        found.push(idsOf(answer));
      }
      return found;
    });

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
    expect(await ask({ '-r/s9.jsonl': SESSION }, query)).toEqual([expected]);
  });

  test('what stands in blocks that nobody knows', async () => {
    const files = {
      '-r/s.jsonl': [
        user('u1', null, [
          { type: 'document', title: 'walrus', source: { type: 'base64', data: 'oyster' } },
          { type: 'document', source: { type: 'text', data: 'a sea otter' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/heron.png' } },
        ]),
        assistant('a1', 'u1', [
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'narwhal tusk' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [{ title: 'beluga', encrypted_content: 'krill' }],
          },
          { type: 'mcp_tool_use', id: 'm1', name: 'look', input: { at: 'puffin' } },
          { type: 'mcp_tool_result', tool_use_id: 'm1', content: [{ type: 'text', text: 'guillemot' }] },
          { type: 'tool_use', name: 'Read', input: { file_path: '/kittiwake' } },
        ]),
        user('r1', 'a1', [{ type: 'tool_result', content: 'a gannet without an id' }]),
        user('u2', 'r1', [toolUse('T', 'Read', { file_path: '/fulmar' })]),
        assistant('a2', 'u2', [toolResult('T', 'petrel')]),
      ],
    };
    const found = await ask(
      files,
      ...['walrus', 'oyster', '"sea otter"', 'has:image', 'narwhal', 'beluga', 'krill', 'puffin', 'guillemot'],
      ...['kittiwake', 'gannet', '"gannet without" type:tool_result', 'fulmar', 'petrel'],
    );
    expect(found).toEqual([
      ...[['u1'], [], ['u1'], ['u1'], ['a1'], ['a1'], [], ['a1'], ['a1']],
      ...[['a1'], ['r1_result_0'], ['r1_result_0'], ['u2'], ['a2']],
    ]);
  });

  test('words with a colon, as they stand', async () => {
    const files = {
      '-r/s.jsonl': [
        user('u1', null, "import { open } from 'node:fs/promises'"),
        user('u2', 'u1', 'node fs, node: fs and node:fsevents; a: b'),
        user('u3', 'u2', 'std::vector<int> at http://localhost:3000/a, Session::new, a:b'),
      ],
    };
    expect(
      await ask(
        files,
        ...['node:fs', 'NODE:fs', '"node:fs"', 'node:fs*', 'node:fs/promises', 'std::vector', 'std:vector'],
        ...['http://localhost:3000', 'localhost:3000', 'localhost:300', 'session::new', 'a:b', 'node:fs -a:b'],
        ...['-node:fs', 'node:fs OR a:b', 'type:prompt node:fs', 'node:'],
      ),
    ).toEqual([
      ...[['u1'], ['u1'], ['u1'], ['u1', 'u2'], ['u1'], ['u3'], []],
      ...[['u3'], ['u3'], [], ['u3'], ['u3'], ['u1']],
      ...[['u2', 'u3'], ['u1', 'u3'], ['u1'], ['u1', 'u2']],
    ]);
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
    expect(await ask(files, 'walrus is:subagent', 'walrus -is:subagent')).toEqual([
      ['b1', 'b2'],
      ['a1_result_0', 'a1_tool_0'],
    ]);
  });

  test('titles that stand nowhere else lead to the first message; a title taken from a prompt is one hit', async () => {
    const files = {
      '-r/s.jsonl': [
        user('u1', null, 'Hello there'),
        assistant('a1', 'u1', 'Yes?'),
        summary('a1', 'Repair of the orrery'),
      ],
      '-q/t.jsonl': [user('v1', null, 'Another astrolabe')],
    };
    const found = await ask(files, 'orrery', 'orrery hello', '"there repair"', 'orrery type:assistant', 'astrolabe');
    expect(found).toEqual([['u1'], ['u1'], [], [], ['v1']]);
  });

  test('results that were too long for the log', async () => {
    const saved =
      '<persisted-output>\nOutput too large (60KB). Full output saved to: /x/s/tool-results/out1.txt\n\nPreview:\nfirst\n</persisted-output>';
    const files = {
      '-r/s.jsonl': [
        user('u1', null, 'Run'),
        assistant('a1', 'u1', [toolUse('T', 'Bash')]),
        user('r1', 'a1', [toolResult('T', saved)]),
      ],
      '-r/s/tool-results/out1.txt': `${'line\n'.repeat(1000)}\u001b[1mhippo\u001b[0mgriff at the end`,
    };
    expect(await ask(files, 'hippogriff', '"hippogriff at"', 'unicorn')).toEqual([
      ['a1_result_0'],
      ['a1_result_0'],
      [],
    ]);
  });

  test('filters alone list the newest first, to the millisecond; then ids decide, then projects', async () => {
    const at = (ms: number) => ({ timestamp: new Date(Date.UTC(2026, 4, 1, 12, 0, 0, ms)).toISOString() });
    const lines = (cwd: string) => [
      user('c', null, 'one', { cwd, ...at(100) }),
      user('a', 'c', 'two', { cwd, ...at(999) }),
      user('d', 'a', 'three', { cwd, ...at(100) }),
      assistant('b', 'd', [toolUse('T', 'Bash'), toolUse('U', 'Read')], { cwd, ...at(500) }),
      user('e', 'b', [toolResult('T', 'ok')], { cwd, ...at(501) }),
      user('f', 'e', 'four', { cwd, ...at(1000) }),
    ];
    const root = writeRoot({ '-q/t.jsonl': lines('/q'), '-r/s.jsonl': lines('/r') });
    const orders = await withSearch([root], async (search) => {
      const order = async (query: string, limit: number) =>
        (await search.search({ clause: parseQuery(query), limit })).hits.map(
          ({ uuid, project }) => uuid + project.path,
        );
      return [await order('type:prompt', 100), await order('type:prompt', 4), await order('type:tool', 100)];
    });
    const prompts = ['f/q', 'f/r', 'a/q', 'a/r', 'c/q', 'c/r', 'd/q', 'd/r'];
    const tools = ['b_result_0', 'b_tool_0', 'b_tool_1'].flatMap((uuid) => [`${uuid}/q`, `${uuid}/r`]);
    expect(orders).toEqual([prompts, prompts.slice(0, 4), tools]);
  });

  test('whatever the logs look like, the same as when every message is looked at', async () => {
    const words = [
      'ok',
      'u*',
      'the',
      '"a b"',
      'Read',
      'is:error',
      'type:tool',
      '-ok',
      'is:subagent',
      'file:a.ts',
      's*',
    ];
    await fc.assert(
      fc.asyncProperty(projects, fc.subarray(words, { minLength: 1, maxLength: 2 }), async (project, chosen) => {
        const files = Object.entries(project.files).map(([name, content]) => [`-r/${name}`, content]);
        const root = writeRoot(Object.fromEntries(files), project.format === 'pi' ? 'sessions' : 'projects');
        const query = chosen.join(' ');
        const found = await withSearch([root], (search) => find(search, query));
        expect(idsOf(found)).toEqual(findSlowly(root, query));
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 40) },
    );
  }, 60_000);
});
