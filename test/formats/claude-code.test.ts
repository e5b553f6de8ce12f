import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { BookkeepingLine, ChainLine, Line, QueueLine } from '../../src/model/index.ts';
import {
  assistant,
  attachment,
  blocksOf,
  boundary,
  bytesOf,
  caveat,
  commandText,
  compactSummary,
  factsOf,
  type Json,
  linesOf,
  meta,
  progress,
  queue,
  queuedCommand,
  summary,
  system,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const SUBAGENT = 's/subagents/agent-abc.jsonl';
const line = (object: object, path = 's.jsonl'): Line => linesOf(claudeCode, path, [object])[0] as Line;
const chain = (object: object, path?: string): ChainLine => line(object, path) as ChainLine;
const blocks = (object: object): Json[] => blocksOf(claudeCode, [object])[0] ?? [];
const said = (content: unknown, more: Json = {}): Json => user('u1', 'u0', content, more);
const details = (object: object): string[] => line(object).warnings.map(({ type, detail }) => `${type}: ${detail}`);
const text = (value: string): Json => ({ type: 'text', text: value });
const out = (value: string): Json => ({ type: 'output', stream: 'stdout', text: value });
const err = (value: string): Json => ({ type: 'output', stream: 'stderr', text: value });

/** What a line is, in one word: the kind of a record, or how it takes part in another one. */
function roleOf(object: object, path?: string): string {
  const read = line(object, path);
  if (read.in === 'bookkeeping') return `bookkeeping ${read.fact.type}`;
  if (read.in === 'report') return 'report';
  return `${read.in === 'queue' ? 'queue ' : ''}${read.place.as} ${read.kind}`;
}

describe('A5 who speaks in a user line', () => {
  const command = commandText('/x', 'a b');
  const notification = '<task-notification>\n<task-id>x</task-id>\n<status>completed</status>\n</task-notification>';

  test.each<[string, Json, string]>([
    ['a prompt', said('fix it'), 'record user'],
    ['a prompt of blocks', said([text('fix it')]), 'record user'],
    ['a prompt with a text among blocks', said(['fix it']), 'record user'],
    ['a command', said(command), 'record built_in_command'],
    [
      'a command with its expansion',
      said('<command-name>/x</command-name><command-contents># X</command-contents>'),
      'record user_defined_command',
    ],
    ['a skipped command', said(commandText('/clear')), 'annotation built_in_command'],
    ['the output of a command', said('<local-command-stdout>x</local-command-stdout>'), 'reply command_output'],
    ['the errors of a command', said('<local-command-stderr>x</local-command-stderr>'), 'reply command_output'],
    [
      'a caveat in a tag',
      meta('u1', 'u0', '<local-command-caveat>Caveat: …</local-command-caveat>'),
      'annotation caveat',
    ],
    ['a bare caveat', caveat('u1', 'u0'), 'annotation caveat'],
    ['a bash escape', said('<bash-input>ls</bash-input>'), 'record bash'],
    [
      'the output of a bash escape',
      said('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>'),
      'reply bash_output',
    ],
    ['the errors of a bash escape', said('<bash-stderr>a</bash-stderr>'), 'reply bash_output'],
    ['a memory note', said('<user-memory-input>use tabs</user-memory-input>'), 'record user'],
    ['a reminder', said('<system-reminder>x</system-reminder>'), 'annotation injected/system-reminder'],
    ['an opened file', said('<ide_opened_file>x</ide_opened_file>'), 'annotation injected/ide_opened_file'],
    ['a selection', said('<ide_selection>x</ide_selection>'), 'annotation injected/ide_selection'],
    [
      'diagnostics',
      said('<post-tool-use-hook><ide_diagnostics>[]</ide_diagnostics></post-tool-use-hook>'),
      'annotation injected/post-tool-use-hook',
    ],
    ['a notification', said(notification), 'record notification'],
    ['a notification by its origin', said('x', { origin: { kind: 'task-notification' } }), 'record notification'],
    ['an origin nobody knows', said('x', { origin: { kind: 'moon' } }), 'record notification'],
    ['a peer', said('x', { origin: { kind: 'peer', from: 'bob' } }), 'record teammate'],
    ['a teammate', said('<teammate-message teammate_id="bob" color="red">hi</teammate-message>'), 'record teammate'],
    [
      'a teammate with > in an attribute',
      said('<teammate-message teammate_id="bob" summary="a > b & c">hi</teammate-message>'),
      'record teammate',
    ],
    ['a notice of the team', said('<teammate-message teammate_id="system">bye</teammate-message>'), 'record teammate'],
    ['an interruption', said([text('[Request interrupted by user]')]), 'record user'],
    [
      'an interruption of a tool',
      said([text('[Request interrupted by user for tool use]')], { interruptedMessageId: 'm' }),
      'record user',
    ],
    [
      'a refusal',
      said([toolResult('A', "The user doesn't want to proceed with this tool use.", true)], {
        toolUseResult: 'User rejected tool use',
        toolDenialKind: 'x',
      }),
      'result user',
    ],
    [
      'an error of the harness',
      said([toolResult('A', '<tool_use_error>no</tool_use_error>', true)], { toolUseResult: 'Error: no' }),
      'result user',
    ],
    ['a hook that speaks', said('Stop hook feedback:\n- no'), 'annotation injected/hook_feedback'],
    [
      'a pasted image',
      said([
        text('[Image #1] what is it?'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      ]),
      'record user',
    ],
    [
      'an image alone',
      said([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }]),
      'record user',
    ],
    ['the source of an image', meta('u1', 'u0', [text('[Image: source: /r/a.png]')]), 'annotation meta'],
    ['the size of an image', meta('u1', 'u0', [text('[Image: original 100x100]')]), 'annotation meta'],
    ['pasted text', said('[Pasted text #1 +20 lines] explain'), 'record user'],
    ['pasted content', said('<pasted_content id="1">x</pasted_content>'), 'record user'],
    ['a mention', said('look at @src/a.ts'), 'record user'],
    [
      'an offloaded result',
      said([toolResult('A', '<persisted-output>\nFull output saved to: /x/y.txt\n</persisted-output>')]),
      'result user',
    ],
    ['a compaction summary', compactSummary('u1', 'u0'), 'reply compaction'],
    [
      'an old compaction summary',
      said('This session is being continued from a previous conversation that ran out'),
      'reply compaction',
    ],
    ['an expanded prompt', meta('u1', 'u0', [text('# Commit')]), 'reply meta'],
    [
      'the body of a skill',
      meta('u1', 'u0', [text('Base directory for this skill: /s')], { sourceToolUseID: 'A' }),
      'result skill',
    ],
  ])('H2 %s', (_name, object, expected) => {
    expect(roleOf(object)).toBe(expected);
  });

  test.each<[string, Json, string | null]>([
    ['a prompt', said('fix it'), 'human'],
    ['a prompt that the log says is human', said('fix it', { origin: { kind: 'human' } }), 'human'],
    ['an interruption', said([text('[Request interrupted by user]')]), 'interruption'],
    ['an interruption as a plain text', said('[Request interrupted by user for tool use]'), 'interruption'],
    ['a memory note', said('<user-memory-input>x</user-memory-input>'), 'memory'],
    ['a notification', said(notification), null],
    ['a teammate', said('<teammate-message teammate_id="bob">hi</teammate-message>'), null],
    ['an origin that is not human', said('x', { origin: { kind: 'coordinator' } }), null],
    ['a result', said([toolResult('A')]), null],
    ['a result with human words', said([toolResult('A'), text('no')]), 'human'],
    ['a result with a reminder', said([toolResult('A'), text('<system-reminder>x</system-reminder>')]), null],
    ['a result with an interruption', said([toolResult('A'), text('[Request interrupted by user]')]), 'interruption'],
    ['words behind an opened file', said('<ide_opened_file>x</ide_opened_file>fix it'), 'human'],
  ])('H2 origin of %s', (_name, object, origin) => {
    expect(chain(object).origin).toBe(origin);
  });

  test.each<[string, Json, string]>([
    ['a result comes before the mark of an injected line', meta('u1', 'u0', [toolResult('A')]), 'result user'],
    ['a result comes before a compaction summary', said([toolResult('A')], { isCompactSummary: true }), 'result user'],
    [
      'a compaction summary comes before the mark of an injected line',
      said('x', { isCompactSummary: true, isMeta: true }),
      'reply compaction',
    ],
    [
      'the origin comes before the tags',
      said(command, { origin: { kind: 'task-notification' } }),
      'record notification',
    ],
  ])('H2 the order of the questions: %s', (_name, object, expected) => {
    expect(roleOf(object)).toBe(expected);
  });

  test.each([
    ['a command', command],
    ['a bash escape', '<bash-input>ls</bash-input>'],
    ['a memory note', '<user-memory-input>x</user-memory-input>'],
  ])('H6 a line marked as injected is no record whatever its tags: %s', (_name, content) => {
    expect(chain(meta('u1', 'u0', content)).place.as).not.toBe('record');
  });

  test.each(['\uFEFF', '\n  ', ' \t'])('H2 tags count after white space and byte order marks: %j', (before) => {
    expect(roleOf(said(`${before}<bash-input>ls</bash-input>`))).toBe('record bash');
    expect(roleOf(said(`${before}<system-reminder>x</system-reminder>`))).toBe('annotation injected/system-reminder');
  });

  test.each([
    '<command-name>',
    '<local-command-stdout>',
    '<bash-input>',
    '<task-notification>',
    '<teammate-message teammate_id="x">',
    '<system-reminder>x</system-reminder> and then',
    '[Request interrupted by user]',
    'This session is being continued from a previous conversation',
    'Stop hook feedback:',
  ])('H2 prose that quotes %s later on is a prompt', (quoted) => {
    expect(chain(said(`what is ${quoted} here?`))).toMatchObject({ kind: 'user', origin: 'human', more: null });
  });

  test.each(['Warmup', 'look at b', 'This session is being continued from a previous conversation'])(
    'H2 the first words of a sub-agent are no human prompt: %s',
    (content) => {
      expect(chain(user('v1', null, content, { isSidechain: true, agentId: 'abc' }), SUBAGENT).origin).not.toBe(
        'human',
      );
    },
  );
});

describe('A5 what a user line says', () => {
  test.each<[string, unknown, Json[]]>([
    ['a prompt', 'fix it', [text('fix it')]],
    ['a prompt as it stands', '  fix\n\nit ', [text('  fix\n\nit ')]],
    ['texts and blocks', ['a', text('b')], [text('a'), text('b')]],
    ['a command', commandText('/x', 'a < b'), [{ type: 'command', name: '/x', args: 'a < b' }]],
    ['a command of old versions', '<command-name>x</command-name>', [{ type: 'command', name: '/x', args: '' }]],
    [
      'a command with its expansion',
      '<command-name>/x</command-name><command-contents># X</command-contents>',
      [{ type: 'command', name: '/x', args: '' }, text('# X')],
    ],
    [
      'a command with its expansion as JSON',
      '<command-name>/x</command-name><command-contents>{"type":"text","text":"# X"}</command-contents>',
      [{ type: 'command', name: '/x', args: '' }, text('# X')],
    ],
    ['output', '<local-command-stdout>a\nb</local-command-stdout>', [out('a\nb')]],
    ['errors', '<local-command-stderr>a</local-command-stderr>', [err('a')]],
    ['no output', '<local-command-stdout></local-command-stdout>', [out('')]],
    ['output without an end', '<local-command-stdout>a', [out('a')]],
    ['a bash escape', '<bash-input> ls -l </bash-input>', [text('ls -l')]],
    ['bash output', '<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>', [out('a'), err('b')]],
    [
      'a bash escape with its output',
      '<bash-input>ls</bash-input><bash-stdout>a</bash-stdout>',
      [text('ls'), out('a')],
    ],
    ['a memory note', '<user-memory-input>use tabs</user-memory-input>', [text('use tabs')]],
    ['an interruption', [text('[Request interrupted by user]')], [text('[Request interrupted by user]')]],
    [
      'pasted content',
      '<pasted_content id="1">x</pasted_content>',
      [text('<pasted_content id="1">x</pasted_content>')],
    ],
  ])('H2 %s', (_name, content, expected) => {
    expect(blocks(said(content))).toEqual(expected);
  });

  const reminder = '<system-reminder>\nx\n</system-reminder>';
  const opened = '<ide_opened_file>a.ts</ide_opened_file>';
  const injected = (name: string, value: string): Json => ({ type: 'injected', name, text: value });

  test.each<[string, unknown, Json[]]>([
    ['alone', reminder, [injected('system-reminder', reminder)]],
    ['before the prompt', `${opened}\nfix it`, [injected('ide_opened_file', opened), text('fix it')]],
    ['behind the prompt', `fix it\n${reminder}`, [injected('system-reminder', reminder), text('fix it')]],
    [
      'twice',
      `${opened}${reminder}fix it`,
      [injected('ide_opened_file', opened), injected('system-reminder', reminder), text('fix it')],
    ],
    ['in a block of its own', [text(opened), text('fix it')], [injected('ide_opened_file', opened), text('fix it')]],
    [
      'before a command',
      `${opened}${commandText('/x')}`,
      [injected('ide_opened_file', opened), { type: 'command', name: '/x', args: '' }],
    ],
    ['the feedback of a hook', 'Stop hook feedback:\n- no', [injected('hook_feedback', 'Stop hook feedback:\n- no')]],
  ])('H2 injected text is split off: %s', (_name, content, expected) => {
    expect(blocks(said(content))).toEqual(expected);
  });

  test('H2 text between two reminders is what the human typed', () => {
    expect(blocks(said(`${reminder}fix it${reminder}`)).filter(({ type }) => type === 'text')).toEqual([
      text('fix it'),
    ]);
  });

  test('H2 a prompt names what was split off', () => {
    expect(chain(said(`${opened}${reminder}fix it`)).more?.injected).toEqual(['ide_opened_file', 'system-reminder']);
  });

  test('H2 a reminder inside a result stays in the result', () => {
    expect(blocks(said([toolResult('A', `x\n${reminder}`)]))).toMatchObject([
      { type: 'result', output: `x\n${reminder}` },
    ]);
  });

  test('H3 an offloaded result keeps its preview', () => {
    const output =
      '<persisted-output>\nOutput too large. Full output saved to: /x/y.txt\n\nPreview:\nabc\n</persisted-output>';
    expect(blocks(said([toolResult('A', output)]))).toMatchObject([{ type: 'result', of: 'A', output }]);
  });
});

describe('A6 content blocks', () => {
  const answer = (block: unknown): Json => assistant('a1', 'u1', [block]);
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' } };

  test.each<[string, Json, Json]>([
    ['text', text('a'), text('a')],
    ['text with citations', { type: 'text', text: 'a', citations: [] }, text('a')],
    ['empty text', text(''), text('')],
    ['white space', text(' \n'), text(' \n')],
    ['thinking', { type: 'thinking', thinking: 'hm', signature: 'AA' }, { type: 'thinking', text: 'hm' }],
    [
      'empty thinking with a signature',
      { type: 'thinking', thinking: '', signature: 'AA' },
      { type: 'thinking', text: '' },
    ],
    ['redacted thinking', { type: 'redacted_thinking', data: 'AA' }, { type: 'thinking', text: '' }],
    [
      'a call',
      toolUse('A', 'Read', { file_path: '/r/a' }),
      { type: 'call', id: 'A', name: 'Read', input: { file_path: '/r/a' } },
    ],
    [
      'a call with its caller',
      { ...toolUse('A'), caller: { type: 'direct' } },
      { type: 'call', id: 'A', name: 'Read', input: {} },
    ],
    [
      'a call of an MCP server',
      toolUse('A', 'mcp__db__query'),
      { type: 'call', id: 'A', name: 'mcp__db__query', input: {} },
    ],
    ['an image', image, { type: 'image', media: 'image/jpeg', data: 'AA==' }],
  ])('H1 %s', (_name, block, expected) => {
    expect(blocks(answer(block))).toEqual([expected]);
    expect(details(answer(block))).toEqual([]);
  });

  test.each<[string, Json]>([
    ['image', { type: 'image', source: { type: 'url', url: 'https://x/y.png' } }],
    [
      'document',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 'x' },
    ],
    ['document', { type: 'document', source: { type: 'text', data: 'x' } }],
    ['tool_reference', { type: 'tool_reference', tool_name: 'x' }],
    ['server_tool_use', { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }],
    ...[
      'web_search_tool_result',
      'web_fetch_tool_result',
      'code_execution_tool_result',
      'bash_code_execution_tool_result',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
      'mcp_tool_use',
      'mcp_tool_result',
      'advisor_tool_result',
      'search_result',
      'container_upload',
      'fallback',
      'compaction',
    ].map((type): [string, Json] => [type, { type }]),
  ])('H1 a block of type %s is known and kept as it stands', (name, block) => {
    expect(blocks(answer(block))).toEqual([{ type: 'unknown', name, json: block }]);
    expect(details(answer(block))).toEqual([]);
  });

  test('H18 a block nobody knows is kept as it stands and named', () => {
    const block = { type: 'hologram', data: 1 };
    expect(blocks(answer(block))).toEqual([{ type: 'unknown', name: 'hologram', json: block }]);
    expect(details(answer(block))).toContain('unexpected_content_shape: assistant block: hologram');
  });

  test('M5, H18 a tool use without an id is reported and stays a block', () => {
    const block = { type: 'tool_use', name: 'Read', input: { file_path: '/a' } };
    expect(details(answer(block))).toContain('missing_required_field: tool_use.id');
    expect(blocks(answer(block))).toMatchObject([{ type: 'unknown', name: 'tool_use', json: block }]);
  });

  test.each<[string, Json, Json, Json]>([
    ['a text', toolResult('A', 'x'), {}, { output: 'x', isError: false }],
    ['blocks', toolResult('A', [text('x'), image]), {}, { output: [text('x'), image], isError: false }],
    [
      'references',
      toolResult('A', [{ type: 'tool_reference', tool_name: 'y' }]),
      {},
      { output: [{ type: 'tool_reference', tool_name: 'y' }], isError: false },
    ],
    [
      'an error',
      toolResult('A', 'no', true),
      { toolUseResult: 'Error: no' },
      { output: 'no', isError: true, detail: 'Error: no' },
    ],
    [
      'an object beside it',
      toolResult('A', 'x'),
      { toolUseResult: { stdout: 'x', stderr: '' } },
      { output: 'x', isError: false, detail: { stdout: 'x', stderr: '' } },
    ],
    [
      'a list beside it',
      toolResult('A', 'x'),
      { toolUseResult: [text('x')] },
      { output: 'x', isError: false, detail: [text('x')] },
    ],
  ])('H3 a result of %s', (_name, block, more, expected) => {
    expect(blocks(said([block], more))).toEqual([{ type: 'result', of: 'A', ...expected }]);
    expect(details(said([block], more))).toEqual([]);
  });

  test('H3 several results in one line are several blocks', () => {
    expect(blocks(said([toolResult('A', 'x'), toolResult('B', 'y', true)]))).toEqual([
      { type: 'result', of: 'A', output: 'x', isError: false },
      { type: 'result', of: 'B', output: 'y', isError: true },
    ]);
  });

  test('H23 what stands beside several results is not lost', () => {
    const found = blocks(said([toolResult('A', 'x'), toolResult('B', 'y')], { toolUseResult: { stdout: 'kept' } }));
    expect(JSON.stringify(found)).toContain('kept');
  });

  test('H19 lone surrogates do not get out', () => {
    const object = assistant('a1', 'u1', [text('\ud800'), { type: 'thinking', thinking: '\ud800', signature: '' }]);
    expect(blocks(object)).toEqual([text('\ufffd'), { type: 'thinking', text: '\ufffd' }]);
  });

  test('H19 lone surrogates in the input of a call do not get out', () => {
    expect(blocks(assistant('a1', 'u1', [toolUse('A', 'Read', { path: '\ud800' })]))).toMatchObject([
      { input: { path: '\ufffd' } },
    ]);
  });
});

