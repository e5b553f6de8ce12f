import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildContext, windowAt } from '../../src/context/index.ts';
import { History } from '../../src/history/index.ts';
import { piAssistant, piEntry, piHeader, piMessage, piResult, piUser } from '../kit/transcript.ts';
import { piContext } from './view.ts';

const compaction = (id: string, parent: string, firstKeptEntryId: string) =>
  piEntry('compaction', id, parent, { summary: `summary ${id}`, firstKeptEntryId, tokensBefore: 9000 });

/** The entries whose messages are in the window, in order. */
const entriesIn = (lines: readonly object[], at?: string, thread?: string): string[] =>
  piContext([piHeader(), ...lines], thread)
    .at(at === undefined ? undefined : `S/${at}`)
    .messages.map(({ record }) => record.replace('S/', ''));

describe('J9: the messages of a Pi session', () => {
  const once = [
    piUser('u1', null),
    piAssistant('a1', 'u1'),
    piUser('u2', 'a1'),
    piAssistant('a2', 'u2'),
    compaction('C', 'a2', 'u2'),
    piUser('u3', 'C'),
    piAssistant('a3', 'u3'),
  ];

  test('J9 after a compaction: its summary, what it kept, and the rest', () => {
    expect(entriesIn(once)).toEqual(['C', 'u2', 'a2', 'u3', 'a3']);
    expect(entriesIn(once, 'a2')).toEqual(['u1', 'a1', 'u2', 'a2']);
  });

  test('C14 what was kept counts in the new phase', () => {
    const { view } = piContext([piHeader(), ...once]);
    expect(view.phases).toMatchObject([{ number: 1 }, { number: 2, begins: 'compaction', before: 9000, after: 2 }]);
    expect(view.responses[2]?.added.map(({ record }) => record)).toEqual(['S/C', 'S/u2', 'S/a2', 'S/u3']);
    expect(view.responses[2]?.total).toMatchObject({ system: 3, user_messages: 2, thinking_and_text: 1 });
  });

  test('J9 of several compactions the last counts; an older one among what was kept says nothing', () => {
    const twice = [
      piUser('u', null),
      piAssistant('a', 'u'),
      compaction('C1', 'a', 'u'),
      piUser('v', 'C1'),
      piAssistant('b', 'v'),
      compaction('C2', 'b', 'a'),
      piUser('w', 'C2'),
    ];
    expect(entriesIn(twice)).toEqual(['C2', 'a', 'v', 'b', 'w']);
  });

  test('J9 the first kept entry may be one that says nothing', () => {
    const lines = [
      piUser('u1', null),
      piAssistant('a1', 'u1', [{ type: 'toolCall', id: 't', name: 'read', arguments: {} }]),
      piEntry('model_change', 'm', 'a1', { provider: 'p', modelId: 'n' }),
      piResult('r', 'm', 't'),
      piUser('u2', 'r'),
      compaction('C', 'u2', 'm'),
    ];
    expect(entriesIn(lines)).toEqual(['C', 'a1', 'u2']);
    expect(piContext([piHeader(), ...lines]).at().model).toBe('n');
  });

  test('J9 a first kept entry that is not on the path keeps nothing', () => {
    expect(entriesIn([piUser('u', null), compaction('C', 'u', 'nowhere'), piUser('v', 'C')])).toEqual(['C', 'v']);
  });

  test('J9 branch summaries, messages of extensions and shell runs are in it; labels, data and empty summaries are not', () => {
    const lines = [
      piUser('u', null),
      piEntry('label', 'l', 'u', { targetId: 'u', label: 'here' }),
      piEntry('branch_summary', 'b', 'l', { fromId: 'u', summary: 'tried' }),
      piEntry('branch_summary', 'e', 'b', { fromId: 'u', summary: '' }),
      piEntry('custom', 'd', 'e', { customType: 'x', data: { a: 1 } }),
      piEntry('custom_message', 'm', 'd', { customType: 'x', content: 'note', display: false }),
      piMessage('s', 'm', { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0 }),
    ];
    expect(entriesIn(lines)).toEqual(['u', 'b', 'm', 's']);
  });

  test('J9 a compaction on another branch does not count', () => {
    const lines = [
      piUser('1', null),
      piAssistant('2', '1'),
      piUser('3', '2'),
      piAssistant('4', '3'),
      compaction('5', '4', '3'),
      piUser('6', '5'),
      piAssistant('8', '3'),
      piUser('9', '8'),
    ];
    expect(entriesIn(lines, '9', 'S/9')).toEqual(['1', '2', '3', '8', '9']);
    expect(entriesIn(lines, '6', 'S/6')).toEqual(['5', '3', '4', '6']);
  });

  const path = resolve('../shared/corpus/pi/large-session.jsonl');
  test.skipIf(!existsSync(path))('J9 the large session has 914 messages', () => {
    const [session] = History.openFile(path).projects.flatMap((project) => project.sessions());
    const thread = session?.defaultThread;
    if (!session || !thread) throw new Error('no thread');
    const { tree } = session.logs.read();
    const view = buildContext(tree, session.id, thread.id, (record) => session.content(record, { annotations: true }));
    const window = windowAt(view, tree, thread.facts.leaf);
    expect(window).toMatchObject({ model: 'claude-sonnet-4-5', size: 200_000, phase: { number: 1 } });
    expect(window?.messages).toHaveLength(914);
  });
});
