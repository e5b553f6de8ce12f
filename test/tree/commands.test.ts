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
  type Files,
  factsOf,
  type Json,
  linesOf,
  meta,
  piEntry,
  piHeader,
  piTree,
  piUser,
  progress,
  recordOf,
  stdout,
  system,
  threadOf,
  user,
} from '../kit/transcript.ts';

const text = (value: string): Json => ({ type: 'text', text: value });
const stderr = (uuid: string, parent: string | null, said: string): Json =>
  user(uuid, parent, `<local-command-stderr>${said}</local-command-stderr>`);
const local = (uuid: string, parent: string | null, content: string): Json =>
  system(uuid, parent, 'local_command', { content, level: 'info' });
const bash = (uuid: string, parent: string | null, said = 'ls'): Json =>
  user(uuid, parent, `<bash-input>${said}</bash-input>`);
const printed = (uuid: string, parent: string | null, out = '', err = ''): Json =>
  user(uuid, parent, `<bash-stdout>${out}</bash-stdout><bash-stderr>${err}</bash-stderr>`);

/** What a command printed, as its replies say it; empty: there was no output at all. */
const outputOf = (lines: readonly Json[], id: string): Json[] =>
  contentOf(recordOf(claudeTree(lines), id), lines, 'reply').filter(({ type }) => type === 'output');
const out = (said: string): Json => ({ type: 'output', stream: 'stdout', text: said });
const err = (said: string): Json => ({ type: 'output', stream: 'stderr', text: said });

