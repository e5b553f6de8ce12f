import { describe, expect, test } from 'vitest';
import {
  type AgentMessage,
  buildContextEntries,
  buildSessionContext,
  buildSessionProjection,
  convertToLlm,
  type SessionEntry,
  SessionManager,
} from '../../src/journal/index.ts';
import { assistant, Folder, HEADER, line, user, wordOf } from '../kit/journal.ts';

const folder = new Folder();
const a = (id: string, parent: string) => line(id, parent, { message: assistant(id) });
const compaction = (id: string, parent: string, firstKeptEntryId: string) =>
  line(id, parent, { type: 'compaction', summary: id, firstKeptEntryId, tokensBefore: 9 });
const words = (entries: SessionEntry[], leaf?: string | null) =>
  buildSessionContext(entries, leaf).messages.map(wordOf);

describe('J9: the context at a leaf', () => {
  test('check 6, example 1: the summary of a compaction, what it kept, what came after', () => {
    const entries = [line('u1', null), a('a1', 'u1'), line('u2', 'a1'), a('a2', 'u2'), compaction('c1', 'a2', 'u2')];
    entries.push(line('u3', 'c1'), a('a3', 'u3'));
    expect(words(entries)).toEqual(['compactionSummary:c1', 'u2', 'a2', 'u3', 'a3']);
  });

  test('check 6, example 2: the latest compaction counts', () => {
    const entries = [line('u1', null), a('a1', 'u1'), compaction('c1', 'a1', 'u1'), line('u2', 'c1'), a('a2', 'u2')];
    entries.push(compaction('c2', 'a2', 'u2'), line('u3', 'c2'));
    expect(words(entries)).toEqual(['compactionSummary:c2', 'u2', 'a2', 'u3']);
    const kept = [...entries.slice(0, 5), compaction('c2', 'a2', 'u1')];
    expect(words(kept)).toEqual(['compactionSummary:c2', 'u1', 'a1', 'u2', 'a2']);
  });

  test('check 6, example 3: a compaction on another branch does not count', () => {
    const entries = [line('1', null), line('2', '1'), line('3', '2'), line('4', '3'), compaction('5', '4', '3')];
    entries.push(line('6', '5'), line('7', '6'), line('8', '3'), line('9', '8'));
    entries.push(line('10', '3', { type: 'branch_summary', fromId: '9', summary: 'left' }), line('11', '10'));
    expect(words(entries, '7')).toEqual(['compactionSummary:5', '3', '4', '6', '7']);
    expect(words(entries, '9')).toEqual(['1', '2', '3', '8', '9']);
    expect(words(entries, '11')).toEqual(['1', '2', '3', 'branchSummary:left', '11']);
  });

  test('check 6, example 4: an orphan stands alone', () => {
    expect(words([line('e1', null), line('e2', 'gone')])).toEqual(['e2']);
  });

  test('check 6: null is before everything; no leaf, or one that nobody knows, is the last entry', () => {
    const entries = [line('e1', null), line('e2', 'e1'), line('e3', 'e1')];
    expect([words(entries, null), words(entries), words(entries, 'nope')]).toEqual([[], ['e1', 'e3'], ['e1', 'e3']]);
    expect(buildSessionContext([], undefined)).toEqual({
      messages: [],
      thinkingLevel: 'off',
      model: null,
      mode: 'none',
      injectedTtsrRules: [],
    });
  });

  test('parents that go round end', () => {
    expect(words([line('e1', 'e2'), line('e2', 'e1')], 'e2')).toEqual(['e1', 'e2']);
  });

  test('check 7: a first kept entry that is not above it: only the summary and what came after, and a finding', () => {
    const entries = [
      line('e1', null),
      line('e2', 'e1'),
      line('e3', 'e1'),
      compaction('c4', 'e3', 'e2'),
      line('e5', 'c4'),
    ];
    expect(words(entries)).toEqual(['compactionSummary:c4', 'e5']);
    const session = SessionManager.open(folder.file([HEADER, ...entries]));
    expect(session.getFindings()).toMatchObject([{ type: 'orphaned_record', id: 'c4', line: 5 }]);
  });

  test('a compaction that keeps nothing names itself', () => {
    const session = SessionManager.inMemory();
    session.appendMessage(user('1'));
    const id = session.appendCompaction('s', null, 9);
    expect(session.getEntry(id)).toMatchObject({ firstKeptEntryId: id });
    expect(session.buildSessionContext().messages.map(wordOf)).toEqual(['compactionSummary:s']);
  });

  test('state follows the whole path, also what a compaction left behind', () => {
    const session = SessionManager.inMemory();
    session.appendThinkingLevelChange('high');
    session.appendModelChange('openai', 'gpt');
    session.appendModeChange('plan');
    session.appendTtsrInjection(['one', 'two']);
    session.appendTtsrInjection(['two', 'three']);
    session.appendMessage(user('1'));
    session.appendCompaction('s', null, 9);
    expect(session.buildSessionContext()).toMatchObject({
      thinkingLevel: 'high',
      model: { provider: 'openai', modelId: 'gpt' },
      mode: 'plan',
      injectedTtsrRules: ['one', 'two', 'three'],
    });
    session.appendMessage(assistant('2'));
    expect(session.buildSessionContext().model?.modelId).toBe('claude-sonnet-4-5');
  });

  test('the model of oh-my-pi is one name; the models of other roles are not that of the conversation', () => {
    const change = (id: string, parent: string | null, more: object) =>
      line(id, parent, { type: 'model_change', ...more });
    const entries = [change('e1', null, { model: 'or/a/b' }), change('e2', 'e1', { model: 'x/y', role: 'smol' })];
    expect(buildSessionContext(entries).model).toEqual({ provider: 'or', modelId: 'a/b' });
  });

  test('after /clear of oh-my-pi nothing of before is left', () => {
    const reset = { ...line('r2', 'e1'), type: 'reset_boundary' } as unknown as SessionEntry;
    expect(words([line('e1', null), reset, line('e3', 'r2')])).toEqual(['e3']);
  });

  test('labels, data and empty summaries say nothing; custom messages do', () => {
    const session = SessionManager.inMemory();
    const first = session.appendMessage(user('1'));
    session.appendLabelChange(first, 'x');
    session.appendCustomEntry('data', { text: 'no' });
    session.branchWithSummary(session.getLeafId(), '');
    session.appendCustomMessageEntry('memo', 'yes', false);
    expect(session.buildSessionContext().messages.map(wordOf)).toEqual(['1', 'yes']);
  });

  test('a message that is none says nothing, and one without content says an empty thing', () => {
    const entries = [
      line('e1', null, { message: null }),
      line('e2', 'e1', { message: { ...user(''), content: null } }),
    ];
    expect(buildSessionContext(entries).messages).toEqual([{ ...user(''), content: [] }]);
  });

  test('the system prompt as it stood goes with the compaction', () => {
    const session = SessionManager.inMemory();
    session.appendMessage({
      role: 'system',
      content: 'be kind',
      sections: { a: '1', b: '2' },
      toolsAdded: [{ name: 'read' }],
      timestamp: 1,
    });
    session.appendMessage({ role: 'system', content: 'be brief', sections: { a: null }, timestamp: 2 });
    const kept = session.appendMessage(user('1'));
    session.appendMessage({ role: 'system', content: 'be nice', toolsRemoved: [{ name: 'read' }], timestamp: 3 });
    session.appendCompaction('s', kept, 9);
    expect(session.buildSessionContext().messages).toMatchObject([
      { role: 'system', content: 'be kind\n\nbe brief\n\nbe nice', sections: { b: '2' } },
      { role: 'compactionSummary' },
      user('1'),
    ]);
  });

  test('each message comes with its entry', () => {
    const entries = [
      line('e1', null),
      compaction('c2', 'e1', 'e1'),
      line('l3', 'c2', { type: 'label', targetId: 'e1' }),
    ];
    expect(
      buildSessionProjection(entries).entries.map(({ sourceEntry, messages }) => [sourceEntry.id, messages.length]),
    ).toEqual(
      [['c2', 1], ['e1', 1], ['l3', 0]], // biome-ignore format: pairs
    );
    expect(buildContextEntries(entries).map(({ id }) => id)).toEqual(['c2', 'e1', 'l3']);
  });
});

