import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderResult } from '../../../src/views/text/render-result.ts';
import { anyJson, CONTROL, call, result } from './blocks.ts';

type Parts = Parameters<typeof result>[0];
type Call = ReturnType<typeof call>;

const plain = (parts: Parts, of: Call | null = null): string => renderResult(result(parts), of, { verbose: false });
const verbose = (parts: Parts, of: Call | null = null): string => renderResult(result(parts), of, { verbose: true });
const hunk = (newStart: unknown, ...lines: string[]): unknown => ({ oldStart: 1, newStart, lines });

describe('H21 an edit', () => {
  test('H21 counts its lines and shows them with their numbers', () => {
    const structuredPatch = [hunk(1, ' context', '-r1', '-r2', ' ', '+x', '+y', '+z')];
    const text = `Removed 2 lines, added 3 lines
   1    context
     -  r1
     -  r2
   2
   3 +  x
   4 +  y
   5 +  z`;
    expect(plain({ detail: { filePath: '/r/a', structuredPatch } })).toBe(text);
    expect(verbose({ detail: { filePath: '/r/a', structuredPatch } })).toBe(text);
  });

  test.each([
    [[hunk(9, '+a')], 'Added 1 line\n   9 +  a'],
    [[hunk(9, '-a')], 'Removed 1 line\n     -  a'],
    [[hunk(9, '-\ta  '), hunk(12345, '+\tb\r')], 'Removed 1 line, added 1 line\n     -  \ta\n12345 +  \tb'],
    [
      [hunk('9', '+a', '\\ No newline at end of file')],
      'Added 1 line\n   1 +  a\n        \\ No newline at end of file',
    ],
    [[hunk(1, ' a')], 'No changes'],
    [[], 'No changes'],
    [null, 'No changes'],
    [[null, 5, { lines: 'x' }, { lines: [7] }], 'No changes'],
  ])('H21 %j', (structuredPatch, expected) => {
    expect(plain({ detail: { structuredPatch } })).toBe(expected);
  });

  test('H21 a long line of a diff is cut, verbose not', () => {
    const detail = { structuredPatch: [hunk(1, `+${'x'.repeat(1e6)}`)] };
    expect(plain({ detail })).toBe(`Added 1 line\n   1 +  ${'x'.repeat(492)}…`);
    expect(verbose({ detail })).toHaveLength('Added 1 line\n   1 +  '.length + 1e6);
  });

  test.each([
    ['a\nb\nc\n', 'Wrote 3 lines', 'Wrote 3 lines\na\nb\nc'],
    ['a', 'Wrote 1 line', 'Wrote 1 line\na'],
    ['', 'Wrote 0 lines', 'Wrote 0 lines'],
  ])('H21 a new file %j', (content, short, whole) => {
    const detail = { type: 'create', filePath: '/r/a', content, structuredPatch: [] };
    expect(plain({ detail })).toBe(short);
    expect(verbose({ detail })).toBe(whole);
    expect(plain({ output: 'File created' }, call('Write', { content }))).toBe(short);
    expect(verbose({ output: [{ type: 'text', text: 'wrote' }] }, call('write', { content }))).toBe(whole);
  });

  test("H21 Pi's diff is shown likewise, in numbers of the new file", () => {
    const diff = [
      '     ...',
      '   1 \tone',
      '- 32 two',
      '- 33 three',
      '+ 32 TWO',
      '  34 four',
      '     ...',
      '  90 x',
      '+ 90 y',
    ].join('\n');
    expect(plain({ detail: { diff, firstChangedLine: 32 }, output: [] })).toBe(`Removed 2 lines, added 2 lines
        ...
  31    \tone
     -  two
     -  three
  32 +  TWO
  33    four
        ...
  89    x
  90 +  y`);
  });

  test.each([
    ['- 5 a\n  6 b', 'Removed 1 line\n     -  a\n   5    b'],
    [
      '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b',
      'Removed 1 line, added 1 line\n        --- a/x\n        +++ b/x\n        @@ -1 +1 @@\n     -  a\n     +  b',
    ],
    ['', 'No changes'],
    ['  1 a', 'No changes'],
  ])('H21 the diff %j', (diff, expected) => {
    expect(plain({ detail: { diff } })).toBe(expected);
  });
});