describe('H4 a command and its output', () => {
  const init = [command('c1', null, '/init'), stdout('o2', 'c1', 'done'), assistant('a3', 'o2')];

  test('H4 a command with an output is one built-in command, and what follows hangs on it', () => {
    const tree = claudeTree(init);
    expect(threadOf(tree)).toEqual(['c1', 'a3']);
    expect(recordOf(tree, 'c1')).toMatchObject({ kind: 'built_in_command', aliases: ['o2'] });
    expect(recordOf(tree, 'a3').parent).toBe('c1');
  });

  test('H4 a command has the text its output says', () => {
    expect(outputOf(init, 'c1')).toEqual([out('done')]);
  });

  test('H4 a command with an empty output has an empty string', () => {
    expect(outputOf([command('c1', null, '/init'), stdout('o2', 'c1')], 'c1')).toEqual([out('')]);
  });

  test('H4 a command without an output has none', () => {
    const lines = [command('c1', null, '/init'), assistant('a2', 'c1')];
    expect(recordOf(claudeTree(lines), 'c1').kind).toBe('built_in_command');
    expect(outputOf(lines, 'c1')).toEqual([]);
  });

  test('H4 what a command says on stderr is its output too', () => {
    expect(outputOf([command('c1', null, '/x'), stderr('o2', 'c1', 'no')], 'c1')).toEqual([err('no')]);
  });

  test('H4 one line may hold both streams', () => {
    const both = '<local-command-stdout>yes</local-command-stdout>\n<local-command-stderr>no</local-command-stderr>';
    expect(outputOf([command('c1', null, '/x'), user('o2', 'c1', both)], 'c1')).toEqual([out('yes'), err('no')]);
  });

  test('H4 a command keeps both outputs that hang on it', () => {
    const lines = [
      command('c1', null, '/x'),
      stdout('o2', 'c1', 'yes'),
      stderr('o3', 'c1', 'no'),
      assistant('a4', 'o3'),
    ];
    expect(outputOf(lines, 'c1')).toEqual([out('yes'), err('no')]);
    expect(threadOf(claudeTree(lines))).toEqual(['c1', 'a4']);
  });

  test('H4 a command keeps an output that hangs on its other output', () => {
    const lines = [command('c1', null, '/x'), stdout('o2', 'c1', 'yes'), stderr('o3', 'o2', 'no')];
    expect(outputOf(lines, 'c1')).toEqual([out('yes'), err('no')]);
  });

  test('H4 an output finds its command through a skipped line', () => {
    const lines = [command('c1', null, '/x'), progress('p2', 'c1'), stdout('o3', 'p2', 'done')];
    expect(outputOf(lines, 'c1')).toEqual([out('done')]);
  });

  test('H4 an output that hangs on the caveat of its command is in no thread and stays readable', () => {
    const tree = claudeTree([
      user('u1', null),
      caveat('m2', 'u1'),
      command('c3', 'm2', '/x'),
      stdout('o4', 'm2', 'done'),
      assistant('a5', 'o4'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'c3', 'a5']);
    const readable = ['u1', 'c3'].flatMap((id) => [
      ...recordOf(tree, id).aliases,
      ...recordOf(tree, id).annotations.map(({ key }) => key),
    ]);
    expect(readable).toContain('o4');
  });

  test('H4 outputs go to the command they hang on, not to the one before them', () => {
    const lines = [
      command('c1', null, '/x'),
      command('c2', 'c1', '/y'),
      stdout('o3', 'c1', 'of x'),
      stdout('o4', 'c2', 'of y'),
    ];
    expect([outputOf(lines, 'c1'), outputOf(lines, 'c2')]).toEqual([[out('of x')], [out('of y')]]);
  });

  test('H4 commands that hang on one caveat keep their own outputs', () => {
    const lines = [
      caveat('m1', null),
      command('c2', 'm1', '/doctor'),
      stdout('o3', 'c2', '(no content)'),
      command('c4', 'm1', '/mcp'),
      stdout('o5', 'c4', 'No servers'),
    ];
    expect(threadOf(claudeTree(lines))).toEqual(['c2', 'c4']);
    expect(outputOf(lines, 'c4')).toEqual([out('No servers')]);
  });

  test('H4 an output that answers nothing is skipped', () => {
    const tree = claudeTree([user('u1', null), stdout('o2', 'u1', 'x'), assistant('a3', 'o2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
    expect(recordOf(tree, 'u1').annotations.map(({ key }) => key)).toEqual(['o2']);
  });

  test('H4 an output may stand before its command', () => {
    const lines = [user('u1', null), stdout('o3', 'c2', 'done'), command('c2', 'u1', '/x')];
    expect(outputOf(lines, 'c2')).toEqual([out('done')]);
  });

  test.each([
    ['after', ['one.jsonl', 'two.jsonl']],
    ['before', ['two.jsonl', 'one.jsonl']],
  ])('H4 an output in another file is found, read %s its command', (_name, order) => {
    const files: Files = {
      'one.jsonl': [command('c1', null, '/x')],
      'two.jsonl': [stdout('o2', 'c1', 'done'), user('u3', 'o2')],
    };
    const tree = claudeTree(Object.fromEntries(order.map((path) => [path, files[path] ?? []])));
    expect(recordOf(tree, 'o2').id).toBe('c1');
    expect(recordOf(tree, 'u3').parent).toBe('c1');
  });
});

describe('H4 a command with an expanded prompt', () => {
  const expanded = (lines: readonly Json[], id: string): Json[] =>
    contentOf(recordOf(claudeTree(lines), id), lines, 'reply');

  test.each<[string, unknown]>([
    ['blocks', [text('# Commit')]],
    ['a text', '# Commit'],
  ])('H4 a command with an injected child is user-defined and has its text: %s', (_name, content) => {
    const lines = [command('c1', null, '/commit'), meta('m2', 'c1', content), assistant('a3', 'm2')];
    const tree = claudeTree(lines);
    expect(threadOf(tree)).toEqual(['c1', 'a3']);
    expect(recordOf(tree, 'c1')).toMatchObject({ kind: 'user_defined_command', aliases: ['m2'] });
    expect(recordOf(tree, 'a3').parent).toBe('c1');
    expect(expanded(lines, 'c1')).toEqual([text('# Commit')]);
  });

  test('H4 a command becomes user-defined when its expanded prompt is read', () => {
    const tree = new Tree();
    const facts = factsOf(claudeCode, 's.jsonl');
    const lines = linesOf(claudeCode, 's.jsonl', [command('c1', null, '/x'), meta('m2', 'c1', [text('# X')])]);
    tree.add(facts, lines.slice(0, 1));
    expect(recordOf(tree, 'c1').kind).toBe('built_in_command');
    expect(tree.add(facts, lines.slice(1))).toMatchObject({ added: [], changed: ['c1'], removed: [] });
    expect(recordOf(tree, 'c1').kind).toBe('user_defined_command');
  });

  test('H4 a user-defined command is known without arguments and with its message first', () => {
    const tags = '<command-message>commit is running…</command-message>\n<command-name>/commit</command-name>';
    const tree = claudeTree([user('c1', null, tags), meta('m2', 'c1', [text('# Commit')])]);
    expect(recordOf(tree, 'c1').kind).toBe('user_defined_command');
  });

  test.each<[string, Json]>([
    ['a caveat', caveat('m2', 'c1')],
    ['a caveat in a tag', meta('m2', 'c1', '<local-command-caveat>Caveat: …</local-command-caveat>')],
    ['a reminder', meta('m2', 'c1', '<system-reminder>x</system-reminder>')],
    ['a pasted image', meta('m2', 'c1', [text('[Image: source: /r/a.png]')])],
  ])('H4 an injected child that is %s is no expanded prompt', (_name, line) => {
    const tree = claudeTree([command('c1', null, '/x'), line, assistant('a3', 'm2')]);
    expect(recordOf(tree, 'c1').kind).toBe('built_in_command');
    expect(recordOf(tree, 'c1').annotations.map(({ key }) => key)).toEqual(['m2']);
  });

  test('H4 only a child is an expanded prompt, not a later injected line', () => {
    const tree = claudeTree([
      command('c1', null, '/x'),
      stdout('o2', 'c1', 'done'),
      user('u3', 'o2'),
      meta('m4', 'u3', [text('# X')]),
    ]);
    expect(recordOf(tree, 'c1').kind).toBe('built_in_command');
  });

  test('H4 an injected line after the output of a command is no expanded prompt of it', () => {
    const tree = claudeTree([
      command('c1', null, '/model'),
      stdout('o2', 'c1', 'Set model'),
      meta('m3', 'o2', 'Continue from where you left off.'),
      assistant('a4', 'm3'),
    ]);
    expect(recordOf(tree, 'c1').kind).toBe('built_in_command');
  });

  test('H4 injected lines behind the expanded prompt are passed over', () => {
    const lines = [
      command('c1', null, '/x'),
      meta('m2', 'c1', [text('# X')]),
      meta('m3', 'm2', [text('[Image: source: /r/a.png]')]),
      attachment('t4', 'm3', { type: 'command_permissions', allowedTools: [] }),
      assistant('a5', 't4'),
    ];
    expect(threadOf(claudeTree(lines))).toEqual(['c1', 'a5']);
    expect(expanded(lines, 'c1')).toEqual([text('# X')]);
  });

  test('H4 an expanded prompt finds its command through a skipped line', () => {
    const tree = claudeTree([
      command('c1', null, '/x'),
      attachment('t2', 'c1', { type: 'command_permissions', allowedTools: [] }),
      meta('m3', 't2', [text('# X')]),
    ]);
    expect(recordOf(tree, 'c1').kind).toBe('user_defined_command');
  });

  test('H4 a user-defined command may have an output too', () => {
    const lines = [
      command('c1', null, '/x'),
      stdout('o2', 'c1', 'ok'),
      meta('m3', 'c1', [text('# X')]),
      assistant('a4', 'm3'),
    ];
    expect(recordOf(claudeTree(lines), 'c1').kind).toBe('user_defined_command');
    expect(outputOf(lines, 'c1')).toEqual([out('ok')]);
  });

  test('H4 an expanded prompt is not the text of the human', () => {
    const lines = [command('c1', null, '/x', 'now'), meta('m2', 'c1', [text('# X')])];
    expect(contentOf(recordOf(claudeTree(lines), 'c1'), lines)).toEqual([{ type: 'command', name: '/x', args: 'now' }]);
  });

  test('H4 a command that stands inside a sub-agent has its expanded prompt there', () => {
    const inside = { isSidechain: true, agentId: 'x' };
    const tree = claudeTree({
      's.jsonl': [user('u1', null)],
      's/subagents/agent-x.jsonl': [
        user('c1', null, '<command-name>/x</command-name>', inside),
        meta('m2', 'c1', [text('# X')], inside),
        assistant('b3', 'm2', 'ok', inside),
      ],
    });
    expect(tree.subagentRecords('x')).toEqual(['c1', 'b3']);
    expect(recordOf(tree, 'c1').kind).toBe('user_defined_command');
  });
});

describe('H4 how a command is written', () => {
  const said = (content: unknown): Json[] => {
    const lines = [user('c1', null, content)];
    return contentOf(recordOf(claudeTree(lines), 'c1'), lines);
  };
  const name = '<command-name>/x</command-name>';
  const message = '<command-message>x is running…</command-message>';
  const args = (value: string): string => `<command-args>${value}</command-args>`;

  test.each<[string, unknown, string]>([
    ['name, message, arguments', `${name}\n  ${message}\n  ${args('a b')}`, 'a b'],
    ['message, name, arguments', `${message}\n${name}\n${args('a b')}`, 'a b'],
    ['arguments, message, name', `${args('a b')}${message}${name}`, 'a b'],
    ['no arguments', `${message}${name}`, ''],
    ['empty arguments', name + args(''), ''],
    ['nothing but the name', name, ''],
    ['padded', `\n\n   ${name}\n            ${args('  a b\n')}   \n`, 'a b'],
    ['after a byte order mark', `\uFEFF${name}`, ''],
    ['arguments with <', name + args('if a < b && c > d'), 'if a < b && c > d'],
    ['arguments with a tag', name + args('<div>x</div>'), '<div>x</div>'],
    [
      'arguments that quote the end of their tag',
      name + args('say </command-args> twice'),
      'say </command-args> twice',
    ],
    [
      'arguments that quote another command',
      name + args('<command-name>/y</command-name>'),
      '<command-name>/y</command-name>',
    ],
    ['arguments of several lines', name + args('one\ntwo'), 'one\ntwo'],
    ['in a block', [{ type: 'text', text: name + args('a') }], 'a'],
    ['as a text among blocks', [name + args('a')], 'a'],
    ['without its slash', `<command-name>x</command-name>${args('a')}`, 'a'],
    ['behind injected text', `<ide_opened_file>a.ts</ide_opened_file>\n${name}${args('a')}`, 'a'],
  ])('H4 a command is told by its tags: %s', (_name, content, expected) => {
    expect(said(content)).toContainEqual({ type: 'command', name: '/x', args: expected });
  });

  test('H4 arguments in front of the name that quote a name do not rename the command', () => {
    expect(said(args('<command-name>/y</command-name>') + name)).toEqual([
      { type: 'command', name: '/x', args: '<command-name>/y</command-name>' },
    ]);
  });

  test('H4 a text that only holds the tags later on is a prompt', () => {
    const tree = claudeTree([user('c1', null, `look at ${name}`)]);
    expect(recordOf(tree, 'c1')).toMatchObject({ kind: 'user', origin: 'human' });
  });
});

describe('H4 commands of newer versions', () => {
  const tags =
    '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>';
  const said = '<local-command-stdout>Set model</local-command-stdout>';

  test.each<[string, Json, Json]>([
    ['two system lines', local('c2', 'u1', tags), local('o3', 'c2', said)],
    ['a user line and a system line', user('c2', 'u1', tags), local('o3', 'c2', said)],
    ['a system line and a user line', local('c2', 'u1', tags), stdout('o3', 'c2', 'Set model')],
    ['two system lines without parents', local('c2', null, tags), local('o3', null, said)],
  ])('H4 a local command and its output are one built-in command: %s', (_name, first, second) => {
    const lines = [user('u1', null), first, second];
    expect(recordOf(claudeTree(lines), 'c2')).toMatchObject({ kind: 'built_in_command', aliases: ['o3'] });
    expect(outputOf(lines, 'c2')).toEqual([out('Set model')]);
  });

  test('H4 an empty output of a local command is an empty string', () => {
    const lines = [
      user('u1', null),
      local('c2', 'u1', tags),
      local('o3', 'c2', '<local-command-stdout></local-command-stdout>'),
    ];
    expect(outputOf(lines, 'c2')).toEqual([out('')]);
  });

  test('H4 what follows a local command hangs on it', () => {
    const tree = claudeTree([user('u1', null), local('c2', 'u1', tags), local('o3', 'c2', said), user('u4', 'o3')]);
    expect(threadOf(tree)).toEqual(['u1', 'c2', 'u4']);
    expect(recordOf(tree, 'u4').parent).toBe('c2');
  });

  test('H4 a local command without tags is an annotation', () => {
    const tree = claudeTree([user('u1', null), local('c2', 'u1', 'Settings saved'), assistant('a3', 'c2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
    expect(recordOf(tree, 'u1').annotations).toMatchObject([{ key: 'c2', kind: 'system/local_command' }]);
  });
});

describe('H4 the bash escape', () => {
  test('H4 a bash escape and the output that follows are one record', () => {
    const lines = [bash('b1', null), printed('o2', 'b1', 'a.txt', 'oops'), assistant('a3', 'o2')];
    const tree = claudeTree(lines);
    expect(threadOf(tree)).toEqual(['b1', 'a3']);
    expect(recordOf(tree, 'b1')).toMatchObject({ kind: 'bash', aliases: ['o2'] });
    expect(outputOf(lines, 'b1')).toEqual([out('a.txt'), err('oops')]);
    expect(contentOf(recordOf(tree, 'b1'), lines)).toEqual([text('ls')]);
  });

  test('H4 the streams of a bash escape may come in two lines', () => {
    const lines = [
      bash('b1', null),
      user('o2', 'b1', '<bash-stdout>yes</bash-stdout>'),
      user('o3', 'o2', '<bash-stderr>no</bash-stderr>'),
      assistant('a4', 'o3'),
    ];
    expect(outputOf(lines, 'b1')).toEqual([out('yes'), err('no')]);
    expect(threadOf(claudeTree(lines))).toEqual(['b1', 'a4']);
  });

  test.each<[string, string | null]>([
    ['the caveat', 'm2'],
    ['the prompt before', 'u1'],
    ['nothing', null],
  ])('H4 the output that follows a bash escape belongs to it even if it hangs on %s', (_name, parent) => {
    const lines = [user('u1', null), caveat('m2', 'u1'), bash('b3', 'm2'), printed('o4', parent, 'a.txt')];
    expect(outputOf(lines, 'b3')).toEqual([out('a.txt'), err('')]);
  });

  test('H4 skipped lines between a bash escape and its output are passed over', () => {
    const lines = [bash('b1', null), progress('p2', 'b1'), printed('o3', 'p2', 'a.txt')];
    expect(outputOf(lines, 'b1')).toEqual([out('a.txt'), err('')]);
  });

  test('H4 two bash escapes keep their own outputs', () => {
    const lines = [
      bash('b1', null, 'ls'),
      bash('b2', 'b1', 'pwd'),
      printed('o3', 'b1', 'of ls'),
      printed('o4', 'b2', 'of pwd'),
    ];
    expect([outputOf(lines, 'b1'), outputOf(lines, 'b2')]).toEqual([
      [out('of ls'), err('')],
      [out('of pwd'), err('')],
    ]);
  });

  test('H4 a bash escape without an output has none', () => {
    expect(outputOf([bash('b1', null), assistant('a2', 'b1')], 'b1')).toEqual([]);
  });

  test('H4 a bash escape with an empty output has empty strings', () => {
    expect(outputOf([bash('b1', null), printed('o2', 'b1')], 'b1')).toEqual([out(''), err('')]);
  });

  test('H4 bash output that follows something else is skipped', () => {
    const tree = claudeTree([user('u1', null), printed('o2', 'u1', 'x'), assistant('a3', 'o2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
  });

  test('H4 bash output quotes its own tags without losing text', () => {
    const lines = [bash('b1', null), printed('o2', 'b1', 'a </bash-stdout> b')];
    expect(outputOf(lines, 'b1')).toContainEqual(out('a </bash-stdout> b'));
  });

  test('H4 bash output with < in it stays as it is', () => {
    expect(outputOf([bash('b1', null), printed('o2', 'b1', 'if (a<b) <x>')], 'b1')).toContainEqual(out('if (a<b) <x>'));
  });

  test('H4 a bash escape of Pi holds its output itself', () => {
    const run = {
      role: 'bashExecution',
      command: 'ls',
      output: 'a',
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 0,
    };
    const tree = piTree([
      piHeader('S'),
      piUser('u1', null),
      piEntry('message', 'b2', 'u1', { message: run }),
      piUser('u3', 'b2'),
    ]);
    expect(threadOf(tree)).toEqual(['S/u1', 'S/b2', 'S/u3']);
    expect(recordOf(tree, 'S/b2')).toMatchObject({ kind: 'bash', aliases: [] });
  });
});