describe('A4 system lines', () => {
  test.each<[string, Json]>([
    [
      'stop_hook_summary',
      {
        hookCount: 1,
        hookInfos: [{ command: 'x', durationMs: 1, promptText: 'p' }],
        hookErrors: [],
        preventedContinuation: false,
        stopReason: '',
        hasOutput: true,
        level: 'suggestion',
        toolUseID: 'x',
      },
    ],
    ['turn_duration', { durationMs: 1, messageCount: 2 }],
    ['away_summary', { content: 'x' }],
    ['microcompact_boundary', { content: 'x', microcompactMetadata: { trigger: 'auto', preTokens: 1 } }],
    [
      'api_error',
      {
        error: { status: 529, headers: {}, requestID: 'x', error: { type: 'overloaded' } },
        retryInMs: 1,
        retryAttempt: 1,
        maxRetries: 10,
        level: 'error',
      },
    ],
    ['informational', { content: 'x', level: 'warning' }],
    ['bridge_status', { content: 'x', url: 'https://x' }],
    ['scheduled_task_fire', { content: 'x', cronKind: 'loop' }],
    ['agents_killed', {}],
    ['model_refusal_fallback', { originalModel: 'a', fallbackModel: 'b', apiRefusalCategory: 'c', content: 'x' }],
    ['model_consent_fallback', { originalModel: 'a', fallbackModel: 'b', content: 'x' }],
    ['model_refusal_no_fallback', { originalModel: 'a', content: 'x' }],
    ['init', {}],
  ])('H6 %s is a known annotation', (subtype, more) => {
    const object = system('s1', 'a1', subtype, more);
    expect(roleOf(object)).toBe(`annotation system/${subtype}`);
    expect(details(object)).toEqual([]);
  });

  test('H6 a system line without a subtype is a known annotation', () => {
    const { subtype: _subtype, ...object } = system('s1', 'a1', '', {
      content: 'Running PostToolUse:Edit…',
      toolUseID: 'x',
      level: 'info',
    });
    expect(chain(object)).toMatchObject({ place: { as: 'annotation' }, warnings: [] });
    const said = { type: 'system', subtype: 'note', level: 'info', text: 'Running PostToolUse:Edit…' };
    expect(blocks(object)).toEqual([said]);
  });

  test('H18 a subtype nobody knows is an annotation and named', () => {
    const object = system('s1', 'a1', 'later');
    expect(roleOf(object)).toBe('annotation system/later');
    expect(details(object)).toEqual(['unknown_record_type: system/later']);
  });

  test.each<[string, string, string]>([
    ['a command', commandText('/model'), 'record built_in_command'],
    ['a skipped command', commandText('/context'), 'annotation built_in_command'],
    ['output', '<local-command-stdout>x</local-command-stdout>', 'reply command_output'],
    ['errors', '<local-command-stderr>x</local-command-stderr>', 'reply command_output'],
    ['anything else', 'Settings saved', 'annotation system/local_command'],
  ])('H4 local_command with %s', (_name, content, expected) => {
    expect(roleOf(system('s1', 'a1', 'local_command', { content, level: 'info' }))).toBe(expected);
  });

  test.each<[string, string]>([
    ['the command', commandText('/rename', 'New name')],
    ['its output', '<local-command-stdout>Session renamed to: New name</local-command-stdout>'],
  ])('H16 /rename gives the session a title: %s', (_name, content) => {
    expect(chain(system('s1', 'a1', 'local_command', { content })).more?.facts).toMatchObject([
      { type: 'title', value: { text: 'New name', by: 'user' } },
    ]);
  });

  test('H6 a boundary is a compaction after what it compacted', () => {
    const metadata = {
      trigger: 'auto',
      preTokens: 2,
      postTokens: 1,
      cumulativeDroppedTokens: 1,
      durationMs: 1,
      preCompactDiscoveredTools: [],
      preservedSegment: { headUuid: 'a', anchorUuid: 'b', tailUuid: 'c' },
      preservedMessages: { anchorUuid: 'a', uuids: [], allUuids: [] },
    };
    expect(chain(boundary('b1', 'a9', { compactMetadata: metadata, level: 'info' }))).toMatchObject({
      kind: 'compaction',
      place: { as: 'record' },
      parent: 'a9',
      edge: 'compaction',
      warnings: [],
    });
  });
});

