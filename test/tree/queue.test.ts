import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Tree } from '../../src/tree/index.ts';
import {
  assistant,
  attachment,
  caveat,
  claudeTree,
  command,
  contentOf,
  factsOf,
  type Json,
  linesOf,
  onlySession,
  queue,
  queuedCommand,
  recordOf,
  system,
  threadOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const start = [user('u1', null, 'begin'), assistant('a2', 'u1', [toolUse('A')])];
const notice = (id: string): string =>
  `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n</task-notification>`;

/** A queued command as some versions write it: without uuid and parent. */
const loose = (prompt: unknown): Json => {
  const { uuid: _uuid, parentUuid: _parent, ...line } = queuedCommand('', null, prompt);
  return line;
};

/** Every record of the thread after the two it begins with, as `id: what the human typed`. */
function shown(...lines: readonly Json[]): string[] {
  const all = [...start, ...lines];
  const tree = claudeTree(all);
  const records = threadOf(tree).map((id) => recordOf(tree, id));
  return records.slice(2).map((record) => {
    const texts = contentOf(record, all).flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return `${record.id}: ${texts.join(' ')}${record.queued ? ' (queued)' : ''}`;
  });
}

describe('H5 enqueued then dequeued', () => {
  test('H5 it is the user record that follows', () => {
    expect(shown(queue('enqueue', 'x'), queue('dequeue'), user('u5', 'a2', 'x'))).toEqual(['u5: x']);
  });

  test('H5 the steps of the queue are lines of that record', () => {
    const tree = claudeTree([...start, queue('enqueue', 'x'), queue('dequeue'), user('u5', 'a2', 'x')]);
    expect(recordOf(tree, 'u5').lines.map(({ ref, as }) => [ref.line, as])).toEqual([
      [5, 'part'],
      [3, 'queue'],
      [4, 'queue'],
    ]);
  });

  test('H5 the record may say it in other words', () => {
    expect(shown(queue('enqueue', 'x'), queue('dequeue'), user('u5', 'a2', 'x and an image'))).toEqual([
      'u5: x and an image',
    ]);
  });

  test('H5 the first that was put in is the first that comes out', () => {
    expect(shown(queue('enqueue', 'x'), queue('enqueue', 'y'), queue('dequeue'), user('u6', 'a2', 'x'))).toEqual([
      's:4: y (queued)',
      'u6: x',
    ]);
  });

  test('H5 the same words twice are two prompts: one came out, one waits', () => {
    expect(shown(queue('enqueue', 'x'), queue('enqueue', 'x'), queue('dequeue'), user('u6', 'a2', 'x'))).toEqual([
      's:4: x (queued)',
      'u6: x',
    ]);
  });

  test('H5 the same words twice are two prompts: both came out', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'x'),
        queue('dequeue'),
        user('u6', 'a2', 'x'),
        assistant('a7', 'u6', 'ok'),
        queue('dequeue'),
        user('u9', 'a7', 'x'),
      ),
    ).toEqual(['u6: x', 'a7: ok', 'u9: x']);
  });

  test('H5 the same words typed again later are another prompt', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('dequeue'),
        user('u5', 'a2', 'x'),
        assistant('a6', 'u5', 'ok'),
        user('u7', 'a6', 'x'),
      ),
    ).toEqual(['u5: x', 'a6: ok', 'u7: x']);
  });

  test('H5 two prompts taken out at once may be one record', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'y'),
        queue('dequeue'),
        queue('dequeue'),
        user('u7', 'a2', 'x\ny'),
        assistant('a8', 'u7', 'ok'),
      ),
    ).toEqual(['u7: x\ny', 'a8: ok']);
  });

  test('H5 two prompts taken out at once are the record that follows, also when nothing follows that', () => {
    expect(
      shown(queue('enqueue', 'x'), queue('enqueue', 'y'), queue('dequeue'), queue('dequeue'), user('u7', 'a2', 'x\ny')),
    ).toEqual(['u7: x\ny']);
  });

  test('H5 two prompts taken out at once may be two records', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'y'),
        queue('dequeue'),
        queue('dequeue'),
        user('u7', 'a2', 'x'),
        user('u8', 'u7', 'y'),
        assistant('a9', 'u8', 'ok'),
      ),
    ).toEqual(['u7: x', 'u8: y', 'a9: ok']);
  });

  test.each<[string, Json[]]>([
    ['a result', [user('r5', 'a2', [toolResult('A')])]],
    ['an attachment', [attachment('t5', 'a2', { type: 'skill_listing' })]],
    ['a system line', [system('t5', 'a2', 'turn_duration')]],
    ['a caveat', [caveat('t5', 'a2')]],
    ['a title', [{ type: 'ai-title', aiTitle: 'x', sessionId: 's' }]],
    ['a line of a sub-agent', [user('v5', null, 'go', { isSidechain: true, agentId: 'y' })]],
  ])('H5 the record may follow after %s', (_name, between) => {
    expect(shown(queue('enqueue', 'x'), queue('dequeue'), ...between, user('u6', 'a2', 'x'))).toEqual(['u6: x']);
  });

  test('H5 an interruption in between takes nothing away', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('dequeue'),
        user('i5', 'a2', [{ type: 'text', text: '[Request interrupted by user]' }]),
        user('u6', 'i5', 'x'),
      ),
    ).toEqual(['i5: [Request interrupted by user]', 'u6: x']);
  });

  test('H5 a prompt that was taken out and then never written is not lost', () => {
    expect(shown(queue('enqueue', 'x'), queue('dequeue'))).toEqual([expect.stringMatching(/^s:\d: x/)]);
  });

  test('H5 a command that waited is the command that follows', () => {
    const lines = [...start, queue('enqueue', '/init'), queue('dequeue'), command('c5', 'a2', '/init')];
    expect(threadOf(claudeTree(lines))).toEqual(['u1', 'a2', 'c5']);
  });

  test('H5 a bash escape that waited is the escape that follows', () => {
    expect(shown(queue('enqueue', '!ls'), queue('dequeue'), user('b5', 'a2', '<bash-input>ls</bash-input>'))).toEqual([
      'b5: ls',
    ]);
  });

  test('H5 a skipped command that waited is shown nowhere', () => {
    const lines = [
      ...start,
      queue('enqueue', '/usage'),
      queue('dequeue'),
      command('c5', 'a2', '/usage'),
      assistant('a6', 'c5'),
    ];
    expect(threadOf(claudeTree(lines))).toEqual(['u1', 'a2', 'a6']);
  });

  test('H5 taking out of an empty queue changes nothing', () => {
    expect(shown(queue('dequeue'), user('u4', 'a2', 'x'), queue('enqueue', 'y'))).toEqual(['u4: x', 's:5: y (queued)']);
  });

  test('H5 a session may begin with a prompt that waited', () => {
    const tree = claudeTree([queue('enqueue', 'x'), queue('dequeue'), user('u3', null, 'x'), assistant('a4', 'u3')]);
    expect(onlySession(tree)).toMatchObject({ roots: ['u3'], recordCount: 2 });
    expect(tree.findings()).toEqual([]);
  });
});