describe('H21 a command', () => {
  const shell = { stdout: '', stderr: '', interrupted: false, isImage: false };

  test.each([
    [{ stdout: 'a\nb\nc' }, 'a\nb\nc'],
    [{ stdout: 'a\nb\nc\nd\n' }, 'a\nb\nc\n… +1 line'],
    [{ stdout: 'a\nb\nc\nd\ne' }, 'a\nb\nc\n… +2 lines'],
    [{ stdout: '      77\n' }, '77'],
    [{ stdout: '\n  a\nb' }, '  a\nb'],
    [{ stdout: '' }, 'Done'],
    [{ stderr: 'warning' }, 'warning'],
    [{ stdout: 'a\n', stderr: 'b' }, 'a\nb'],
    [{ stdout: 'a', interrupted: true }, 'a\nInterrupted'],
    [{ interrupted: true }, 'Interrupted'],
    [{ stdout: 'data:image/png;base64,AAAA', isImage: true }, '[image]'],
    [{ backgroundTaskId: 'b1' }, 'Running in the background · b1'],
    [{ returnCodeInterpretation: 'No matches found' }, 'No matches found'],
    [{ stdout: 'a', status: 'running', shellId: 's', exitCode: null }, 'a'],
  ])('H21 %j', (detail, expected) => {
    expect(plain({ detail: { ...shell, ...detail }, output: 'x' })).toBe(expected);
  });

  test('H21 shows all lines when verbose', () => {
    expect(verbose({ detail: { ...shell, stdout: 'a\nb\nc\nd\ne', stderr: 'f' } })).toBe('a\nb\nc\nd\ne\nf');
  });
});

describe('H21 a file', () => {
  test.each([
    [{ type: 'text', file: { filePath: '/r/a', content: 'x', numLines: 10 } }, 'Read 10 lines'],
    [{ type: 'text', file: { filePath: '/r/a', content: 'x', numLines: 1 } }, 'Read 1 line'],
    [{ type: 'image', file: { base64: 'AAAA', type: 'image/png' } }, 'Read an image'],
    [{ file: { base64: 'AAAA' } }, 'Read an image'],
    [{ type: 'pdf', file: { filePath: '/r/a.pdf', base64: 'AAAA' } }, 'Read a PDF'],
    [{ type: 'notebook', file: { filePath: '/r/a.ipynb', cells: [{}, {}] } }, 'Read 2 cells'],
    [{ type: 'parts', file: { filePath: '/r/a.pdf', count: 3, outputDir: '/tmp/a' } }, 'Read 3 files into /tmp/a'],
    [{ type: 'parts', file: { count: 1 } }, 'Read 1 file'],
    [{ type: 'file_unchanged', file: { filePath: '/r/a.txt' } }, 'Read a.txt'],
    [{ type: 'text', file: { numLines: '10' } }, 'Read a file'],
  ])('H21 %j', (detail, expected) => {
    expect(plain({ detail })).toBe(expected);
  });

  test('H21 is shown whole when verbose', () => {
    const detail = { type: 'text', file: { filePath: '/r/a', content: 'one\ntwo\n', numLines: 2 } };
    expect(verbose({ detail })).toBe('Read 2 lines\none\ntwo');
  });

  test.each([
    ['Read', '     1→one\n     2→two\n\n<system-reminder>x</system-reminder>', 'Read 2 lines'],
    ['Read', '1\tone', 'Read 1 line'],
    ['Read', 'The file is empty.', 'The file is empty.'],
    ['Read', [{ type: 'image', source: {} }], 'Read an image'],
    ['read', [{ type: 'text', text: 'one\ntwo\n' }], 'Read 2 lines'],
    ['read', [{ type: 'text', text: '' }], 'Read 0 lines'],
    [
      'read',
      [{ type: 'text', text: 'one\n\n\n... (62 more lines not shown. Use offset=3 to continue reading)' }],
      'Read 2 lines',
    ],
    ['read', [{ type: 'text', text: 'one\n\n[62 more lines in file. Use offset=2 to continue.]' }], 'Read 1 line'],
    [
      'read',
      [
        { type: 'text', text: 'Read image' },
        { type: 'image', data: 'AAAA' },
      ],
      'Read an image',
    ],
  ])('H21 without detail, by its call %s: %j', (name, output, expected) => {
    expect(plain({ output }, call(name, { path: 'a' }))).toBe(expected);
  });
});

