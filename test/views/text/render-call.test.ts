import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderCall } from '../../../src/views/text/render-call.ts';
import { anyJson, CONTROL, call } from './blocks.ts';

const plain = (name: string, input: unknown): string => renderCall(call(name, input), { verbose: false });
const verbose = (name: string, input: unknown): string => renderCall(call(name, input), { verbose: true });

describe('H21 a call', () => {
  test.each([
    ['Read', { file_path: '/r/src/file.txt', limit: 5 }, 'Read(file.txt)'],
    ['Edit', { file_path: 'C:\\r\\file.txt', old_string: 'a', new_string: 'b' }, 'Edit(file.txt)'],
    ['Write', { file_path: 'file.txt', content: 'a' }, 'Write(file.txt)'],
    ['MultiEdit', { file_path: '/r/file.txt', edits: [] }, 'MultiEdit(file.txt)'],
    ['NotebookEdit', { notebook_path: '/r/a.ipynb', new_source: '' }, 'NotebookEdit(a.ipynb)'],
    ['NotebookRead', { notebook_path: '/r/a.ipynb' }, 'NotebookRead(a.ipynb)'],
    ['read', { path: 'src/file.txt', offset: 2 }, 'read(file.txt)'],
    ['edit', { path: 'src/file.txt', oldText: 'a', newText: 'b' }, 'edit(file.txt)'],
    ['write', { path: 'src/file.txt', content: 'a' }, 'write(file.txt)'],
  ])('H21 %s shows the name of its file, verbose too', (name, input, expected) => {
    expect(plain(name, input)).toBe(expected);
    expect(verbose(name, input)).toBe(expected);
  });

  test.each([
    ['AskUserQuestion', { questions: [{ question: 'Why?' }] }],
    ['ExitPlanMode', { plan: 'do it' }],
    ['exit_plan_mode', { plan: 'do it' }],
    ['TodoWrite', { todos: [{ content: 'x' }] }],
    ['TaskList', {}],
    ['TaskList', null],
    ['TaskList', undefined],
  ])('H21 %s is its bare name', (name, input) => {
    expect(plain(name, input)).toBe(name);
    expect(verbose(name, input)).toBe(name);
  });

  test.each(['Bash', 'bash'])('H21 %s shows the first line of its command, verbose all', (name) => {
    expect(plain(name, { command: 'echo a', timeout: 5 })).toBe(`${name}(echo a)`);
    expect(plain(name, { command: 'echo a\n' })).toBe(`${name}(echo a)`);
    expect(plain(name, { command: 'echo a &&\necho b' })).toBe(`${name}(echo a &&…)`);
    expect(verbose(name, { command: 'echo a &&\n\n  echo b' })).toBe(`${name}(echo a &&\n\n       echo b)`);
  });

  test.each(['Task', 'Agent'])('H21 %s shows type and description, verbose the prompt', (name) => {
    const input = { description: 'look', prompt: 'look at b\nand c', subagent_type: 'Explore' };
    expect(plain(name, input)).toBe(`${name}(Explore: look)`);
    expect(verbose(name, input)).toBe(`${name}(Explore: look at b\n     and c)`);
    expect(plain(name, { description: 'look', prompt: 'p' })).toBe(`${name}(Agent: look)`);
    expect(plain(name, { prompt: 'look at b\nand c' })).toBe(`${name}(Agent: look at b and c)`);
  });

  test.each([
    ['Grep', { pattern: 'x', path: '/p' }, 'Grep(pattern: "x", path: "/p")'],
    ['Grep', { pattern: 'a "b" \\d', '-n': true, '-A': 3 }, 'Grep(pattern: "a "b" \\d", -n: true, -A: 3)'],
    ['Glob', { pattern: '**/*.ts' }, 'Glob(pattern: "**/*.ts")'],
    ['WebFetch', { url: 'https://e.org', prompt: 'say\n  it' }, 'WebFetch(url: "https://e.org", prompt: "say it")'],
    ['mcp__git__log', { repo: '/r', max: 3 }, 'mcp__git__log(repo: "/r", max: 3)'],
    [
      'X',
      { one: [1], three: [1, 2, 3], none: [], empty: {} },
      'X(one: [1 item], three: [3 items], none: [0 items], empty: {})',
    ],
    ['X', { object: { k1: 1, k2: [2] }, nil: null }, 'X(object: {k1, k2}, nil: null)'],
    ['grep', { pattern: 'x', path: 'src' }, 'grep(pattern: "x", path: "src")'],
    ['find', { pattern: '*.ts', limit: 5 }, 'find(pattern: "*.ts", limit: 5)'],
    ['ls', { path: 'src' }, 'ls(path: "src")'],
    ['apply_patch', 'one\ntwo', 'apply_patch("one two")'],
    ['X', [1, 2], 'X([2 items])'],
    ['X', 5, 'X(5)'],
    ['X', '', 'X'],
    ['Read', { offset: 3 }, 'Read(offset: 3)'],
    ['Bash', { command: 5 }, 'Bash(command: 5)'],
    ['Task', { subagent_type: 'Explore' }, 'Task(subagent_type: "Explore")'],
    ['', {}, 'unknown'],
    ['constructor', { a: 1 }, 'constructor(a: 1)'],
  ])('H21 %s %j', (name, input, expected) => {
    expect(plain(name, input)).toBe(expected);
  });

  test('H21 a value is cut at 80 columns, also where characters are two wide', () => {
    expect(plain('X', { a: 'x'.repeat(80) })).toBe(`X(a: "${'x'.repeat(80)}")`);
    expect(plain('X', { a: 'x'.repeat(81) })).toBe(`X(a: "${'x'.repeat(79)}…")`);
    expect(plain('X', { a: '漢'.repeat(41) })).toBe(`X(a: "${'漢'.repeat(39)}…")`);
  });

  test('H21 verbose shows whole values', () => {
    const long = 'x'.repeat(2000);
    expect(verbose('X', { a: long, b: 'one\ntwo', c: { d: [1, 'e'] } })).toBe(
      `X(a: "${long}", b: "one\n     two", c: {"d":[1,"e"]})`,
    );
  });

  test('H21 a line is cut at 500 characters, verbose not', () => {
    expect(plain('Bash', { command: 'x'.repeat(1e6) })).toBe(`Bash(${'x'.repeat(500)}…)`);
    expect(verbose('Bash', { command: 'x'.repeat(1e6) })).toHaveLength(1e6 + 'Bash()'.length);
  });

  test('H21 no escape sequence is sent', () => {
    expect(plain('Bash', { command: 'echo \u001b[31mred\u001b[0m' })).toBe('Bash(echo red)');
    expect(plain('Re\u001b[2Jad', { 'k\u0007': '\u001b]0;title\u0007x' })).toBe('Read(k␇: "x")');
  });

  test('H21 any input gives text without control characters', () => {
    const names = [
      'Read',
      'Bash',
      'bash',
      'Task',
      'edit',
      'TodoWrite',
      'mcp__a__b',
      'toString',
      '__proto__',
      '\u001b[1mX',
    ];
    const keys = [
      'file_path',
      'notebook_path',
      'path',
      'command',
      'description',
      'prompt',
      'subagent_type',
      'toString',
      '__proto__',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...names), anyJson(keys), fc.boolean(), (name, input, isVerbose) => {
        const text = renderCall(call(name, input), { verbose: isVerbose });
        expect(text).not.toBe('');
        expect(text).not.toMatch(CONTROL);
        if (!isVerbose) expect(text).not.toContain('\n');
      }),
    );
  });

  test('H21 input nested without end does not throw', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(verbose('X', { deep })).toContain('nested too deep');
  });
});