describe('H5 enqueued then removed', () => {
  test('H5 it is the attachment that follows', () => {
    expect(shown(queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', 'x'))).toEqual(['q5: x']);
  });

  test('H5 it is the attachment that was written before', () => {
    expect(shown(queue('enqueue', 'x'), queuedCommand('q4', 'a2', 'x'), queue('remove', 'x'))).toEqual(['q4: x']);
  });

  test('H5 an attachment is a prompt of the human', () => {
    const tree = claudeTree([...start, queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', 'x')]);
    expect(recordOf(tree, 'q5')).toMatchObject({ kind: 'user', origin: 'human', queued: false, parent: 'a2' });
  });

  test('H5 without an attachment it stands at the line that removed it', () => {
    const lines = [
      ...start,
      queue('enqueue', 'x'),
      user('r4', 'a2', [toolResult('A')]),
      queue('remove', 'x'),
      assistant('a6', 'r4'),
    ];
    const tree = claudeTree(lines);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 's:5', 'a6']);
    expect(recordOf(tree, 's:5')).toMatchObject({ kind: 'user', origin: 'human', queued: false });
  });

  test('H5 a remove without words has those of the prompt it removed', () => {
    expect(shown(queue('enqueue', 'x'), queue('remove'), assistant('a5', 'a2', 'ok'))).toEqual(['s:4: x', 'a5: ok']);
  });

  test('H5 a remove without words is the attachment that follows', () => {
    expect(shown(queue('enqueue', 'x'), queue('remove'), queuedCommand('q5', 'a2', 'x'))).toEqual(['q5: x']);
  });

  test('H5 a remove whose prompt was never put in is shown', () => {
    expect(shown(queue('remove', 'x'))).toEqual(['s:3: x']);
  });

  test('H5 an attachment without a uuid is named by its place and shown once', () => {
    expect(shown(queue('enqueue', 'x'), queue('remove', 'x'), loose('x'))).toEqual(['s:5: x']);
  });

  test('H5 an attachment without a uuid stands where it was written', () => {
    expect(shown(loose('x'), assistant('a4', 'a2', 'ok'))).toEqual(['s:3: x', 'a4: ok']);
  });

  test('H5 an attachment that no step of the queue speaks of is shown', () => {
    expect(shown(queuedCommand('q3', 'a2', 'x'), assistant('a4', 'q3', 'ok'))).toEqual(['q3: x', 'a4: ok']);
  });

  test('H5 the words of an attachment may be blocks', () => {
    const blocks = [{ type: 'text', text: 'x' }];
    expect(shown(queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', blocks))).toEqual(['q5: x']);
  });

  test('H5 an attachment may say it in other words', () => {
    expect(shown(queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', 'x!'))).toEqual(['q5: x!']);
    expect(shown(queue('enqueue', 'x'), queuedCommand('q4', 'a2', 'x!'), queue('remove', 'x'))).toEqual(['q4: x!']);
  });

  test('H5 the same words twice are two attachments', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'x'),
        queue('remove', 'x'),
        queue('remove', 'x'),
        queuedCommand('q7', 'a2', 'x'),
        queuedCommand('q8', 'q7', 'x'),
      ),
    ).toEqual(['q7: x', 'q8: x']);
  });

  test('H5 the same words twice are two attachments, also when these were written before', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'x'),
        queuedCommand('q5', 'a2', 'x'),
        queuedCommand('q6', 'q5', 'x'),
        queue('remove', 'x'),
        queue('remove', 'x'),
      ),
    ).toEqual(['q5: x', 'q6: x']);
  });

  test('H5 the same words twice, one removed: the other waits', () => {
    expect(
      shown(queue('enqueue', 'x'), queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q6', 'a2', 'x')).sort(),
    ).toEqual(['q6: x', 's:4: x (queued)']);
  });

  test('H5 attachments may come in another order than they were removed', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'y'),
        queue('remove', 'x'),
        queue('remove', 'y'),
        queuedCommand('q7', 'a2', 'y'),
        queuedCommand('q8', 'q7', 'x'),
      ),
    ).toEqual(['q7: y', 'q8: x']);
  });

  test('H5 one may be removed while an earlier one waits for its turn', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('enqueue', 'y'),
        queue('remove', 'y'),
        queuedCommand('q6', 'a2', 'y'),
        queue('dequeue'),
        user('u8', 'q6', 'x'),
      ),
    ).toEqual(['q6: y', 'u8: x']);
  });

  test('H5 an attachment of no known prompt does not swallow one that is removed later', () => {
    expect(
      shown(
        queuedCommand('q3', 'a2', 'x'),
        assistant('a4', 'q3', 'ok'),
        queue('enqueue', 'y'),
        queue('remove', 'y'),
        assistant('a7', 'a4', 'ok'),
      ),
    ).toEqual(['q3: x', 'a4: ok', 's:6: y', 'a7: ok']);
  });

  test('H5 a prompt removed without an attachment is not swallowed by the attachment of a later one', () => {
    expect(
      shown(
        queue('enqueue', 'x'),
        queue('remove', 'x'),
        assistant('a5', 'a2', 'ok'),
        queue('enqueue', 'y'),
        queuedCommand('q7', 'a5', 'y'),
        queue('remove', 'y'),
        assistant('a9', 'q7', 'ok'),
      ),
    ).toEqual(['s:4: x', 'a5: ok', 'q7: y', 'a9: ok']);
  });

  test('H5 a removed prompt is not shown again by a record that only follows', () => {
    expect(
      shown(queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', 'x'), user('u6', 'q5', 'next')),
    ).toEqual(['q5: x', 'u6: next']);
  });

  test('H5 an attachment copied into another file is one record', () => {
    const lines = [...start, queuedCommand('q3', 'a2', 'x')];
    const tree = claudeTree({ 'one.jsonl': lines, 'two.jsonl': [...lines, assistant('a4', 'q3')] });
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'q3', 'a4']);
  });

  test('H5 a copied attachment does not swallow a prompt removed in the copy', () => {
    const lines = [...start, queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', 'x')];
    const copied = [...start, queuedCommand('q5', 'a2', 'x')];
    const tree = claudeTree({
      'one.jsonl': lines,
      'two.jsonl': [
        ...copied,
        assistant('a4', 'q5'),
        queue('enqueue', 'y'),
        queue('remove', 'y'),
        assistant('a7', 'a4'),
      ],
    });
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'q5', 'a4', 'two:6', 'a7']);
  });
});