describe('H21 what was found', () => {
  test.each([
    [{ filenames: ['a', 'b', 'c'], numFiles: 3 }, 'Found 3 files', 'Found 3 files\na\nb\nc'],
    [{ mode: 'files_with_matches', filenames: ['a'], numFiles: 1 }, 'Found 1 file', 'Found 1 file\na'],
    [{ filenames: [], numFiles: 0 }, 'Found 0 files', 'Found 0 files'],
    [
      { mode: 'content', numFiles: 0, filenames: [], numLines: 2, content: '1:a\n2:b' },
      'Found 2 lines',
      'Found 2 lines\n1:a\n2:b',
    ],
    [{ mode: 'content', numFiles: 0, numLines: 1, content: '1:a' }, 'Found 1 line', 'Found 1 line\n1:a'],
    [{ mode: 'count', numFiles: 2, content: 'a:1\nb:2' }, 'Found 2 files', 'Found 2 files\na:1\nb:2'],
    [{ matches: ['A', 'B'], query: 'q', total_deferred_tools: 3 }, 'Found 2 tools', 'Found 2 tools\nA\nB'],
  ])('H21 %j', (detail, short, whole) => {
    expect(plain({ detail })).toBe(short);
    expect(verbose({ detail })).toBe(whole);
  });
});

describe('H21 todos and tasks', () => {
  const items = [
    { id: '1', content: 'one', subject: 'one', status: 'completed' },
    { id: '2', content: 'two', subject: 'two', status: 'in_progress' },
  ];

  test.each([
    [{ oldTodos: [], newTodos: items }, '2 todos (1 completed, 1 in_progress)'],
    [{ oldTodos: [], newTodos: [items[0]] }, '1 todo (1 completed)'],
    [{ oldTodos: [], newTodos: [] }, '0 todos'],
    [{ tasks: items }, '2 tasks (1 completed, 1 in_progress)'],
    [
      { success: true, taskId: '3', updatedFields: ['status'], statusChange: { from: 'in_progress', to: 'completed' } },
      'Task 3: in_progress → completed',
    ],
    [{ success: true, taskId: 7, updatedFields: ['description'] }, 'Task 7 updated (description)'],
    [{ success: true, taskId: '7', updatedFields: ['owner', 'status'] }, 'Task 7 updated (owner, status)'],
    [{ success: true, taskId: '7', updatedFields: [] }, 'Task 7 unchanged'],
    [{ success: false, taskId: '7', updatedFields: [], error: 'Task not found' }, 'Task 7: Task not found'],
    [{ task: { id: '1', subject: 'Write it' } }, 'Task 1: Write it'],
    [
      { task: { id: '1', subject: 'Write it', description: 'all of it', status: 'pending' } },
      'Task 1: Write it: pending',
    ],
    [
      { retrieval_status: 'success', task: { task_id: 'b1', description: 'sleep', status: 'running', output: 'x' } },
      'Task b1: sleep: running',
    ],
  ])('H21 %j', (detail, expected) => {
    expect(plain({ detail })).toBe(expected);
  });

  test('H21 each in its line when verbose', () => {
    expect(verbose({ detail: { newTodos: items } })).toBe(
      '2 todos (1 completed, 1 in_progress)\n[completed] one\n[in_progress] two',
    );
    expect(verbose({ detail: { task: { id: '1', subject: 'Write it', description: 'all of it' } } })).toBe(
      'Task 1: Write it\nall of it',
    );
    expect(verbose({ detail: { task: { task_id: 'b1', description: 'sleep', status: 'done', output: 'x\ny' } } })).toBe(
      'Task b1: sleep: done\nx\ny',
    );
  });

  test('H21 the output of a background task, without detail', () => {
    const output = '<task_id>b1</task_id>\n\n<status>running</status>\n\n<output>\nx\n</output>';
    expect(plain({ output }, call('TaskOutput', { task_id: 'b1' }))).toBe('Task b1: running');
    expect(verbose({ output }, call('TaskOutput', { task_id: 'b1' }))).toBe(output);
  });
});