describe('A4 attachments', () => {
  const hook = {
    hookName: 'PostToolUse:Edit',
    hookEvent: 'PostToolUse',
    toolUseID: 'x',
    command: 'x',
    content: '',
    stdout: '',
    stderr: '',
    exitCode: 0,
    durationMs: 1,
  };
  const file = {
    filename: '/r/a',
    displayPath: 'a',
    content: { type: 'text', file: { filePath: '/r/a', content: 'x', numLines: 1, startLine: 1, totalLines: 1 } },
  };

  test.each<[string, Json]>([
    ['hook_success', hook],
    ['hook_non_blocking_error', hook],
    ['hook_blocking_error', { ...hook, blockingError: { blockingError: 'x', command: 'y' } }],
    ['hook_additional_context', { ...hook, content: ['x'] }],
    ...['hook_cancelled', 'hook_system_message', 'hook_stopped_continuation', 'async_hook_response'].map(
      (type): [string, Json] => [type, {}],
    ),
    ...['file', 'directory', 'already_read_file', 'edited_text_file', 'compact_file_reference'].map(
      (type): [string, Json] => [type, file],
    ),
    ...['task_reminder', 'todo_reminder', 'goal_status'].map((type): [string, Json] => [
      type,
      { content: [{ id: '1', subject: 'x' }], itemCount: 1 },
    ]),
    ...['skill_listing', 'invoked_skills', 'dynamic_skill', 'command_permissions'].map((type): [string, Json] => [
      type,
      { content: 'x', skillCount: 1, isInitial: true },
    ]),
    ...['deferred_tools_delta', 'mcp_instructions_delta', 'agent_listing_delta'].map((type): [string, Json] => [
      type,
      { addedNames: [], addedLines: [], addedBlocks: [], removedNames: [] },
    ]),
    ['plan_mode_exit', { planFilePath: '/x', planExists: true }],
    ...[
      'nested_memory',
      'output_style',
      'plan_mode',
      'plan_mode_reentry',
      'auto_mode',
      'auto_mode_exit',
      'date_change',
      'total_tokens_reminder',
      'ultra_effort_enter',
      'companion_intro',
      'prompt_snapshot',
      'environment',
      'model',
      'structured_output',
      'read_truncation_notice',
    ].map((type): [string, Json] => [type, {}]),
  ])('H6 %s is a known annotation', (type, payload) => {
    const object = { ...attachment('t1', 'a1', { type, ...payload }), rendered: [], renderedInHumanTurn: [] };
    expect(roleOf(object)).toBe(`annotation attachment/${type}`);
    expect(details(object)).toEqual([]);
  });

  test('H6 an attachment says what it holds', () => {
    const payload = { type: 'hook_success', hookName: 'x' };
    expect(blocks(attachment('t1', 'a1', payload))).toEqual([
      { type: 'unknown', name: 'attachment/hook_success', json: payload },
    ]);
  });

  test('H18 an attachment nobody knows is an annotation and named', () => {
    const object = attachment('t1', 'a1', { type: 'later' });
    expect(roleOf(object)).toBe('annotation attachment/later');
    expect(details(object)).toEqual(['unknown_record_type: attachment/later']);
  });

  test.each<[string, unknown, string, string | null]>([
    ['a prompt', 'also run the tests', 'user', 'human'],
    ['blocks', [text('also run the tests')], 'user', 'human'],
    ['a notification', '<task-notification><task-id>x</task-id></task-notification>', 'notification', null],
  ])('H5 queued_command with %s is a record', (_name, prompt, kind, origin) => {
    const object = queuedCommand('q1', 'a1', prompt);
    expect(chain(object)).toMatchObject({
      kind,
      origin,
      place: { as: 'record' },
      more: { queued: true },
      warnings: [],
    });
    const said = typeof prompt === 'string' ? prompt : 'also run the tests';
    expect(blocks(object)).toMatchObject([{ type: kind === 'user' ? 'text' : kind, text: said }]);
  });

  test('H5 queued_command without a uuid is named by its place', () => {
    const { uuid: _uuid, parentUuid: _parent, ...object } = queuedCommand('q1', 'a1', 'x');
    expect(chain(object)).toMatchObject({ in: 'chain', key: 's:1', kind: 'user', more: { queued: true, loose: true } });
  });
});