describe('J10: what the model is sent', () => {
  const sent = (message: AgentMessage) => convertToLlm([message]);
  const text = (value: string) => [{ role: 'user', content: [{ type: 'text', text: value }], timestamp: 1 }];

  test.each<[string, AgentMessage, string]>([
    [
      'a branch summary',
      { role: 'branchSummary', summary: 'S', fromId: 'x', timestamp: 1 },
      'The following is a summary of a branch that this conversation came back from:\n\n<summary>\nS</summary>',
    ],
    [
      'a compaction',
      { role: 'compactionSummary', summary: 'S', tokensBefore: 1, timestamp: 1 },
      'The conversation history before this point was compacted into the following summary:\n\n<summary>\nS\n</summary>',
    ],
    ['a custom message', { role: 'custom', customType: 'c', content: 'said', display: false, timestamp: 1 }, 'said'],
    [
      'a command',
      {
        role: 'bashExecution',
        command: 'ls',
        output: 'a',
        exitCode: 2,
        cancelled: false,
        truncated: true,
        fullOutputPath: '/f',
        timestamp: 1,
      },
      'Ran `ls`\n```\na\n```\n\nCommand exited with code 2\n\n[Output truncated. Full output: /f]',
    ],
    [
      'a cancelled command',
      {
        role: 'bashExecution',
        command: 'ls',
        output: '',
        exitCode: undefined,
        cancelled: true,
        truncated: false,
        timestamp: 1,
      },
      'Ran `ls`\n(no output)\n\n(command cancelled)',
    ],
    [
      'a mentioned file',
      { role: 'fileMention', files: [{ path: 'a', content: 'b' }], timestamp: 1 },
      '<system-reminder>\n<file path="a">\nb\n</file>\n</system-reminder>',
    ],
  ])('%s becomes text of the user', (_, message, expected) => {
    expect(sent(message)).toEqual(text(expected));
  });

  test('blocks of a custom message stay blocks', () => {
    const content = [{ type: 'image' as const, data: 'x', mimeType: 'image/png' }];
    expect(sent({ role: 'custom', customType: 'c', content, display: true, timestamp: 1 })).toMatchObject([
      { role: 'user', content },
    ]);
  });

  test('what the human ran with `!!` is not sent, nor what nobody knows', () => {
    const run = {
      role: 'bashExecution',
      command: 'ls',
      output: '',
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 1,
    } as const;
    expect(sent({ ...run, excludeFromContext: true })).toEqual([]);
    expect(sent({ role: 'dream', timestamp: 1 } as unknown as AgentMessage)).toEqual([]);
  });

  test('user, assistant, system and results go as they are', () => {
    const messages = [user('1'), assistant('2')];
    expect(convertToLlm(messages)).toEqual(messages);
  });
});