describe('H21 questions and plans', () => {
  const questions = [
    { question: 'Which one?', options: [{ label: 'A', description: 'the first' }, { label: 'B' }] },
    { question: 'Why?\nSay it.', options: [] },
    { question: 'constructor', options: [] },
  ];

  test('H21 are shown in full', () => {
    const long = 'x'.repeat(600);
    const detail = {
      questions,
      answers: { 'Which one?': 'A', 'Why?\nSay it.': `${long}\nb\nc\nd`, 'Also?': ['x', 'y'] },
      annotations: { 'Which one?': { notes: 'but quickly' } },
    };
    const text = `Q: Which one?
A: A
   but quickly
Q: Why?
   Say it.
A: ${long}
   b
   c
   d
Q: constructor
A: No answer
Q: Also?
A: x, y`;
    expect(plain({ detail })).toBe(text);
    expect(verbose({ detail })).toBe(text.replace('Which one?', 'Which one?\n   - A: the first\n   - B'));
  });

  test('H21 without any question there is no answer', () => {
    expect(plain({ detail: { questions: [], answers: {} } })).toBe('No answer');
  });

  test('H21 answers that are text are not cut', () => {
    expect(plain({ output: 'a\nb\nc\nd' }, call('AskUserQuestion', { questions }))).toBe('a\nb\nc\nd');
  });

  test('H21 refused questions are shown', () => {
    const asked = call('AskUserQuestion', { question: 'Why?' });
    expect(plain({ output: 'No.\nNot\nnow\n.', isError: true }, asked)).toBe(
      'Error: No.\nNot\nnow\n.\nQ: Why?\nA: No answer',
    );
  });

  test.each(['ExitPlanMode', 'exit_plan_mode'])('H21 the plan of %s is shown in full', (name) => {
    const plan = '# Plan\n\n1\n2\n3\n4';
    expect(plain({ detail: { plan, isAgent: false } }, call(name, { plan }))).toBe(`Plan:\n${plan}`);
    expect(plain({ detail: { plan: null }, output: 'Approved' }, call(name, { plan }))).toBe(`Plan:\n${plan}`);
    expect(plain({ output: 'Approved' }, call(name, { plan }))).toBe(`Plan:\n${plan}`);
    expect(plain({ output: plan }, call(name, {}))).toBe(`Plan:\n${plan}`);
    expect(plain({ output: 'No', isError: true }, call(name, { plan }))).toBe(`Error: No\nPlan:\n${plan}`);
  });
});

describe('H21 skills, the web and sub-agents', () => {
  const page = { bytes: 4096, code: 200, codeText: 'OK', result: 'a\nb', durationMs: 1, url: 'https://e.org' };
  const search = {
    query: 'q',
    results: [{ tool_use_id: 't', content: [{ title: 'T', url: 'https://e.org' }] }, 'It says so.'],
    durationSeconds: 2,
  };
  const done = { status: 'completed', agentId: 'a1', agentType: 'Explore', prompt: 'p' };
  const content = [{ type: 'text', text: 'one\ntwo\nthree\nfour' }];

  test.each([
    [{ success: true, commandName: 'commit' }, 'Skill(commit) activated', 'Skill(commit) activated'],
    [page, 'HTTP 200 https://e.org (4096 bytes)', 'HTTP 200 https://e.org (4096 bytes)\na\nb'],
    [{ codeText: 'OK', bytes: 1, url: 5 }, 'HTTP (1 byte)', 'HTTP (1 byte)'],
    [search, 'Searched for "q"', 'Searched for "q"\nT · https://e.org\nIt says so.'],
    [{ ...done, content }, 'Done', 'one\ntwo\nthree\nfour'],
    [done, 'Done', 'completed · Explore · agent a1'],
    [{ content, totalDurationMs: 1, totalTokens: 1, totalToolUseCount: 1 }, 'Done', 'one\ntwo\nthree\nfour'],
    [
      { isAsync: true, status: 'async_launched', agentId: 'a1' },
      'async_launched · agent a1',
      'async_launched · agent a1',
    ],
    [
      { status: 'teammate_spawned', agent_id: 'bob@team' },
      'teammate_spawned · agent bob@team',
      'teammate_spawned · agent bob@team',
    ],
    [{ status: 'async_launched', taskId: 't1', runId: 'r1' }, 'async_launched · task t1', 'async_launched · task t1'],
  ])('H21 %j', (detail, short, whole) => {
    expect(plain({ detail })).toBe(short);
    expect(verbose({ detail })).toBe(whole);
  });

  test.each(['Task', 'Agent'])('H21 %s without detail is done, verbose its text', (name) => {
    expect(plain({ output: content }, call(name, {}))).toBe('Done');
    expect(verbose({ output: content }, call(name, {}))).toBe('one\ntwo\nthree\nfour');
    expect(plain({ output: 'Async agent launched successfully.' }, call(name, {}))).toBe(
      'Async agent launched successfully.',
    );
  });
});