describe('A3 lines of every type', () => {
  test.each([
    'hook_progress',
    'agent_progress',
    'bash_progress',
    'mcp_progress',
    'query_update',
    'search_results_received',
    'waiting_for_task',
  ])('H6 progress of type %s is a known annotation', (type) => {
    const object = progress('p1', 'a1', { type }, { toolUseID: 'x', parentToolUseID: 'y' });
    expect(roleOf(object)).toBe(`annotation progress/${type}`);
    expect(details(object)).toEqual([]);
  });

  test.each<[string, Json, string]>([
    ['summary', { summary: 'x', leafUuid: 'a1' }, 'summary'],
    [
      'file-history-snapshot',
      {
        messageId: 'u1',
        isSnapshotUpdate: false,
        snapshot: {
          messageId: 'u1',
          timestamp: '',
          trackedFileBackups: { 'a.ts': { backupFileName: null, version: 1, backupTime: '', realParentDir: '/r' } },
        },
      },
      'file-history-snapshot',
    ],
    [
      'file-history-delta',
      {
        messageId: 'u1',
        snapshotMessageId: 'u0',
        trackingPath: 'a.ts',
        backup: { backupFileName: 'x', version: 1, backupTime: '' },
        timestamp: '',
      },
      'file-history-delta',
    ],
    ['last-prompt', { lastPrompt: 'x', leafUuid: 'a1' }, 'leaf'],
    ['permission-mode', { permissionMode: 'acceptEdits' }, 'permission-mode'],
    ['mode', { mode: 'normal' }, 'mode'],
    ['custom-title', { customTitle: 'x' }, 'title'],
    ['ai-title', { aiTitle: 'x' }, 'title'],
    ['agent-name', { agentName: 'x' }, 'agent-name'],
    ['agent-setting', { agentSetting: 'x' }, 'agent-setting'],
    ['agent-color', { agentColor: 'red' }, 'agent-color'],
    ['tag', { tag: 'x' }, 'tag'],
    ['pr-link', { prNumber: 1, prUrl: 'https://x', prRepository: 'x/y', timestamp: '' }, 'pr-link'],
    ['bridge-session', { bridgeSessionId: 'x', lastSequenceNum: 1 }, 'bridge-session'],
    [
      'worktree-state',
      { worktreeSession: { worktreeName: 'x', worktreePath: '/x', originalCwd: '/r', preEnterOriginalCwd: '/r' } },
      'worktree',
    ],
    ['worktree-state', { worktreeSession: null }, 'worktree'],
    [
      'content-replacement',
      { replacements: [{ kind: 'x', toolUseId: 'A', replacement: 'y' }], agentId: 'abc' },
      'content-replacement',
    ],
    [
      'fork-context-ref',
      { agentId: 'abc', parentSessionId: 's', parentLastUuid: 'a1', contextLength: 1 },
      'fork-context-ref',
    ],
    [
      'cost-state',
      {
        totalCostUSD: 1,
        modelUsage: {},
        totalAPIDuration: 1,
        totalLinesAdded: 1,
        totalLinesRemoved: 1,
        hasUnknownModelCost: false,
      },
      'cost-state',
    ],
    ['attribution-snapshot', { messageId: 'u1', fileStates: {} }, 'attribution-snapshot'],
    ['started', { key: 'x', agentId: 'abc' }, 'started'],
    ['result', { key: 'x', agentId: 'abc', result: 'y' }, 'result'],
    ['launched', { key: 'x', agentId: 'abc' }, 'launched'],
    ['failed', { key: 'x', agentId: 'abc' }, 'failed'],
    ...[
      'frame-link',
      'atis-latch',
      'relocated',
      'continued-in',
      'isolation-latch',
      'speculation-accept',
      'task-summary',
      'marble-origami-commit',
      'marble-origami-snapshot',
      'artifact-comment-monitor',
      'artifact-autoreact-ledger',
    ].map((type): [string, Json, string] => [type, {}, type]),
  ])('H23 %s is known bookkeeping', (type, fields, fact) => {
    const object = { type, sessionId: 's', ...fields };
    expect(roleOf(object)).toBe(`bookkeeping ${fact}`);
    expect(line({ type, ...fields }).warnings).toEqual([]);
  });

  test.each<[Json, string | null, unknown]>([
    [summary('a9', 'Greeting'), 'a9', 'Greeting'],
    [{ type: 'custom-title', customTitle: 'x' }, null, { text: 'x', by: 'user' }],
    [{ type: 'ai-title', aiTitle: 'x' }, null, { text: 'x', by: 'agent' }],
    [{ type: 'last-prompt', leafUuid: 'a9', lastPrompt: 'x' }, 'a9', 'x'],
    [{ type: 'worktree-state', worktreeSession: { worktreeName: 'x' } }, null, 'x'],
    [{ type: 'file-history-snapshot', messageId: 'u1', snapshot: {} }, 'u1', null],
  ])('H16 bookkeeping says what it is about: %j', (object, about, value) => {
    expect((line(object) as BookkeepingLine).fact).toMatchObject({ about, value });
  });

  test.each<[string, QueueLine['op']]>([
    ['enqueue', 'enqueue'],
    ['dequeue', 'dequeue'],
    ['remove', 'remove'],
    ['popAll', 'clear'],
  ])('H5 the operation %s is a step of the queue', (operation, op) => {
    const object = queue(operation, 'x');
    expect(line(object)).toMatchObject({ in: 'queue', op, key: 's:1', kind: 'user', empty: false, warnings: [] });
    expect(blocks(object)).toEqual([text('x')]);
  });

  test.each<[string, unknown, boolean]>([
    ['nothing', undefined, true],
    ['an empty text', '', true],
    ['texts', ['x'], false],
    ['blocks', [text('x')], false],
    ['an image', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }], false],
  ])('H5 an operation with %s knows whether there is something to show', (_name, content, empty) => {
    expect((line(queue('enqueue', content)) as QueueLine).empty).toBe(empty);
  });

  test('H5 the same words have the same digest in the queue and in the attachment', () => {
    expect(chain(queuedCommand('q1', 'a1', [text('x')])).digest).toBe(
      (line(queue('enqueue', 'x')) as QueueLine).digest,
    );
  });

  test('H18 a type nobody knows is an annotation with a uuid and bookkeeping without', () => {
    const object = { type: 'later', uuid: 'x', parentUuid: 'a1' };
    expect(roleOf(object)).toBe('annotation later');
    expect(details(object)).toEqual(['unknown_record_type: later']);
    expect(roleOf({ type: 'later' })).toBe('bookkeeping later');
    expect(details({ type: 'later' })).toEqual(['unknown_record_type: later']);
  });

  test.each([
    ['not JSON', '{"type":\n', ['unparsable_line']],
    ['JSON that is no object', '[1]\n', ['unparsable_line']],
    ['torn', '{"type":', ['torn_last_line']],
  ])('H18 a line that is %s is reported', (_name, raw, expected) => {
    const [read] = linesOf(claudeCode, 's.jsonl', raw);
    expect(read?.in).toBe('report');
    expect(read?.warnings.map(({ type }) => type)).toEqual(expected);
  });

  test('H18 a last line without a newline that is whole is read', () => {
    const [read] = linesOf(claudeCode, 's.jsonl', JSON.stringify(user('u1', null)));
    expect(read).toMatchObject({ in: 'chain', key: 'u1', warnings: [] });
  });

  test.each(['system', 'progress', 'attachment'])('H18 a %s line without a uuid is bookkeeping and named', (type) => {
    expect(roleOf({ type, sessionId: 's' })).toBe(`bookkeeping ${type}`);
    expect(details({ type, sessionId: 's' })).toContain(`missing_required_field: ${type}.uuid`);
  });
});