describe('H5 popped, or still waiting', () => {
  test('H5 what was popped is bookkeeping', () => {
    expect(shown(queue('enqueue', 'x'), queue('enqueue', 'y'), queue('popAll'))).toEqual([]);
  });

  test('H5 what was popped and sent again is shown once', () => {
    expect(shown(queue('enqueue', 'x'), queue('enqueue', 'y'), queue('popAll'), user('u6', 'a2', 'x\ny'))).toEqual([
      'u6: x\ny',
    ]);
  });

  test('H5 what was put in after popping waits', () => {
    expect(shown(queue('enqueue', 'x'), queue('popAll'), queue('enqueue', 'y'))).toEqual(['s:5: y (queued)']);
  });

  test('H5 popping does not take back what came out before', () => {
    expect(shown(queue('enqueue', 'x'), queue('dequeue'), queue('popAll'), user('u6', 'a2', 'x'))).toEqual(['u6: x']);
  });

  test('H5 popping an empty queue changes nothing', () => {
    expect(shown(queue('popAll'), user('u4', 'a2', 'x'))).toEqual(['u4: x']);
  });

  test('H5 what still waits at the end is a prompt marked as queued, named by its place', () => {
    const line = queue('enqueue', 'x');
    const tree = claudeTree([...start, line]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 's:3']);
    expect(recordOf(tree, 's:3')).toMatchObject({
      kind: 'user',
      origin: 'human',
      queued: true,
      time: Date.parse(String(line.timestamp)),
    });
  });

  test('H5 what waits stands where it was typed', () => {
    expect(shown(queue('enqueue', 'x'), assistant('a4', 'a2', 'ok'))).toEqual(['s:3: x (queued)', 'a4: ok']);
  });

  test('H5 what waits is no second beginning and no branch', () => {
    const tree = claudeTree([...start, queue('enqueue', 'x'), assistant('a4', 'a2')]);
    expect(onlySession(tree)).toMatchObject({ roots: ['u1'], threads: [{ recordCount: 4 }] });
    expect(tree.findings()).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['texts', ['x', 'y'], 'x y'],
    ['blocks', [{ type: 'text', text: 'x' }], 'x'],
  ])('H5 what waits may be a list of %s', (_name, content, said) => {
    expect(shown(queue('enqueue', content))).toEqual([`s:3: ${said} (queued)`]);
  });

  test('H5 what waits without words shows nothing', () => {
    expect(shown(queue('enqueue'), assistant('a4', 'a2', 'ok'))).toEqual(['a4: ok']);
  });

  test('H5 what waited without words keeps its place in the queue', () => {
    expect(
      shown(
        queue('enqueue'),
        queue('enqueue', 'y'),
        queue('dequeue'),
        user('u6', 'a2', 'x'),
        assistant('a7', 'u6', 'ok'),
      ),
    ).toEqual(['s:4: y (queued)', 'u6: x', 'a7: ok']);
  });

  test('H5 the record of what waited is removed when its turn comes', () => {
    const tree = new Tree();
    const facts = factsOf(claudeCode, 's.jsonl');
    const lines = linesOf(claudeCode, 's.jsonl', [
      ...start,
      queue('enqueue', 'x'),
      queue('dequeue'),
      user('u5', 'a2', 'x'),
    ]);
    expect(tree.add(facts, lines.slice(0, 3)).added).toContain('s:3');
    expect(tree.add(facts, lines.slice(3))).toMatchObject({ added: ['u5'], removed: ['s:3'] });
    expect(tree.record('s:3')).toBeNull();
  });

  test('H5 the record at a remove is replaced when its attachment comes', () => {
    const tree = new Tree();
    const facts = factsOf(claudeCode, 's.jsonl');
    const file = [...start, queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q5', 'a2', 'x')];
    const lines = linesOf(claudeCode, 's.jsonl', file);
    expect(tree.add(facts, lines.slice(0, 4)).added).toContain('s:4');
    expect(tree.add(facts, lines.slice(4))).toMatchObject({ added: ['q5'], removed: ['s:4'] });
  });
});