describe('H21 text', () => {
  test.each([
    ['a\nb\nc\nd\ne', 'a\nb\nc\n… +2 lines'],
    ['a\nb\nc\nd', 'a\nb\nc\n… +1 line'],
    ['', 'Done'],
    [' \n ', 'Done'],
    [null, 'Done'],
    [undefined, 'Done'],
    [[], 'Done'],
    [{}, 'Done'],
    [0, '0'],
    [false, 'false'],
    [[{ type: 'text', text: 'a' }, { type: 'image', data: 'AAAA' }, 'b'], 'a\n[image]\nb'],
    [
      [
        { type: 'tool_reference', tool_name: 'Grep' },
        { type: 'document', source: {} },
      ],
      'Grep\n[document]',
    ],
    [
      [
        { type: 'resource', resource: { uri: 'file:///a', text: 'x' } },
        { type: 'resource', resource: { uri: 'file:///b' } },
      ],
      'x\nfile:///b',
    ],
    [[{ type: 'other', id: 1 }, 5, null], '{"type":"other","id":1}\n5\nnull'],
  ])('H21 %j', (output, expected) => {
    expect(plain({ output })).toBe(expected);
    expect(plain({ detail: output, output: null })).toBe(expected);
  });

  test('H21 is shown whole when verbose', () => {
    expect(verbose({ output: 'a\nb\nc\nd\ne' })).toBe('a\nb\nc\nd\ne');
  });

  test('H21 a line is cut at 500 characters, never inside of one, verbose not', () => {
    expect(plain({ output: 'x'.repeat(1e6) })).toBe(`${'x'.repeat(500)}…`);
    expect(plain({ output: `${'x'.repeat(499)}😀😀` })).toBe(`${'x'.repeat(499)}…`);
    expect(verbose({ output: 'x'.repeat(1e6) })).toHaveLength(1e6);
  });

  test('H21 the output counts where the detail says nothing about it', () => {
    const output = [{ type: 'text', text: 'said' }];
    expect(plain({ detail: {}, output })).toBe('said');
    expect(plain({ detail: { truncation: { lines: 3 }, fullOutputPath: '/tmp/x' }, output })).toBe('said');
  });

  test('H21 the text in an MCP result, and a message', () => {
    expect(plain({ detail: { content: [{ type: 'text', text: 'a' }], structuredContent: {} } })).toBe('a');
    expect(plain({ detail: { success: true, message: 'Sent', routing: { to: 'b' } } })).toBe('Sent');
    expect(verbose({ detail: { success: true, message: 'Sent', routing: { to: 'b' } } })).toBe(
      'success: true\nmessage: Sent\nrouting: {"to":"b"}',
    );
  });
});

