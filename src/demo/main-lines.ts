import { call, Script, text, thinking } from './envelope.ts';
import { SCOUT_ANSWER, SCOUT_PROMPT } from './scout-lines.ts';

const OLD =
  'export function clock(d: Date): string {\n  const h = d.getHours();\n  return h + ":" + d.getMinutes();\n}\n';
const PATCH = [
  {
    oldStart: 1,
    oldLines: 4,
    newStart: 1,
    newLines: 4,
    lines: [
      ' export function clock(d: Date): string {',
      '-  const h = d.getHours();',
      '-  return h + ":" + d.getMinutes();',
      '+  const h = String(d.getUTCHours()).padStart(2, "0");',
      '+  return h + ":" + String(d.getUTCMinutes()).padStart(2, "0");',
      ' }',
    ],
  },
];
/** As the agent shows a file to the model. */
const numbered = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line, i) => `${i + 1}\t${line}`)
    .join('\n');
const bash = (stdout: string, stderr = ''): object => ({ stdout, stderr, interrupted: false, isImage: false });

export function mainLines(session: string): readonly object[] {
  const script = new Script(session);
  script.raw({ type: 'permission-mode', permissionMode: 'default', sessionId: session });
  begin(script);
  firstTry(script, session);
  secondTry(script, session);
  script.raw({ type: 'ai-title', aiTitle: 'Clock shows the wrong hour in summer', sessionId: session });
  script.raw({ type: 'last-prompt', lastPrompt: 'Thanks. Commit it.', leafUuid: 'm61', sessionId: session });
  return script.lines;
}

/** A question, a look at the code, a sub-agent. */
function begin(script: Script): void {
  script.user('m01', 'The clock in @src/format.ts is one hour off since Sunday. Can you find out why?');
  script.answer(
    'm02',
    thinking('One hour off since Sunday: that smells like summer time. Look at the code first.'),
    text('I will look at the formatter first.'),
    call('read', 'Read', { file_path: '/home/ada/clock/src/format.ts' }),
  );
  script.result('m03', 'toolu_demo_read', numbered(OLD), {
    type: 'text',
    file: { filePath: '/home/ada/clock/src/format.ts', content: OLD, numLines: 4, startLine: 1, totalLines: 4 },
  });
  script.answer(
    'm04',
    text('`getHours()` is local time. Let me see who else formats dates.'),
    call('agent', 'Agent', { description: 'Find time code', prompt: SCOUT_PROMPT, subagent_type: 'Explore' }),
  );
  script.wait(40).result('m05', 'toolu_demo_agent', [{ type: 'text', text: SCOUT_ANSWER }], {
    status: 'completed',
    prompt: SCOUT_PROMPT,
    agentId: 'a5c0071',
    content: [{ type: 'text', text: SCOUT_ANSWER }],
    totalDurationMs: 38_000,
    totalTokens: 15_800,
    totalToolUseCount: 1,
  });
  script.answer(
    'm06',
    text(
      'The servers send UTC, the formatter answers in **local** time. Since the clocks changed, the two differ by an hour.\n\nShall I make it UTC everywhere?',
    ),
  );
}

/** The first way: a patch, a failing test; abandoned. */
function firstTry(script: Script, session: string): void {
  script.user('m10', 'Try it with an offset of +1 for now.');
  script.answer(
    'm11',
    call('bash1', 'Bash', {
      command: 'sed -i s/getHours\\(\\)/getHours\\(\\)+1/ src/format.ts && npm test',
      description: 'Patch and test',
    }),
  );
  script.raw({
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: script.time,
    sessionId: session,
    content: 'Do not touch the log file, please.',
  });
  script.result(
    'm12',
    'toolu_demo_bash1',
    'Exit code 1\nFAIL  midnight is 00:00\n  expected "00:00", got "24:00"',
    'Error: Exit code 1',
    true,
  );
  script.raw({
    type: 'queue-operation',
    operation: 'remove',
    timestamp: script.time,
    sessionId: session,
    content: 'Do not touch the log file, please.',
  });
  script.chain('attachment', 'm13', {
    attachment: { type: 'queued_command', commandMode: 'prompt', prompt: 'Do not touch the log file, please.' },
  });
  script.answer('m14', text('Adding one breaks midnight: it becomes 24:00. I left the log file alone.'));
}

/** The human goes back and takes the other way. */
function secondTry(script: Script, session: string): void {
  script.goTo('m06').wait(300);
  script.user('m20', 'Yes, UTC everywhere. Make a short list first.');
  const todos = [
    { content: 'Use UTC in clock()', status: 'in_progress', activeForm: 'Using UTC' },
    { content: 'Pad hours and minutes', status: 'pending', activeForm: 'Padding' },
  ];
  script.answer('m21', call('todo', 'TodoWrite', { todos }));
  script.result('m22', 'toolu_demo_todo', 'Todos have been modified successfully.', { oldTodos: [], newTodos: todos });
  script.answer(
    'm23',
    call('edit', 'Edit', {
      file_path: '/home/ada/clock/src/format.ts',
      old_string: 'd.getHours()',
      new_string: 'd.getUTCHours()',
    }),
  );
  script.result('m24', 'toolu_demo_edit', 'The file /home/ada/clock/src/format.ts has been updated.', {
    filePath: '/home/ada/clock/src/format.ts',
    oldString: 'd.getHours()',
    newString: 'd.getUTCHours()',
    originalFile: OLD,
    structuredPatch: PATCH,
    userModified: false,
    replaceAll: false,
  });
  script.answer('m25', call('bash2', 'Bash', { command: 'npm test', description: 'Run the tests' }));
  script.result(
    'm26',
    'toolu_demo_bash2',
    'PASS  midnight is 00:00\nPASS  summer time\nPASS  pads minutes\n3 passed',
    bash('PASS  midnight is 00:00\nPASS  summer time\nPASS  pads minutes\n3 passed'),
  );
  script.answer('m27', text('Done: the clock answers in UTC, and all three tests pass.'));
  compaction(script);
  script.user('m60', '<bash-input>git diff --stat</bash-input>');
  script.wait(1).chain('user', 'm60-out', {
    message: {
      role: 'user',
      content: '<bash-stdout> src/format.ts | 4 ++--\n 1 file changed</bash-stdout><bash-stderr></bash-stderr>',
    },
  });
  script.user('m61', 'Thanks. Commit it.');
  script.answer('m62', call('commit', 'Bash', { command: 'git commit -qam "Clock in UTC"', description: 'Commit' }));
  script.result('m63', 'toolu_demo_commit', '', bash(''));
  script.answer('m64', text('Committed as “Clock in UTC”.'));
  script.raw({ type: 'custom-title', customTitle: 'Clock in UTC', sessionId: session });
}

function compaction(script: Script): void {
  script.goTo('m27').wait(60);
  const before = { logicalParentUuid: 'm27', parentUuid: null };
  script.chain('system', 'm50', {
    ...before,
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    isMeta: false,
    compactMetadata: { trigger: 'manual', preTokens: 24_300, postTokens: 2_100 },
  });
  script.chain('user', 'm51', {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
    message: {
      role: 'user',
      content:
        'This session is being continued from a previous conversation that ran out of context. The clock showed local time; it now answers in UTC and the tests pass.',
    },
  });
}