describe('H5 notifications in the queue', () => {
  const seen = (...lines: readonly Json[]): string[][] => {
    const tree = claudeTree([...start, ...lines]);
    return threadOf(tree)
      .slice(2)
      .map((id) => [id, recordOf(tree, id).kind]);
  };

  test('H5 a notification that was dequeued is the record that follows', () => {
    const lines = [queue('enqueue', notice('x')), queue('dequeue'), user('n5', 'a2', notice('x'))];
    expect(seen(...lines)).toEqual([['n5', 'notification']]);
  });

  test('H5 a notification that was removed is its attachment', () => {
    const lines = [
      queue('enqueue', notice('x')),
      queue('remove', notice('x')),
      queuedCommand('q5', 'a2', notice('x'), 'task-notification'),
    ];
    expect(seen(...lines)).toEqual([['q5', 'notification']]);
  });

  test('H5 a notification that was removed without an attachment stands at that line', () => {
    expect(seen(queue('enqueue', notice('x')), queue('remove', notice('x')))).toEqual([['s:4', 'notification']]);
  });

  test('H5 a notification that still waits is one, and not of the human', () => {
    const tree = claudeTree([...start, queue('enqueue', notice('x'))]);
    expect(recordOf(tree, 's:3')).toMatchObject({ kind: 'notification', origin: null, queued: true });
  });

  test('H5 a notification and a prompt in one queue come out in their order', () => {
    const lines = [
      queue('enqueue', notice('x')),
      queue('enqueue', 'y'),
      queue('dequeue'),
      user('n6', 'a2', notice('x')),
      assistant('a7', 'n6'),
      queue('dequeue'),
      user('u9', 'a7', 'y'),
    ];
    expect(seen(...lines)).toEqual([
      ['n6', 'notification'],
      ['a7', 'assistant'],
      ['u9', 'user'],
    ]);
  });
});

test('H5 a queue belongs to its file', () => {
  const tree = claudeTree({
    'one.jsonl': [user('u1', null), queue('enqueue', 'x')],
    'two.jsonl': [user('v1', null), queue('dequeue'), user('v2', 'v1', 'y')],
  });
  expect([tree.records('one'), tree.records('two')]).toEqual([
    ['u1', 'one:2'],
    ['v1', 'v2'],
  ]);
});

test('H5 an operation nobody knows is bookkeeping and named', () => {
  const tree = claudeTree([...start, queue('shuffle', 'x')]);
  expect(tree.accounting()).toMatchObject({ records: 2, bookkeeping: 1 });
  expect(tree.findings()).toMatchObject([{ type: 'unexpected_attributes', line: 3 }]);
});