describe('A2 the envelope', () => {
  const all = {
    logicalParentUuid: null,
    session_id: 'r',
    gitBranch: 'main',
    entrypoint: 'cli',
    agentId: 'abc',
    teamName: 't',
    slug: 'a-b-c',
    sessionKind: 'bg',
    promptId: 'p',
    promptSource: 'typed',
    origin: { kind: 'human' },
    forkedFrom: { sessionId: 'r', messageUuid: 'u' },
    requestId: 'req',
    effort: 'high',
    perTurnEffort: 'high',
  };

  test.each<[string, Json]>([
    [
      'user',
      said('x', {
        ...all,
        permissionMode: 'plan',
        thinkingMetadata: { level: 'high', disabled: false, triggers: [] },
        todos: [],
        imagePasteIds: [1],
        sourceToolAssistantUUID: 'a',
        mcpMeta: {},
      }),
    ],
    [
      'assistant',
      assistant('a1', 'u1', 'x', {
        ...all,
        isApiErrorMessage: true,
        error: 'rate_limit',
        apiBlockIndex: 0,
        attributionMcpServer: 's',
        attributionMcpTool: 't',
        costUSD: 1,
        durationMs: 1,
      }),
    ],
    ['system', system('s1', 'a1', 'informational', { ...all, content: 'x', level: 'info' })],
    ['progress', progress('p1', 'a1', { type: 'hook_progress' }, all)],
    ['attachment', { ...attachment('t1', 'a1', { type: 'model' }), ...all }],
  ])('H18 every field described for %s is known', (_type, object) => {
    expect(details(object)).toEqual([]);
  });

  test('H18 every field of a usage is known', () => {
    const tokens = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const usage = {
      ...tokens,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      service_tier: 'standard',
      inference_geo: '',
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      iterations: [{ type: 'message', ...tokens }],
      speed: 'fast',
      output_tokens_details: { thinking_tokens: 1 },
    };
    expect(details(assistant('a1', 'u1', 'x', { usage }))).toEqual([]);
  });

  test.each<[string, string]>([
    [
      'Bash',
      'stdout stderr interrupted isImage returnCodeInterpretation backgroundTaskId noOutputExpected persistedOutputPath persistedOutputSize bashEditDiff',
    ],
    ['BashOutput', 'shellId command status exitCode stdout stderr stdoutLines stderrLines timestamp'],
    ['KillShell', 'message shell_id success'],
    ['Write', 'type filePath content structuredPatch originalFile'],
    ['Edit', 'filePath oldString newString originalFile structuredPatch userModified replaceAll'],
    ['MultiEdit', 'filePath edits originalFileContents structuredPatch userModified'],
    ['Glob', 'filenames durationMs numFiles truncated'],
    ['Grep', 'mode filenames numFiles content numLines appliedLimit'],
    [
      'Agent',
      'status prompt agentId agentType content totalDurationMs totalTokens totalToolUseCount usage toolStats worktreePath worktreeBranch',
    ],
    ['Agent in the background', 'isAsync status agentId description prompt outputFile'],
    ['a teammate', 'status agent_id color'],
    ['TaskCreate', 'task'],
    ['TaskUpdate', 'success taskId updatedFields statusChange verificationNudgeNeeded'],
    ['TaskList', 'tasks'],
    ['SendMessage', 'success message routing request_id target'],
    ['TeamDelete', 'success message team_name'],
    ['TodoWrite', 'oldTodos newTodos'],
    ['AskUserQuestion', 'questions answers annotations'],
    ['ExitPlanMode', 'plan isAgent filePath'],
    ['WebFetch', 'bytes code codeText result durationMs url'],
    ['WebSearch', 'query results durationSeconds searchCount'],
    ['ToolSearch', 'matches query total_deferred_tools'],
    ['Workflow', 'isAsync status runId taskId transcriptDir scriptPath'],
  ])('H18 every field described for the result of %s is known', (_tool, keys) => {
    const toolUseResult = Object.fromEntries(keys.split(' ').map((key) => [key, null]));
    expect(details(said([toolResult('A')], { toolUseResult }))).toEqual([]);
  });

  test('H18 a field nobody knows is named with its path, at every level', () => {
    const object = assistant('a1', 'u1', [{ ...text('x'), zz: 1 }], { yy: 1, usage: { input_tokens: 1, xx: 1 } });
    expect(details(object).sort()).toEqual([
      'unexpected_attributes: assistant.message.content.zz',
      'unexpected_attributes: assistant.message.usage.xx',
      'unexpected_attributes: assistant.yy',
    ]);
  });

  test('H1 a line has the id, the parent and the time that it says', () => {
    const object = said('x', { timestamp: '2026-01-02T03:04:05.678Z' });
    expect(chain(object)).toMatchObject({
      key: 'u1',
      parent: 'u0',
      edge: 'parent',
      time: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      subagent: null,
    });
  });

  test.each(['user', 'assistant'])('H5 a %s line without a uuid is named by its place', (type) => {
    const { uuid: _uuid, ...object } = type === 'user' ? user('x', 'u0') : assistant('x', 'u0');
    expect(chain(object)).toMatchObject({ in: 'chain', key: 's:1', parent: 'u0' });
    expect(details(object)).toEqual([`missing_required_field: ${type}.uuid`]);
  });

  test('H12 a line of a sub-agent file belongs to the sub-agent', () => {
    expect(chain(user('v1', null), SUBAGENT).subagent).toBe('abc');
  });

  test('H12 in the file of a session the mark decides', () => {
    expect(chain(user('v1', null, 'x', { isSidechain: true, agentId: 'abc' })).subagent).toBe('abc');
    expect(chain(user('v1', null, 'x', { isSidechain: false, agentId: 'abc' })).subagent).toBeNull();
  });

  test('H9 a copy that says where it comes from is marked', () => {
    expect(chain(said('x', { forkedFrom: { sessionId: 'r', messageUuid: 'u1' } })).more).toEqual({ forked: true });
  });

  test.each<[string, (more: Json) => Json]>([
    ['user', (more) => said('x', more)],
    ['assistant', (more) => assistant('a1', 'u1', 'x', more)],
    ['system', (more) => system('s1', 'a1', 'turn_duration', more)],
    ['progress', (more) => progress('p1', 'a1', { type: 'hook_progress' }, more)],
  ])('H9 a copy of a %s line has the same digest whatever session and parent it names', (_type, make) => {
    expect(chain(make({ sessionId: 'other', parentUuid: null, session_id: 's' })).digest).toBe(chain(make({})).digest);
  });

  test.each<[string, Json, Json]>([
    ['user', said('x'), said('y')],
    ['user and assistant', said([text('x')]), assistant('u1', 'u0', 'x')],
    ['assistant', assistant('a1', 'u1', 'x'), assistant('a1', 'u1', 'y')],
    [
      'system',
      system('s1', 'a1', 'turn_duration', { durationMs: 1 }),
      system('s1', 'a1', 'turn_duration', { durationMs: 2 }),
    ],
    [
      'attachment',
      attachment('t1', 'a1', { type: 'model', content: 1 }),
      attachment('t1', 'a1', { type: 'model', content: 2 }),
    ],
    [
      'progress',
      progress('p1', 'a1', { type: 'hook_progress', a: 1 }),
      progress('p1', 'a1', { type: 'hook_progress', a: 2 }),
    ],
    ['unknown', { type: 'later', uuid: 'x', foo: 1 }, { type: 'later', uuid: 'x', foo: 2 }],
  ])('H9 other content has another digest: %s', (_name, a, b) => {
    expect(chain(a).digest).not.toBe(chain(b).digest);
  });

  test('H1 the folder, branch and version of a line hold until the next one says otherwise', () => {
    const { cwd: _cwd, version: _version, ...second } = user('u2', 'u1', 'x', { gitBranch: 'dev' });
    const [a, b] = linesOf(claudeCode, 's.jsonl', [
      user('u1', null, 'x', { gitBranch: 'main' }),
      second,
    ]) as ChainLine[];
    expect([a?.env.gitBranch, b?.env]).toEqual([
      'main',
      { cwd: '/r', gitBranch: 'dev', slug: null, version: '2.1.114', session: 's' },
    ]);
  });

  test('M9 a reader that goes on from its saved state reads the same', () => {
    const { cwd: _cwd, version: _version, ...second } = user('u2', 'u1');
    const facts = factsOf(claudeCode, 's.jsonl');
    const ref = { file: facts.id, line: 2, offset: 10, bytes: 1 };
    const reader = claudeCode.open(facts);
    reader.next(bytesOf([user('u1', null)]), { ...ref, line: 1 });
    const state = JSON.parse(JSON.stringify(reader.state));
    const bytes = bytesOf([second]);
    expect(claudeCode.open(facts, state).next(bytes, ref).line).toEqual(reader.next(bytes, ref).line);
  });
});

