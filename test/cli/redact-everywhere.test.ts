import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import {
  everythingPlanted as ALL,
  HOME_NAME,
  leaksIn,
  mediaDetail,
  plantedMedia,
  plantedSecrets,
  secretsInJson,
} from '../kit/secrets.ts';
import {
  assistant,
  attachment,
  boundary,
  command,
  compactSummary,
  meta,
  notification,
  piAssistant,
  piEntry,
  piHeader,
  piMessage,
  piUser,
  queue,
  queuedCommand,
  stdout,
  summary,
  system,
  teammate,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

/** A short one, for places that hold one line. */
const ONE_LINE = `DB_PASSWORD=${plantedSecrets.find(({ what }) => what === 'DB_PASS')?.secrets[0]} of ${HOME_NAME}`;
const WORK = { cwd: `/home/${HOME_NAME}/app`, gitBranch: `${HOME_NAME}/fix` };
const home = openHome();
afterAll(() => home.remove());

const CLAUDE = 'c1a0de00-0000-4000-8000-000000000001';
const PI = 'b1000000-0000-4000-8000-000000000002';
const folder = `.claude/projects/-home-${HOME_NAME}-app`;
const line = <T extends object>(each: T): T => ({ ...each, sessionId: CLAUDE, ...WORK });

// The home is named last: what stands before must not say it either.
home.write(
  `${folder}/${CLAUDE}.jsonl`,
  [
    summary('u1', ONE_LINE),
    { type: 'custom-title', customTitle: ONE_LINE, sessionId: CLAUDE },
    user('u1', null, `drwx 2 ${HOME_NAME} staff\n\n${ALL}`),
    user('u2', 'u1', [{ type: 'text', text: ALL }, ...plantedMedia]),
    assistant('a1', 'u2', [
      { type: 'thinking', thinking: ALL, signature: 'x' },
      { type: 'text', text: ALL },
    ]),
    assistant('a2', 'a1', [
      toolUse('T1', 'Bash', { command: ALL, description: ONE_LINE }),
      toolUse('T2', 'mcp__db__query', secretsInJson(0)),
      toolUse('T3', 'mcp__db__query', secretsInJson(120)),
      toolUse('T4', 'Edit', { file_path: `/home/${HOME_NAME}/app/.env`, old_string: ALL, new_string: ALL }),
      toolUse('T5', 'Write', { file_path: `/home/${HOME_NAME}/app/.env`, content: ALL }),
      toolUse('T6', 'Task', { prompt: ALL, description: ONE_LINE, subagent_type: 'x' }),
    ]),
    user('r1', 'a2', [toolResult('T1', ALL)], {
      toolUseResult: { stdout: ALL, stderr: ALL, token: `t-${ALL.slice(0, 3)}` },
    }),
    user('r2', 'r1', [toolResult('T2', [...plantedMedia, { type: 'text', text: ALL }])], {
      toolUseResult: { ...secretsInJson(0), ...mediaDetail },
    }),
    user('r3', 'r2', [toolResult('T3', JSON.stringify(secretsInJson(2)))], { toolUseResult: secretsInJson(90) }),
    user('r4', 'r3', [toolResult('T4', ALL)], {
      toolUseResult: {
        structuredPatch: [
          { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ALL.split('\n').map((each) => `+${each}`) },
        ],
      },
    }),
    user('r5', 'r4', [toolResult('T5', ALL, true)], { toolUseResult: ALL }),
    user('r6', 'r5', [toolResult('T6', [{ type: 'text', text: ALL }])], {
      toolUseResult: { agentId: 'ag1', content: [{ type: 'text', text: ALL }] },
    }),
    command('c1', 'r6', '/deploy', ALL),
    stdout('o1', 'c1', ALL),
    meta('m1', 'o1', ALL),
    system('s1', 'm1', 'note', { content: ALL, level: 'error' }),
    attachment('t1', 's1', {
      type: 'hook_blocking_error',
      hookName: 'Stop',
      blockingError: { blockingError: ALL, command: ONE_LINE },
    }),
    attachment('t2', 't1', { type: 'file', filename: ONE_LINE, content: secretsInJson(1), pictures: plantedMedia }),
    queuedCommand('q1', 't2', ALL),
    queue('enqueue', ALL),
    notification('n1', 'q1', `<task-id>b1</task-id>\n<summary>${ONE_LINE}</summary>\n<result>${ALL}</result>`),
    teammate('tm', 'n1', ALL, {}, ` summary="${ONE_LINE.replace(/"/g, '')}"`),
    boundary('b1', 'tm'),
    compactSummary('cs', 'b1'),
    user('u9', 'cs', ALL),
    assistant('a9', 'u9', 'Done.'),
  ].map(line),
);
home.write(`${folder}/${CLAUDE}/subagents/agent-ag1.jsonl`, [
  { ...line(user('x1', null, ALL)), isSidechain: true, agentId: 'ag1' },
  {
    ...line(assistant('x2', 'x1', [toolUse('X', 'Bash', { command: ALL }), { type: 'text', text: ALL }])),
    isSidechain: true,
    agentId: 'ag1',
  },
  { ...line(user('x3', 'x2', [toolResult('X', ALL)])), isSidechain: true, agentId: 'ag1' },
]);

home.write(`.pi/agent/sessions/--home-${HOME_NAME}-app--/2026-01-01T00-00-00-000Z_${PI}.jsonl`, [
  piHeader(PI, { cwd: WORK.cwd }),
  piEntry('session_info', 'i1', null, { name: ONE_LINE }),
  piUser('p1', 'i1', ALL),
  piMessage('p2', 'p1', { role: 'user', content: [{ type: 'text', text: ALL }, ...plantedMedia], timestamp: 0 }),
  piAssistant('p3', 'p2', [
    { type: 'thinking', thinking: ALL },
    { type: 'text', text: ALL },
    { type: 'toolCall', id: 'P1', name: 'read', arguments: { path: `/home/${HOME_NAME}/a.png`, ...secretsInJson(0) } },
    { type: 'toolCall', id: 'P2', name: 'bash', arguments: { command: ALL } },
  ]),
  piMessage('p4', 'p3', {
    role: 'toolResult',
    toolCallId: 'P1',
    toolName: 'read',
    content: plantedMedia,
    details: { ...secretsInJson(3), ...mediaDetail },
    isError: false,
    timestamp: 0,
  }),
  piMessage('p5', 'p4', {
    role: 'toolResult',
    toolCallId: 'P2',
    toolName: 'bash',
    content: [{ type: 'text', text: ALL }],
    details: ALL,
    isError: true,
    timestamp: 0,
  }),
  piMessage('p6', 'p5', { role: 'bashExecution', command: ALL, output: ALL, exitCode: 0, timestamp: 0 }),
  piEntry('custom_message', 'p7', 'p6', { customType: 'x', content: ALL, display: true, details: secretsInJson(1) }),
  piEntry('custom', 'p8', 'p7', { customType: 'x', data: secretsInJson(1) }),
  piEntry('compaction', 'p9', 'p8', { summary: ALL, firstKeptEntryId: 'p6', tokensBefore: 9 }),
  piEntry('branch_summary', 'p10', 'p9', { summary: ALL, fromId: 'p3' }),
  piEntry('label', 'p11', 'p10', { targetId: 'p3', label: ONE_LINE }),
  piEntry('model_change', 'p12', 'p11', { provider: 'p', modelId: ONE_LINE }),
  piUser('p13', 'p12', ALL),
]);

const FORMS = ['text', 'json', 'chat', 'messages', 'markdown', 'html', 'outline'];

describe('attack B3 everything planted in every place', () => {
  test('there are more than 101 of them', () => {
    expect(plantedSecrets.length).toBeGreaterThan(101);
  });

  test.each([CLAUDE, PI].flatMap((id) => FORMS.map((form) => [form, id])))(
    '--as %s of %s says none of it',
    (form, id) => {
      const { out, err, code } = home.skein(['show', id, '--as', form, '--redact', '--verbose']);
      expect(code).toBe(0);
      expect(leaksIn(out + err)).toEqual([]);
      expect(out).toContain('user1');
      if (form !== 'text' && form !== 'markdown' && form !== 'html') JSON.parse(out);
    },
  );

  test.each([
    ['the text of a chat', ['--as', 'chat', '--text']],
    ['a sub-agent', ['--agent', 'ag1']],
  ])('%s says none of it', (_what, args) => {
    const { out, err } = home.skein(['show', CLAUDE, '--redact', ...args]);
    expect(leaksIn(out + err)).toEqual([]);
  });

  test.each(['html', 'markdown', 'json'])(
    'an export as %s says none of it, in no file and in no name of one',
    (form) => {
      const { out, err } = home.skein(['export', '--all', '--redact', '--verbose', '--as', form, '-o', `out-${form}`]);
      const root = join(home.path, `out-${form}`);
      const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
      const texts = files.map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
      expect(
        leaksIn(
          [out, err, ...files.map((each) => join(each.parentPath, each.name).slice(root.length)), ...texts].join('\n'),
        ),
      ).toEqual([]);
      expect(files.length).toBeGreaterThan(5);
    },
  );
});