describe('H21 an unknown form', () => {
  test('H21 shows its fields, one per line', () => {
    const detail = { name: 'one\ntwo', count: 3, list: [1], object: { a: 1, b: 2 }, none: null, long: 'x'.repeat(81) };
    expect(plain({ detail })).toBe(
      `name: one two\ncount: 3\nlist: [1 item]\nobject: {a, b}\nnone: null\nlong: ${'x'.repeat(79)}…`,
    );
    expect(verbose({ detail })).toBe(
      `name: one\n  two\ncount: 3\nlist: [1]\nobject: {"a":1,"b":2}\nnone: null\nlong: ${'x'.repeat(81)}`,
    );
  });

  test('H21 shows ten fields at most, verbose all', () => {
    const detail = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, i]));
    expect(plain({ detail }).split('\n').slice(9)).toEqual(['k9: 9', '… +2 lines']);
    expect(verbose({ detail }).split('\n')).toHaveLength(12);
  });
});

describe('H21 an error', () => {
  test.each([
    [{ output: 'Exit code 1', detail: 'Error: Exit code 1' }, 'Error: Exit code 1'],
    [{ output: '<tool_use_error>Not read yet.</tool_use_error>' }, 'Error: Not read yet.'],
    [{ output: '<tool_use_error>Error: Not read yet.</tool_use_error>' }, 'Error: Not read yet.'],
    [{ output: 'Error: a\nb\nc\nd' }, 'Error: a\nb\nc\n… +1 line'],
    [{ detail: 'Error: a' }, 'Error: a'],
    [{ output: 'They said: later', detail: 'User rejected tool use' }, 'Error: They said: later'],
    [
      { output: [{ type: 'text', text: 'Command exited with code 1' }], detail: {} },
      'Error: Command exited with code 1',
    ],
    [{ output: '' }, 'Error: no message'],
  ])('H21 %j', (parts, expected) => {
    expect(plain({ ...parts, isError: true })).toBe(expected);
  });

  test('H21 is whole when verbose', () => {
    expect(verbose({ output: 'Error: a\nb\nc\nd', isError: true })).toBe('Error: a\nb\nc\nd');
  });
});

describe('H21 nothing gets past', () => {
  test('H21 no escape sequence is sent', () => {
    const red = '\u001b[31mred\u001b[0m \u001b]0;title\u0007';
    expect(plain({ output: red })).toBe('red');
    expect(plain({ detail: { file: { filePath: `/r/${red}` } } })).toBe('Read red');
    expect(plain({ detail: { structuredPatch: [hunk(1, `+${red}`)] } })).toBe('Added 1 line\n   1 +  red');
    expect(plain({ detail: { [red]: red } })).toBe('red: red');
  });

  test('H21 any result of any call gives text without control characters', () => {
    const names = [
      'Read',
      'read',
      'Write',
      'Task',
      'TaskOutput',
      'ExitPlanMode',
      'AskUserQuestion',
      'Bash',
      'constructor',
    ];
    const json = anyJson([
      ...['structuredPatch', 'newStart', 'lines', 'content', 'diff', 'stdout', 'stderr', 'interrupted', 'isImage'],
      ...['file', 'numLines', 'cells', 'count', 'outputDir', 'filePath', 'base64', 'type', 'text', 'resource', 'uri'],
      ...[
        'numFiles',
        'filenames',
        'mode',
        'newTodos',
        'status',
        'answers',
        'questions',
        'question',
        'options',
        'label',
      ],
      ...[
        'annotations',
        'notes',
        'plan',
        'commandName',
        'codeText',
        'code',
        'url',
        'bytes',
        'result',
        'durationSeconds',
      ],
      ...['query', 'results', 'title', 'statusChange', 'from', 'to', 'updatedFields', 'taskId', 'task', 'tasks', 'id'],
      ...['agentId', 'totalToolUseCount', 'matches', 'message', 'truncation', 'toString', '__proto__', 'toJSON'],
    ]);
    const of = fc.option(fc.tuple(fc.constantFrom(...names), json));
    fc.assert(
      fc.property(json, json, of, fc.boolean(), fc.boolean(), (output, detail, asked, isError, isVerbose) => {
        const answered = asked && call(asked[0], asked[1]);
        const text = renderResult(result({ output, detail, isError }), answered, { verbose: isVerbose });
        expect(text.trim()).not.toBe('');
        expect(text).not.toMatch(CONTROL);
        if (isError) expect(text).toMatch(/^Error: /);
      }),
      { numRuns: 1000 },
    );
  });
});