describe('A10 answers', () => {
  test('H1 an answer is a part of the response it names', () => {
    expect(chain(assistant('a1', 'u1', 'x', { id: 'msg_1' }))).toMatchObject({
      kind: 'assistant',
      place: { as: 'part', of: 'msg_1' },
      usage: { key: 'msg_1', model: 'claude-x' },
    });
  });

  test('H1 an answer without a message id stands alone', () => {
    const object = { ...assistant('a1', 'u1'), message: { role: 'assistant', content: [text('x')] } };
    expect(roleOf(object)).toBe('record assistant');
  });

  test('H1 usage tells the two kinds of cache apart', () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 90,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 20 },
    };
    expect(chain(assistant('a1', 'u1', 'x', { usage, costUSD: 0.5 })).usage).toMatchObject({
      input: 3,
      output: 90,
      cacheRead: 10,
      cacheWrite5m: 30,
      cacheWrite1h: 20,
      costUsd: 0.5,
    });
  });

  test('H1 usage without the split counts the cache as kept for five minutes', () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 50 };
    expect(chain(assistant('a1', 'u1', 'x', { usage })).usage).toMatchObject({ cacheWrite5m: 50, cacheWrite1h: 0 });
  });

  const synthetic = (value: string, more: Json = {}): Json => ({
    ...assistant('a1', 'u1', value, more),
    message: {
      id: 'x',
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content: [text(value)],
      stop_reason: 'stop_sequence',
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  });

  test('H2 an error of the API is an answer that cost nothing', () => {
    const object = synthetic("You've hit your limit", { isApiErrorMessage: true, error: 'rate_limit' });
    expect(chain(object)).toMatchObject({ kind: 'assistant', usage: null, warnings: [] });
    expect(chain(object).more?.hidden).toBeUndefined();
  });

  test('H2 a filler of the agent is hidden', () => {
    expect(chain(synthetic('No response requested.')).more).toMatchObject({ hidden: true });
  });

  test('H2 a summary in the name of the assistant is a compaction', () => {
    expect(roleOf(assistant('a1', 'b1', 'x', { isCompactSummary: true }))).toBe('reply compaction');
  });

  test('H3 an answer names its calls', () => {
    const object = assistant('a1', 'u1', [text('x'), toolUse('A', 'Read'), toolUse('B', 'Bash')]);
    expect(chain(object).calls.map(({ id, name }) => [id, name])).toEqual([
      ['A', 'Read'],
      ['B', 'Bash'],
    ]);
  });

  test('H3 a call without an id is kept as it stands', () => {
    const block = { type: 'tool_use', name: 'Read', input: {} };
    expect(chain(assistant('a1', 'u1', [block])).calls).toEqual([]);
    expect(blocks(assistant('a1', 'u1', [block]))).toEqual([{ type: 'unknown', name: 'tool_use', json: block }]);
  });

  test('H3 a result names its call and whether it failed', () => {
    expect(chain(said([toolResult('A', 'x', true), toolResult('B')])).place).toMatchObject({
      as: 'result',
      of: [
        { call: 'A', isError: true },
        { call: 'B', isError: false },
      ],
    });
  });
});

