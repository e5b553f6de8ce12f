import { describe, expect, test } from 'vitest';
import { formsOf } from '../kit/forms.ts';
import {
  assistant,
  attachment,
  command,
  type Json,
  meta,
  stdout,
  system,
  teammate,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

type Form = keyof ReturnType<typeof formsOf>;
const ALL: readonly Form[] = ['page', 'markdown', 'outline', 'json', 'text'];
const OUTLINE: readonly Form[] = ['page', 'markdown', 'outline'];

/** The forms in which a word is missing. */
const missing = (lines: readonly Json[], word: string, forms: readonly Form[], verbose = false): Form[] => {
  const all = formsOf([user('u', null, 'go'), ...lines], verbose);
  return forms.filter((form) => !all[form].includes(word));
};

const boundary = (uuid: string, parent: string): Json =>
  system(uuid, null, 'compact_boundary', {
    logicalParentUuid: parent,
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'manual', preTokens: 123, postTokens: 45 },
  });
const call = (name: string, input: Json): Json => assistant('a', 'u', [toolUse('T', name, input)]);
const result = (output: unknown, detail?: unknown): Json =>
  user('r', 'a', [toolResult('T', output)], detail === undefined ? {} : { toolUseResult: detail });

const SHOWN: readonly (readonly [what: string, lines: readonly Json[], word: string, forms: readonly Form[]])[] = [
  ['H6 a result whose call is unknown', [user('r', 'u', [toolResult('X', 'ORPHAN')])], 'ORPHAN', ALL],
  [
    "H4 what a command of the user's own printed",
    [command('c', 'u', '/mine'), meta('m', 'c', 'Do this'), stdout('o', 'c', 'PRINTED')],
    'PRINTED',
    ALL,
  ],
  [
    'O1 an error of the service, which has no text',
    [system('y', 'u', 'api_error', { level: 'error', error: { error: { message: 'OVERLOADED' } } })],
    'OVERLOADED',
    OUTLINE,
  ],
  [
    'O1 what a stop hook failed with',
    [system('y', 'u', 'stop_hook_summary', { level: 'suggestion', hookErrors: ['FAILED'] })],
    'FAILED',
    OUTLINE,
  ],
  [
    'O1 why a hook stopped the agent',
    [system('y', 'u', 'stop_hook_summary', { hookErrors: [], preventedContinuation: true, stopReason: 'BECAUSE' })],
    'BECAUSE',
    OUTLINE,
  ],
  [
    'O16 a document in a prompt',
    [user('p', 'u', [{ type: 'document', source: { data: 'DOCUMENT' } }])],
    'DOCUMENT',
    [...OUTLINE, 'json'],
  ],
  [
    'O16 a call that the service itself answers',
    [assistant('a', 'u', [{ type: 'server_tool_use', input: { q: 'SERVER' } }])],
    'SERVER',
    [...OUTLINE, 'json'],
  ],
  ['O16 who a teammate is', [teammate('t', 'u')], 'team-lead', ALL],
  [
    'O16 what a message of a teammate is about',
    [teammate('t', 'u', 'x', {}, ' summary="ABOUT"')],
    'ABOUT',
    [...OUTLINE, 'json'],
  ],
  [
    'O16 the prompt that a command stands for',
    [command('c', 'u', '/mine'), meta('m', 'c', 'EXPANDED')],
    'EXPANDED',
    [...OUTLINE, 'json'],
  ],
  ['O16 the size of a compaction', [boundary('k', 'u')], '123', [...OUTLINE, 'json']],
  [
    'O16 the summary of a compaction',
    [boundary('k', 'u'), user('s', 'k', 'SUMMARY', { isCompactSummary: true })],
    'SUMMARY',
    [...OUTLINE, 'json'],
  ],
  [
    "O16 a skill's text",
    [call('Skill', { skill: 'pdf' }), result('Launching'), meta('m', 'r', 'BODY', { sourceToolUseID: 'T' })],
    'BODY',
    [...OUTLINE, 'json'],
  ],
  [
    'O16 what a server of tools gave as a resource',
    [call('mcp__a__b', {}), result([{ type: 'resource', resource: { uri: 'u:', text: 'RESOURCE' } }])],
    'RESOURCE',
    ALL,
  ],
  ['O12 a plan that only the result has', [call('ExitPlanMode', {}), result('ok', { plan: '# PLAN' })], 'PLAN', ALL],
  [
    'O12 an answer that only the output has',
    [call('AskUserQuestion', { questions: [{ question: 'Which?', options: [] }] }), result('"Which?"="CHOSEN"')],
    'CHOSEN',
    ALL,
  ],
];

describe('what every form shows', () => {
  test.each(SHOWN)('%s', (_what, lines, word, forms) => {
    expect(missing(lines, word, forms)).toEqual([]);
  });

  test('H2 what was put into a prompt, on request', () => {
    const prompt = user(
      'p',
      'u',
      '<ide_opened_file>FILE</ide_opened_file>\nreal\n<system-reminder>REMINDER</system-reminder>',
    );
    for (const word of ['FILE', 'REMINDER']) {
      expect(missing([prompt], word, ALL, true)).toEqual([]);
      expect(missing([prompt], word, ALL)).toEqual(ALL);
    }
  });

  test('M2 a result beside something typed is shown with its call only; one whose call is unknown stays', () => {
    const said = [toolResult('T', 'KNOWN'), { type: 'text', text: 'TYPED' }, toolResult('X', 'STRAY')];
    const all = formsOf([user('u', null, 'go'), call('Bash', { command: 'ls' }), user('r', 'a', said)]);
    for (const form of ALL) {
      expect([form, all[form].split('KNOWN').length - 1]).toEqual([form, 1]);
      for (const word of ['TYPED', 'STRAY']) expect(all[form]).toContain(word);
    }
  });

  test('O1 a hook that failed says why, not only what it is called', () => {
    const { outline } = formsOf([
      user('u', null, 'go'),
      attachment('h1', 'u', {
        type: 'hook_blocking_error',
        hookName: 'Stop',
        blockingError: { blockingError: 'lint' },
      }),
      attachment('h2', 'u', { type: 'hook_non_blocking_error', hookName: 'Stop', stderr: 'not found', stdout: '' }),
    ]);
    expect(outline).toContain('"text":"Stop: lint"');
    expect(outline).toContain('"text":"Stop: not found"');
  });
});

describe('A9 H21 calls whose result is a text only', () => {
  test.each<[string, Json, string[]]>([
    ['Edit', { old_string: 'OLD', new_string: 'NEW' }, ['-  OLD', '+  NEW']],
    ['MultiEdit', { edits: [{ old_string: 'OLD', new_string: 'NEW' }] }, ['-  OLD', '+  NEW']],
    ['NotebookEdit', { notebook_path: '/r/n.ipynb', new_source: 'SOURCE' }, ['SOURCE']],
    ['TodoWrite', { todos: [{ content: 'TODO', status: 'pending' }] }, ['[pending] TODO']],
  ])('%s shows what it was given', (name, input, words) => {
    const { text } = formsOf([user('u', null, 'go'), call(name, input), result('updated successfully')], true);
    for (const word of words) expect(text).toContain(word);
  });
});
