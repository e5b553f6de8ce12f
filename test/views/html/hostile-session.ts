import {
  assistant,
  attachment,
  boundary,
  commandText,
  type Json,
  system,
  teammate,
  toolResult,
  toolUse,
  user,
} from '../../kit/transcript.ts';

/** Puts a payload into one field; `~name~` behind it shows that the field was rendered. */
type Put = (field: string) => string;

/** Calls of every tool that has a rendering of its own, of one nobody knows, and what comes back. */
const calls = (put: Put): [name: string, input: Json, output: unknown, detail?: unknown][] => [
  ['Bash', { command: put('bash-command'), description: put('bash-description') }, put('bash-output')],
  ['Bash', { command: 'x' }, 'x', { stdout: put('bash-stdout'), stderr: put('bash-stderr') }],
  ['Read', { file_path: put('read-path') }, put('read-output')],
  ['Read', { file_path: `${put('read-name')}.ts` }, 'x', { file: { content: put('read-content') } }],
  ['Write', { file_path: `${put('write-path')}.html`, content: put('write-content') }, 'ok'],
  ['Edit', { file_path: put('edit-path'), old_string: put('edit-old'), new_string: put('edit-new') }, 'ok'],
  [
    'Edit',
    { file_path: 'x' },
    'ok',
    {
      structuredPatch: [
        { newStart: 1, lines: [` ${put('patch-same')}`, `-${put('patch-out')}`, `+${put('patch-in')}`] },
      ],
    },
  ],
  ['Edit', { file_path: 'x' }, 'ok', { structuredPatch: [{ newStart: put('patch-start'), lines: ['+x'] }] }],
  ['MultiEdit', { edits: [{ old_string: put('edits-old'), new_string: put('edits-new') }] }, 'ok'],
  [
    'NotebookEdit',
    { notebook_path: put('notebook-path'), new_source: put('notebook-source'), cell_type: put('cell') },
    'ok',
  ],
  ['Glob', { pattern: put('glob-pattern'), path: put('glob-path') }, put('glob-output')],
  ['Glob', { pattern: '*' }, 'x', { filenames: [put('glob-file')], numFiles: 1, truncated: true }],
  ['Grep', { pattern: put('grep-pattern'), glob: put('grep-glob') }, put('grep-output')],
  [
    'Grep',
    { pattern: 'x', output_mode: 'content' },
    'x',
    { mode: 'content', content: put('grep-content'), numLines: 1 },
  ],
  ['Grep', { pattern: 'x' }, 'x', { mode: 'files_with_matches', filenames: [put('grep-file')] }],
  [
    'Task',
    { prompt: put('task-prompt'), description: put('task-description'), subagent_type: put('task-type') },
    put('task-output'),
  ],
  ['WebFetch', { url: put('fetch-url'), prompt: put('fetch-prompt') }, put('fetch-output')],
  ['WebSearch', { query: put('search-query') }, put('search-output')],
  [
    'WebSearch',
    { query: 'x' },
    'x',
    {
      query: 'x',
      results: [put('search-text'), { content: [{ title: put('search-title'), url: put('search-url') }] }],
    },
  ],
  [
    'WebSearch',
    { query: 'x' },
    `Links: [{"title":"a","url":${JSON.stringify(put('search-link').toWellFormed())}}]\n\ntext`,
  ],
  ['TodoWrite', { todos: [{ content: put('todo'), status: put('todo-status'), activeForm: put('todo-form') }] }, 'ok'],
  [
    'TaskCreate',
    { subject: put('create-subject'), description: put('create-text') },
    'x',
    { task: { id: put('create-id') } },
  ],
  ['TaskCreate', { subject: 'x' }, put('create-output')],
  ['TaskUpdate', { taskId: put('update-id'), status: put('update-status') }, put('update-output')],
  [
    'TaskList',
    {},
    'x',
    {
      tasks: [
        {
          id: put('list-id'),
          subject: put('list-subject'),
          status: put('list-status'),
          owner: put('list-owner'),
          blockedBy: [put('list-blocked')],
        },
      ],
    },
  ],
  [
    'AskUserQuestion',
    {
      questions: [
        {
          question: put('question'),
          header: 'x',
          options: [{ label: put('option'), description: put('option-text') }],
        },
      ],
    },
    'ok',
    { answers: { [put('question')]: put('answer') } },
  ],
  ['ExitPlanMode', { plan: put('plan') }, put('plan-output')],
  ['Skill', { skill: put('skill') }, put('skill-output')],
  ['ToolSearch', { query: put('tools-query') }, [{ type: 'tool_reference', tool_name: put('tool-reference') }]],
  [
    'mcp__a__b',
    { [put('mcp-key')]: put('mcp-value'), nested: { [put('mcp-nested')]: [put('mcp-item')] } },
    [{ type: 'text', text: put('mcp-text') }],
  ],
  [put('tool-name'), { x: put('other-value') }, { [put('other-output')]: 1 }],
  [
    'Read',
    { file_path: 'x.png' },
    [{ type: 'image', source: { type: 'base64', media_type: put('result-media'), data: 'AAAA' } }],
  ],
  [
    'Read',
    { file_path: 'x.png' },
    [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: put('result-data') } }],
  ],
  ['Odd', {}, [{ type: put('result-type'), x: put('result-unknown') }, put('result-bare'), null]],
  [
    'BashOutput',
    { bash_id: put('shell-id') },
    'x',
    {
      status: put('shell-status'),
      command: put('shell-command'),
      stdout: put('shell-stdout'),
      stderr: put('shell-stderr'),
    },
  ],
  [
    'TaskOutput',
    { task_id: put('job-id') },
    `<status>${put('job-status')}</status><output>${put('job-output')}</output>`,
  ],
  ['KillShell', { shell_id: put('kill-id') }, JSON.stringify({ message: put('kill-message').toWellFormed() })],
  ['TaskStop', { task_id: put('stop-id') }, put('stop-output')],
  ['Monitor', { command: put('monitor-command'), description: put('monitor-text') }, put('monitor-output')],
  ['CronCreate', { cron: put('cron'), prompt: put('cron-prompt') }, put('cron-output')],
  ['CronList', {}, `${put('job').replace(/\s/g, '')} — when: ${put('job-prompt').replace(/\n/g, ' ')}`],
  ['CronDelete', { id: put('cron-id') }, put('cron-deleted')],
  ['ScheduleWakeup', { reason: put('wake-reason'), prompt: put('wake-prompt') }, put('wake-output')],
  [
    'Workflow',
    {
      script: `name: '${put('flow-name').replace(/['\n]/g, '')}', title: '${put('flow-phase').replace(/['\n]/g, '')}'`,
    },
    put('flow-output'),
    { status: put('flow-status'), runId: put('flow-run') },
  ],
  [
    'TeamCreate',
    { team_name: put('team'), description: put('team-text'), agent_type: put('team-type') },
    JSON.stringify({ lead_agent_id: put('team-lead').toWellFormed(), team_file_path: put('team-file').toWellFormed() }),
  ],
  ['TeamDelete', {}, JSON.stringify({ success: false, message: put('team-gone').toWellFormed() })],
  [
    'SendMessage',
    { to: put('mail-to'), summary: put('mail-summary'), message: put('mail-text'), type: put('mail-type') },
    put('mail-output'),
  ],
  ['SendMessage', { message: { [put('mail-key')]: put('mail-value') } }, 'ok'],
  [
    'TaskGet',
    { taskId: put('get-id') },
    `Task #1: ${put('get-subject').replace(/\n/g, ' ')}\nStatus: x\nDescription: ${put('get-text')}`,
  ],
  ['LS', { path: put('dir-path') }, put('dir-output')],
  ['ToolSearch', { query: 'x' }, 'x', { matches: [put('tool-match')], total_deferred_tools: 1 }],
  ['Skill', { skill: 'x', args: put('skill-args') }, 'ok'],
  ['WebFetch', { url: 'x' }, 'x', { code: put('fetch-code'), codeText: put('fetch-text') }],
  [
    'Bash',
    { command: 'x' },
    'x',
    { stdout: '', backgroundTaskId: put('back-id'), returnCodeInterpretation: put('back-code') },
  ],
  ['find', { pattern: put('find-pattern') }, [{ type: 'text', text: put('find-output') }]],
  ['ls', { path: put('ls-path') }, [{ type: 'text', text: put('ls-output') }]],
  ['grep', { pattern: put('pi-grep') }, [{ type: 'text', text: put('pi-grep-output') }]],
  ['edit', { path: put('pi-path'), oldText: put('pi-old'), newText: put('pi-new') }, 'ok'],
  ['edit', { path: 'x' }, 'ok', { diff: put('pi-diff') }],
  ['read', { path: put('pi-read') }, [{ type: 'text', text: put('pi-read-output') }]],
];

