import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { History } from '../../src/history/index.ts';
import { findNeedle } from '../../src/history/scan/find-needle.ts';
import { scanBytes } from '../../src/history/scan/scan-bytes.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { stripEscapes } from '../../src/model/index.ts';
import { matcherOf, parseQuery, type Wanted } from '../../src/search/index.ts';
import { idsOf, type Searching, searchRoots } from '../kit/search-folder.ts';
import { searched } from '../kit/searched.ts';
import { tempFolder } from '../kit/temp.ts';
import { assistant, summary, toolResult, toolUse, user } from '../kit/transcript.ts';

function searchIn(files: Readonly<Record<string, readonly object[] | string>>, threads = 0): Searching {
  const root = join(tempFolder(), 'projects');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const text = typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(root, name), text);
  }
  return searchRoots([root], { threads });
}

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

describe('M13 everything that was said and done is found', () => {
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
    const found = await searchIn({ '-r/s9.jsonl': SESSION }).find(query);
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
    expect(idsOf(await searchIn(files).find('walrus is:subagent'))).toEqual(['b1', 'b2']);
    expect(idsOf(await searchIn(files).find('walrus -is:subagent'))).toEqual(['a1_result_0', 'a1_tool_0']);
  });

  test('titles that stand nowhere else lead to the first message; a title taken from a prompt is one hit', async () => {
    const search = searchIn({
      '-r/s.jsonl': [
        user('u1', null, 'Hello there'),
        assistant('a1', 'u1', 'Yes?'),
        summary('a1', 'Repair of the orrery'),
      ],
      '-q/t.jsonl': [user('v1', null, 'Another astrolabe')],
    });
    expect(await search.find('orrery')).toMatchObject({
      total: 1,
      hits: [{ uuid: 'u1', sessionTitle: 'Repair of the orrery' }],
    });
    expect(idsOf(await search.find('orrery hello'))).toEqual(['u1']);
    expect(idsOf(await search.find('"there repair"'))).toEqual([]);
    expect(idsOf(await search.find('astrolabe'))).toEqual(['v1']);
  });

  test('results that were too long for the log', async () => {
    const saved =
      '<persisted-output>\nOutput too large (60KB). Full output saved to: /x/s/tool-results/out1.txt\n\nPreview:\nfirst\n</persisted-output>';
    const search = searchIn({
      '-r/s.jsonl': [
        user('u1', null, 'Run'),
        assistant('a1', 'u1', [toolUse('T', 'Bash')]),
        user('r1', 'a1', [toolResult('T', saved)]),
      ],
      '-r/s/tool-results/out1.txt': `${'line\n'.repeat(1000)}\u001b[1mhippo\u001b[0mgriff at the end`,
    });
    expect(idsOf(await search.find('hippogriff'))).toEqual(['a1_result_0']);
    expect(idsOf(await search.pattern('substring', 'hippogriff at'))).toEqual(['a1_result_0']);
    expect(idsOf(await search.find('unicorn'))).toEqual([]);
  });
});

describe('M14 substring and regex go through the bytes', () => {
  test.each([
    ['substring', 'parse_ZEBRA', ['a1']],
    ['substring', 'ebra_qu', ['a1']],
    ['substring', 'permission d', ['a1_result_1']],
    ['substring', '本', ['a1_result_0']],
    ['substring', 'é', ['u1']],
    ['substring', '; //', ['a1_result_0']],
    ['substring', 'nothing of this', []],
    ['regex', 'z[e]bra_\\w+', ['a1']],
    ['regex', '^grep', ['a1_result_1', 'a1_tool_1']],
    ['regex', '\\bC\\+\\+', ['a2']],
  ] as const)('%s %s finds %j', async (as, text, expected) => {
    expect(idsOf(await searchIn({ '-r/s9.jsonl': SESSION }).pattern(as, text))).toEqual(expected);
  });

  test('threads find the same', async () => {
    const files = { '-r/s9.jsonl': SESSION, '-q/t.jsonl': [user('v1', null, 'Another clock')] };
    for (const query of ['clock', 'is:error', '"permission denied"'])
      expect(await searchIn(files, 2).find(query)).toEqual(await searchIn(files).find(query));
  });

  test('a search can be given up, and an expression that does not end is', async () => {
    const root = join(tempFolder(), 'projects');
    mkdirSync(join(root, '-r'), { recursive: true });
    writeFileSync(join(root, '-r/s.jsonl'), `${JSON.stringify(user('u1', null, `${'a'.repeat(60)}!`))}\n`);
    const search = new ScanSearch(History.open({ roots: [root] }).projects);
    const endless = { clause: null, pattern: { as: 'regex', text: '(a|aa)+$' }, limit: 10 } as const;
    const controller = new AbortController();
    const given = search.search(endless, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 300);
    await expect(given).rejects.toThrow('enough');
    await expect(search.search(endless)).rejects.toThrow('The expression takes too long on one of the messages');
  }, 30_000);
});

describe('M14 no line that matches is passed over for its bytes', () => {
  const part = fc.constantFrom(
    ...[
      'red',
      'FOX',
      'Zebra',
      ' ',
      '\n',
      '/',
      '"',
      '\\',
      '\u001b[31m',
      '\u001b[0m',
      '\u001b]0;t\u0007',
      'é',
      'e\u0301',
      '日本',
      '語',
      '<',
      '\u212a',
      'ß',
      '👩',
      '\u0001',
      'c++',
    ],
  );
  const text = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
  const wanted = fc.oneof(
    fc
      .constantFrom('red', 'zebra*', '"red fox"', 'é', '日本', 'c++', 'red fox', 'red OR 語', 'k*', 'red -fox', '-fox')
      .map((query): Wanted => ({ clause: parseQuery(query) })),
    text
      .filter((each) => each !== '')
      .map((each): Wanted => ({ clause: null, pattern: { as: 'substring', text: each } })),
    fc
      .constantFrom('r[e]d', 'redx?', 'fox+', '(?i)zebra', 'a|b', '\\x72ed', 'é+', '(?:red)?fox')
      .map((each): Wanted => ({ clause: null, pattern: { as: 'regex', text: each } })),
  );
  const escapes = [
    (json: string) => json,
    (json: string) =>
      json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    (json: string) =>
      json
        .replace(/[a-z](?=[a-z]*")/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`)
        .replace('\\u0074ext', 'text'),
  ];

  test('whatever is escaped, coloured or accented', () => {
    fc.assert(
      fc.property(
        wanted,
        text,
        fc.constantFrom(...escapes),
        fc.integer({ min: 1, max: 40 }),
        (asked, given, escaped, size) => {
          const needle = findNeedle(asked);
          // As `searchText` gives it: without colours.
          const plain = stripEscapes(given);
          if (!needle || !matcherOf(asked).matches(searched(plain))) return;
          const bytes = Buffer.from(`{"x":1}\n${escaped(JSON.stringify({ text: given }))}\n{"y":2}\n`);
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          const end = bytes.length - 8;
          expect(scanBytes(needle)(pieces).some((place) => place >= 8 && place < end)).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
