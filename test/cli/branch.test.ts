import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { branchSession } from '../../src/cli/branch-session.ts';
import { History } from '../../src/history/index.ts';
import { SessionManager } from '../../src/journal/index.ts';
import type { LogRecord } from '../../src/model/index.ts';
import { openHome } from '../kit/home.ts';
import { linesIn, wordOf } from '../kit/journal.ts';
import {
  assistant,
  attachment,
  boundary,
  command,
  compactSummary,
  piAssistant,
  piEntry,
  piHeader,
  piResult,
  piUser,
  stdout,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());

const LARGE = resolve('../shared/corpus/pi/large-session.jsonl');

const cwd = { cwd: '/work/app', sessionId: 'cccc1111' };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1n' } };
const claude = home.write('.claude/projects/-work-app/cccc1111.jsonl', [
  user('u1', null, [{ type: 'text', text: 'Look at this' }, image], cwd),
  assistant('a1', 'u1', [{ type: 'thinking', thinking: 'hm', signature: 'sig' }], { id: 'm1' }),
  assistant('a1b', 'a1', [{ type: 'text', text: 'I look' }], { id: 'm1' }),
  assistant('a1c', 'a1b', [toolUse('t1', 'Read', { file_path: 'a.ts' }), toolUse('t2', 'Bash', { command: 'ls' })], {
    id: 'm1',
    stop: 'tool_use',
    usage: { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
  }),
  user('r1', 'a1c', [toolResult('t1', [{ type: 'text', text: 'content' }, image])], { toolUseResult: { file: 1 } }),
  user('r2', 'r1', [toolResult('t2', 'no such file', true)]),
  attachment('x1', 'r2', { type: 'hook_success' }),
  assistant('a2', 'x1', 'Nothing there', { stop: 'end_turn' }),
  command('c1', 'a2', '/model', 'large'),
  stdout('c2', 'c1', 'Set model to large'),
  user('b1', 'c2', '<bash-input>pwd</bash-input>'),
  user('b2', 'b1', '<bash-stdout>/work/app</bash-stdout><bash-stderr></bash-stderr>'),
  boundary('k1', 'b2'),
  compactSummary('k2', 'k1'),
  user('u2', 'k2', 'Go on'),
  assistant('a3', 'u2', 'Going on'),
  user('u3', 'a2', 'Another way'),
  assistant('a4', 'u3', [toolUse('t9', 'Task', {})]),
]);

const branch = (...args: string[]) => {
  const { out, err, code } = home.skein(['branch', ...args, '--json']);
  expect([err, code]).toEqual(['', 0]);
  return JSON.parse(out);
};
const textsOf = (path: string) => SessionManager.open(path).buildSessionContext().messages.map(wordOf);

describe('J16 skein branch: a thread of Claude Code as a session of Pi', () => {
  test('one entry per message, with calls, results, images, commands and usage; the log is not touched', () => {
    const before = readFileSync(claude);
    const { path, records, entries, losses, source } = branch('cccc', '--at', 'b1');
    expect(source).toEqual({ agent: 'claude-code', session_id: 'cccc1111', uuid: 'b1' });
    expect(path).toContain(join(home.path, '.pi/agent/sessions/--work-app--/'));
    const [header, ...lines] = linesIn(path);
    expect(header).toMatchObject({ type: 'session', version: 3, cwd: '/work/app' });
    expect([records, entries]).toEqual([5, lines.length]);
    expect(lines.map(({ parentId }) => parentId)).toEqual([null, ...lines.slice(0, -1).map(({ id }) => id)]);
    const says = lines.map((line) => (line.type === 'message' ? line.message : line));
    expect(says).toMatchObject([
      { type: 'custom', customType: 'skein/origin', data: { agent: 'claude-code', session: 'cccc1111' } },
      { type: 'session_info', name: 'Look at this' },
      { role: 'user', content: [{ text: 'Look at this' }, { type: 'image', data: 'aW1n', mimeType: 'image/png' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'I look' },
          { type: 'toolCall', id: 't1', name: 'Read', arguments: { file_path: 'a.ts' } },
          { type: 'toolCall', id: 't2', name: 'Bash' },
        ],
        provider: 'anthropic',
        model: 'claude-x',
        usage: { input: 5, output: 7, cacheRead: 3, cacheWrite: 2, totalTokens: 17 },
        stopReason: 'toolUse',
      },
      {
        role: 'toolResult',
        toolCallId: 't1',
        toolName: 'Read',
        isError: false,
        content: [{ text: 'content' }, { data: 'aW1n' }],
      },
      { role: 'toolResult', toolCallId: 't2', isError: true, content: [{ text: 'no such file' }] },
      { role: 'assistant', content: [{ text: 'Nothing there' }], stopReason: 'stop' },
      {
        type: 'custom_message',
        customType: 'skein/built_in_command',
        content: [{ text: '/model large' }, { text: 'Set model to large' }],
      },
      { role: 'bashExecution', command: 'pwd', output: '/work/app' },
    ]);
    expect(losses).toEqual([
      { what: 'annotations (attachment/hook_success)', count: 1 },
      { what: 'signatures of thoughts', count: 1 },
      { what: 'structured details of results', count: 1 },
    ]);
    expect(readFileSync(claude).equals(before)).toBe(true);
  });

  test('after a compaction the context is its summary and what follows; without --at it is the whole active thread', () => {
    const file = join(home.path, 'compacted.jsonl');
    expect(branch('cccc', '--at', 'a3', '-o', file).path).toBe(file);
    expect(textsOf(file)).toEqual([
      expect.stringMatching(/^compactionSummary:This session is being continued/),
      'Go on',
      'Going on',
    ]);
    const { path, losses } = branch('cccc');
    expect(textsOf(path).at(-2)).toBe('Another way');
    expect(losses).toContainEqual({ what: 'calls without a result', count: 1 });
  });

  test('labels go with it, and it reads back with the same texts', () => {
    home.skein(['label', 'cccc', 'a2', 'empty']);
    const { path } = branch('cccc', '--at', 'u3');
    const rows = JSON.parse(home.skein(['tree', path, '--json']).out).items;
    expect(rows.map(({ text, label }: { text: string; label: string }) => [text, label])).toEqual([
      ['Look at this [image]', null],
      ['I look', null],
      ['Nothing there', 'empty'],
      ['Another way', null],
    ]);
    expect(home.skein(['check', path])).toMatchObject({ code: 0 });
  });

  test('what was lost is told in words; a file that is there, a record nobody knows, two that are meant are refused', () => {
    const file = join(home.path, 'told.jsonl');
    const told = home.skein(['branch', 'cccc', '--at', 'u1', '--to', 'pi', '-o', file]);
    expect(told).toEqual({
      out: `${file}\n`,
      err: 'skein: 3 entries from 1 record; nothing was left behind\n',
      code: 0,
    });
    const bytes = readFileSync(file);
    expect(home.skein(['branch', 'cccc', '--at', 'u1', '-o', file])).toMatchObject({ code: 2, out: '' });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(home.skein(['branch', 'cccc', '-o', claude])).toMatchObject({ code: 2 });
    expect(home.skein(['branch', 'cccc', '--at', 'zz'])).toMatchObject({ code: 1, out: '' });
    expect(home.skein(['branch', 'cccc', '--at', 'a', '-o', `${file}2`])).toMatchObject({ code: 1 });
    expect(existsSync(`${file}2`)).toBe(false);
    expect(home.skein(['branch', 'cccc', '--at', 'u1', '--to', 'omp'])).toMatchObject({ code: 2 });
  });
});

describe('J16 skein branch: a session of Pi', () => {
  const call = { type: 'toolCall', id: 't1', name: 'read', arguments: {} };
  const source = home.write('.pi/agent/sessions/--work-pi--/2026-01-01T00-00-00-000Z_pppp2222.jsonl', [
    piHeader('pppp2222', { cwd: '/work/pi' }),
    piUser('e1', null, 'Plant a tree'),
    piAssistant('e2', 'e1', [call]),
    piResult('e3', 'e2', 't1'),
    piEntry('label', 'l1', 'e3', { targetId: 'e1', label: 'start' }),
    piAssistant('e4', 'l1', 'Planted'),
    piUser('e5', 'e4', 'Water it'),
  ]);

  test('is copied entry by entry, an answer with the results of its calls', () => {
    const before = readFileSync(source);
    const folder = join(source, '..');
    const { path, losses } = branch('pppp', '--at', 'e2');
    expect(readdirSync(folder)).toHaveLength(2);
    const [header, ...lines] = linesIn(path);
    expect(header).toMatchObject({ parentSession: source, cwd: '/work/pi' });
    expect(lines.map(({ id }) => id).slice(0, 3)).toEqual(['e1', 'e2', 'e3']);
    expect(lines.at(-1)).toMatchObject({ type: 'label', targetId: 'e1', label: 'start', parentId: 'e3' });
    expect(losses).toEqual([]);
    expect(readFileSync(source).equals(before)).toBe(true);
    const file = join(home.path, 'pi-branch.jsonl');
    branch('pppp', '--at', 'e4', '-o', file);
    expect(textsOf(file)).toEqual(['Plant a tree', 'toolCall', 'e3', 'Planted']);
  });

  test('keeps its title and its labels, wherever these stand', () => {
    home.write('.pi/agent/sessions/--work-pi--/2026-01-02T00-00-00-000Z_qqqq3333.jsonl', [
      { type: 'title', v: 1, title: 'Trees', source: 'user', updatedAt: '2026-01-02T00:00:00.000Z', pad: ' ' },
      piHeader('qqqq3333', { cwd: '/work/pi' }),
      piUser('e1', null, 'Plant a tree'),
      piAssistant('e2', 'e1', 'Planted'),
      piUser('e3', 'e2', 'Water it'),
      piEntry('label', 'l1', 'e3', { targetId: 'e2', label: 'from the other branch' }),
      piUser('e4', 'e1', 'A bush instead'),
    ]);
    const file = join(home.path, 'named.jsonl');
    expect(branch('qqqq', '--at', 'e2', '-o', file).losses).toEqual([]);
    expect(SessionManager.open(file).getSessionName()).toBe('Trees');
    expect(SessionManager.open(file).getLabel('e2')).toBe('from the other branch');
    const time = '2025-01-01T00:00:00.000Z';
    const old = home.write('v1.jsonl', [
      { type: 'session', id: 'old', timestamp: time, cwd: '/x' },
      { type: 'message', timestamp: time, message: { role: 'user', content: 'old words' } },
      { type: 'message', timestamp: time, message: { role: 'user', content: 'newer words' } },
    ]);
    const [row] = JSON.parse(home.skein(['tree', old, '--json']).out).items;
    expect(home.skein(['label', old, row.uuid, 'in the notes'])).toMatchObject({ code: 0 });
    const { path } = branch(old, '-o', join(home.path, 'v1-named.jsonl'));
    const [, first, , label] = linesIn(path);
    expect(label).toMatchObject({ type: 'label', targetId: first?.id, label: 'in the notes' });
  });

  test('J13 before a prompt whose parent is missing it is branched at what stands before it on its way', async () => {
    const path = home.write('lost/sessions/--work-pi--/2026-01-03T00-00-00-000Z_rrrr4444.jsonl', [
      piHeader('rrrr4444', { cwd: '/work/pi' }),
      piUser('e1', null, 'Plant a tree'),
      piAssistant('e2', 'e1', 'Planted'),
      piUser('e3', 'deadbeef', 'Water it'),
    ]);
    const session = History.open({ roots: [join(home.path, 'lost/sessions')] }).find('rrrr');
    const record = session.record('rrrr4444/e3') as LogRecord;
    const file = join(home.path, 'lost.jsonl');
    expect(await branchSession(session, record, { before: true, file })).toMatchObject({ entries: 0 });
    expect(linesIn(file)).toMatchObject([{ type: 'session', parentSession: path }]);
  });

  test.skipIf(!existsSync(LARGE))('of version 1, without ids, too', () => {
    const file = join(home.path, 'v1-branch.jsonl');
    const before = readFileSync(LARGE);
    const [, , third] = JSON.parse(home.skein(['tree', LARGE, '--json', '--filter', 'user-only']).out).items;
    branch(LARGE, '--at', third.uuid, '-o', file);
    expect(textsOf(file).at(-1)).toBe(third.text);
    expect(readFileSync(LARGE).equals(before)).toBe(true);
  });
});
