import { renderPlain } from '../blocks.ts';
import { escapeHtml } from '../escape.ts';
import { foldLong } from '../fold-long.ts';
import { codeBlock, renderMarkdown } from '../markdown.ts';
import { said, saidFields, sentence } from './said.ts';
import { none, plainOutput, quiet, type ToolView, table, text, word } from './view.ts';

/**
 * What something in the background printed so far. `TaskOutput` says it as text only:
 * `<retrieval_status>success</retrieval_status> <task_type>local_bash</task_type> <status>running</status> <output>…</output>`
 */
export const backgroundOutput: ToolView = {
  input: none,
  result: (tool, _input, detail) => {
    const told = said(tool);
    const tag = (name: string): string => between(told, `<${name}>`, `</${name}>`);
    const status = text(detail.status) || tag('status') || tag('retrieval_status');
    if (status === '' || tool.isError) return plainOutput(tool);
    const exit = word(detail.exitCode) || tag('exit_code');
    const sort = { local_bash: 'command', local_agent: 'sub-agent' }[tag('task_type')] ?? '';
    const facts = [text(detail.command), sort, status.replace('_', ' '), exit === '' ? '' : `exit code ${exit}`];
    const output = text(detail.stdout) || tag('stdout') || tag('output');
    const errors = text(detail.stderr) || tag('stderr');
    return (
      quiet(facts.filter(Boolean).join(' · ')) +
      long(output) +
      (errors === '' ? '' : `<div class="stderr">${long(errors)}</div>`)
    );
  },
};

function between(told: string, open: string, close: string): string {
  const start = told.indexOf(open);
  const end = start < 0 ? -1 : told.indexOf(close, start);
  return end < 0
    ? ''
    : told
        .slice(start + open.length, end)
        .replace(/^\n/, '')
        .trimEnd();
}

const long = (printed: string): string => (printed.trim() === '' ? '' : foldLong(renderPlain(printed), printed));

/** TaskStop, KillShell: `{"message":"Successfully stopped task: b1 (sleep 120)"}` */
export const backgroundStop: ToolView = { input: none, result: sentence };

export const monitor: ToolView = {
  input: ({ command, timeout_ms: timeout, persistent }) =>
    foldLong(codeBlock(text(command), 'bash'), text(command)) +
    quiet(
      [typeof timeout === 'number' ? `for at most ${timeout / 1000} s` : '', persistent === true ? 'stays' : '']
        .filter(Boolean)
        .join(' · '),
    ),
  result: sentence,
};

export const cronCreate: ToolView = {
  input: ({ cron, prompt, recurring }) =>
    `<p><code>${escapeHtml(text(cron))}</code> <span class="quiet">${recurring === false ? 'once' : 'again and again'}</span></p>${renderMarkdown(text(prompt))}`,
  result: sentence,
};

/** `337e67de — Every 2 minutes (recurring) [session-only]: the prompt …` */
const JOB = /^(\S+) — (.*?)(?: \[[\w -]+\])?: (.*)$/;

/** Nobody has so many: such a text is shown as it is. */
const MANY = 20_000;

export const cronList: ToolView = {
  input: none,
  result: (tool) => {
    const told = said(tool);
    const jobs =
      told.length > MANY
        ? []
        : told
            .split('\n')
            .filter(Boolean)
            .map((line) => JOB.exec(line));
    if (jobs.length === 0 || jobs.includes(null)) return sentence(tool);
    return table(
      ['Job', 'When', 'Prompt'],
      jobs.map((job) => [job?.[1] ?? '', job?.[2] ?? '', job?.[3] ?? '']),
    );
  },
};

export const cronDelete: ToolView = { input: none, result: sentence };

export const wakeup: ToolView = {
  input: ({ delaySeconds, reason, prompt }) =>
    quiet(word(delaySeconds) === '' ? '' : `in ${word(delaySeconds)} s`) +
    (text(reason) === '' ? '' : `<p>${escapeHtml(text(reason))}</p>`) +
    renderMarkdown(text(prompt)),
  result: sentence,
};

const PHASE = /\btitle:\s*(['"`])(.*?)\1/g;
const META = (name: string): RegExp => new RegExp(`\\b${name}:\\s*(['"\`])(.*?)\\1`);

/** A script that starts sub-agents; its head says what it is called and through which phases it goes. */
export const workflow: ToolView = {
  input: (input) => {
    const script = text(input.script);
    const start = script.slice(0, MANY / 4);
    const name = text(input.name) || (META('name').exec(start)?.[2] ?? '');
    const about = META('description').exec(start)?.[2] ?? '';
    const phases = [...start.matchAll(PHASE)].map((match) => `<li>${escapeHtml(match[2] ?? '')}</li>`);
    return (
      (name === '' ? '' : `<p><strong>${escapeHtml(name)}</strong> ${escapeHtml(about)}</p>`) +
      (phases.length === 0 ? '' : `<ol class="phases">${phases.join('')}</ol>`) +
      (script === '' ? '' : foldLong(codeBlock(script, 'javascript'), script))
    );
  },
  result: (tool, _input, detail) => {
    const { runId, status } = { ...saidFields(tool), ...detail };
    const facts = [text(status).replace('_', ' '), text(runId)].filter(Boolean).join(' · ');
    return (tool.isError ? '' : quiet(facts)) + sentence(tool);
  },
};