/** One round of everything a session can show, with a payload in every place. `n` keeps ids apart. */
export function hostileRound(n: number, put: Put, parent: string | null): { lines: Json[]; last: string } {
  const lines: Json[] = [];
  let last = parent;
  const add = (make: (uuid: string, above: string | null) => Json, id = `u${n}.${lines.length}`): string => {
    lines.push(make(id, last));
    last = id;
    return id;
  };
  add((uuid, above) => user(uuid, above, put('prompt')));
  // The payload as an id that others name as their parent.
  add((uuid, above) => user(uuid, above, [{ type: 'text', text: put('prompt-block') }]), put('uuid'));
  add((uuid, above) =>
    user(uuid, above, [
      { type: 'text', text: 'x' },
      { type: 'image', source: { type: 'base64', media_type: put('media'), data: 'AAAA' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: put('data') } },
      { type: put('block-type'), [put('block-key')]: put('block-value') },
    ]),
  );
  add((uuid, above) =>
    assistant(uuid, above, [
      { type: 'thinking', thinking: put('thinking') },
      { type: 'text', text: put('answer-text') },
      { type: put('answer-block'), text: put('answer-block-text') },
    ]),
  );
  add((uuid, above) => {
    const line = assistant(uuid, above, 'x');
    return { ...line, message: { ...(line.message as Json), model: put('model') } };
  });
  add((uuid, above) => assistant(uuid, above, put('api-error'), { isApiErrorMessage: true }));
  calls(put).forEach(([name, input, output, detail], i) => {
    const id = i === 0 ? put('call-id') : `t${n}.${i}`;
    add((uuid, above) => assistant(uuid, above, [toolUse(id, name, input)]));
    add((uuid, above) =>
      user(
        uuid,
        above,
        [toolResult(id, output, name === 'ExitPlanMode')],
        detail === undefined ? {} : { toolUseResult: detail },
      ),
    );
  });
  // A sub-agent between the lines of its session.
  const agent = { isSidechain: true, agentId: put('agent-id') };
  lines.push(user(`g${n}.0`, null, put('agent-prompt'), agent));
  lines.push(assistant(`g${n}.1`, `g${n}.0`, [toolUse(`g${n}`, 'Bash', { command: put('agent-command') })], agent));
  lines.push(user(`g${n}.2`, `g${n}.1`, [toolResult(`g${n}`, put('agent-output'))], agent));
  lines.push(assistant(`g${n}.3`, `g${n}.2`, put('agent-answer'), agent));
  add((uuid, above) => user(uuid, above, commandText(`/${put('command')}`, put('command-args'))));
  add((uuid, above) => user(uuid, above, `<local-command-stdout>${put('command-output')}</local-command-stdout>`));
  add((uuid, above) => user(uuid, above, `<bash-input>${put('bash-mode')}</bash-input>`));
  add((uuid, above) =>
    user(
      uuid,
      above,
      `<bash-stdout>${put('bash-mode-out')}</bash-stdout><bash-stderr>${put('bash-mode-err')}</bash-stderr>`,
    ),
  );
  add((uuid, above) => teammate(uuid, above, put('teammate-text')));
  add((uuid, above) =>
    user(
      uuid,
      above,
      `<teammate-message teammate_id="${put('teammate')}" summary="${put('teammate-summary')}">x</teammate-message>`,
    ),
  );
  add((uuid, above) =>
    user(
      uuid,
      above,
      `<task-notification><task-id>b${n}</task-id><status>${put('note-status')}</status></task-notification>`,
    ),
  );
  add((uuid, above) =>
    user(
      uuid,
      above,
      `<task-notification><task-id>b${n}</task-id><summary>${put('note-summary')}</summary><result>${put('note-result')}</result></task-notification>`,
    ),
  );
  add((uuid, above) => system(uuid, above, 'informational', { content: put('system-text'), level: 'info' }));
  add((uuid, above) => system(uuid, above, put('subtype'), { content: put('system-odd'), level: put('level') }));
  add((uuid, above) =>
    attachment(uuid, above, {
      type: 'hook_blocking_error',
      hookName: put('hook-name'),
      blockingError: put('hook-error'),
    }),
  );
  add((uuid, above) => attachment(uuid, above, { type: put('attachment'), content: put('attachment-text') }));
  add((uuid, above) =>
    boundary(uuid, above, { content: put('boundary'), compactMetadata: { trigger: put('trigger') } }),
  );
  return { lines, last: last ?? '' };
}

/** Prompts whose ids are those of the session, of a part of another record, and of what the page itself names. */
export const collidingPrompts = (session: string, parent: string): Json[] =>
  [`session-${session}`, 'u0.3_text_1', 'u0.3_text_0', 'c-0', 'u0.0'].map((id, i, all) =>
    user(id, i === 0 ? parent : (all[i - 1] ?? null), `collision ${id}`),
  );

/** A prompt that goes on in as many ways as there are payloads: each is the name of a branch. */
export function hostileBranches(parent: string, puts: readonly Put[]): Json[] {
  return puts.flatMap((put, n) => [
    user(put('branch-uuid'), parent, put('branch')),
    assistant(`b${n}`, put('branch-uuid'), 'x'),
  ]);
}