describe('A11 what leads from a call to its sub-agent', () => {
  const links = (object: Json): unknown => (line(object) as ChainLine).more?.links;
  const notice =
    '<task-notification>\n<task-id>abc</task-id>\n<tool-use-id>A</tool-use-id>\n<status>completed</status>\n</task-notification>';
  const found = [{ call: 'A', token: 'agent:abc' }];

  test.each<[string, Json]>([
    ['the id beside the result', said([toolResult('A')], { toolUseResult: { status: 'completed', agentId: 'abc' } })],
    ['the id with its prefix', said([toolResult('A')], { toolUseResult: { agentId: 'agent-abc' } })],
    ['the id in snake case', said([toolResult('A')], { toolUseResult: { agent_id: 'abc' } })],
    ['the last line of the result', said([toolResult('A', 'done\nagentId: abc')])],
    [
      'the last line of the last block',
      said([toolResult('A', [text('done'), text('agentId: abc (for resuming)\n<usage>total_tokens: 1</usage>')])]),
    ],
    [
      'progress',
      progress('p1', 'a1', { type: 'agent_progress', agentId: 'abc' }, { toolUseID: 'x', parentToolUseID: 'A' }),
    ],
    ['a notification', said(notice)],
    ['a notification in the queue', queue('enqueue', notice)],
    ['a notification given between two steps', queuedCommand('q1', 'a1', notice, 'task-notification')],
  ])('H12 %s', (_name, object) => {
    expect(links(object)).toMatchObject(found);
  });

  test('H12 the header of a notification is read without its result', () => {
    const trap = '<result>\n<task-id>no</task-id><tool-use-id>no</tool-use-id>\n</result>\n';
    expect(links(said(notice.replace('<task-id>', `${trap}<task-id>`)))).toMatchObject(found);
  });

  test('H12 a teammate is named by its name', () => {
    const object = said([toolResult('A')], { toolUseResult: { status: 'teammate_spawned', agent_id: 'alice@team' } });
    expect(links(object)).toMatchObject([{ call: 'A', token: 'name:alice' }]);
  });

  test('H12 a workflow is named by its run', () => {
    const object = said([toolResult('A')], { toolUseResult: { isAsync: true, status: 'async_launched', runId: 'r1' } });
    expect(links(object)).toMatchObject([{ call: 'A', token: 'run:r1' }]);
  });

  test('H12 text that only mentions an id links nothing', () => {
    expect(links(said([toolResult('A', 'the field agentId: abc is optional')]))).toBeUndefined();
  });

  test.each(['Task', 'Agent'])('H12 a %s call and the first words of its sub-agent share a token', (name) => {
    const call = chain(assistant('a1', 'u1', [toolUse('A', name, { prompt: 'look  at\nb' })])).calls[0];
    const first = chain(user('v1', null, ' look at b ', { isSidechain: true }), SUBAGENT);
    expect(call?.tokens).toEqual(expect.arrayContaining([...(first.more?.tokens ?? ['none'])]));
  });

  test('H12 the first words of a teammate are unwrapped', () => {
    const call = chain(
      assistant('a1', 'u1', [toolUse('A', 'Agent', { prompt: 'look at b', description: 'look', name: 'alice' })]),
    ).calls[0];
    const wrapped = '<teammate-message teammate_id="team-lead" summary="look">\nlook at b\n</teammate-message>';
    const first = chain(user('v1', null, wrapped, { isSidechain: true }), SUBAGENT);
    expect(call?.tokens).toEqual(expect.arrayContaining([...(first.more?.tokens ?? ['none'])]));
  });

  test('H12 a call that starts nothing has no tokens', () => {
    expect(chain(assistant('a1', 'u1', [toolUse('A', 'Read', { prompt: 'x' })])).calls[0]?.tokens).toEqual([]);
  });

  test('H12 a warm-up is a helper', () => {
    expect(chain(user('v1', null, 'Warmup', { isSidechain: true }), SUBAGENT).more).toMatchObject({ helper: true });
  });
});

describe('A11 the sidecar', () => {
  const sidecar = (raw: string): Line | null | undefined =>
    claudeCode.readSidecar?.(factsOf(claudeCode, 's/subagents/agent-abc.meta.json'), raw);

  test('H12 a sidecar says which call started the sub-agent, best first', () => {
    const raw = '{"agentType":"Explore","description":"look","toolUseId":"A","name":"alice"}';
    expect(sidecar(raw)).toMatchObject({
      in: 'bookkeeping',
      fact: {
        type: 'subagent',
        about: null,
        value: {
          id: 'abc',
          tokens: ['call:A', 'name:alice', 'summary:look'],
          type: 'Explore',
          name: 'alice',
          description: 'look',
        },
      },
    });
  });

  test('H12 a sidecar without a call still says what it knows', () => {
    expect(sidecar('{"agentType":"Explore","worktreePath":"/x"}')).toMatchObject({
      fact: { value: { id: 'abc', tokens: [], type: 'Explore', name: null, description: null } },
    });
  });

  test.each(['', '{', 'null', '[]', '"x"'])('H12 a sidecar that is no object says nothing: %j', (raw) => {
    expect(sidecar(raw)).toBeNull();
  });
});

describe('A1 files', () => {
  test.each<[string, object | null]>([
    ['1a2b.jsonl', { role: 'session', native: '1a2b', session: null }],
    ['agent-abc.jsonl', { role: 'subagent', native: 'abc', session: null }],
    ['1a2b/subagents/agent-abc.jsonl', { role: 'subagent', native: 'abc', session: '1a2b' }],
    ['1a2b/subagents/deep/er/agent-abc.jsonl', { role: 'subagent', native: 'abc', session: '1a2b' }],
    ['1a2b/subagents/agent-abc.meta.json', { role: 'sidecar', native: 'abc', session: '1a2b' }],
    ['1a2b/subagents/agent-acompact-x.jsonl', { role: 'subagent', native: 'acompact-x', tokens: ['helper'] }],
    [
      '1a2b/subagents/workflows/r1/agent-abc.jsonl',
      { role: 'subagent', native: 'abc', session: '1a2b', tokens: ['run:r1'] },
    ],
    ['1a2b/subagents/workflows/r1/journal.jsonl', { role: 'journal', session: '1a2b', tokens: ['run:r1'] }],
    ['1a2b/tool-results/x.txt', null],
    ['1a2b/workflows/r1.json', null],
    ['memory/notes.md', null],
  ])('H12 %s', (path, expected) => {
    const role = claudeCode.roleOf(path);
    if (expected === null) expect(role).toBeNull();
    else expect(role).toMatchObject(expected);
  });

  test('H18 a type that cannot become a text is told like any other', () => {
    const object = attachment('x', null, { type: { toString: 0 } });
    expect(line(object).warnings).toMatchObject([{ type: 'unknown_record_type' }]);
    expect(blocks(object)).toMatchObject([{ name: 'attachment/unknown' }]);
  });

  test.each<[string, object, boolean]>([
    ['a prompt', user('u1', null), true],
    ['a summary', summary('x', 'y'), true],
    ['a header of Pi', { type: 'session', version: 3, id: 'x', cwd: '/r' }, false],
    ['something else', { hello: 'world' }, false],
  ])('P4 a file is told by its first lines: %s', (_name, object, expected) => {
    expect(claudeCode.sniff([object as Json]) > 0).toBe(expected);
  });
});
