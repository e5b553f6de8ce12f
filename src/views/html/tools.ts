import type { RowTool } from '../../outline/index.ts';
import { renderJson, renderOutput, renderPlain } from './blocks.ts';
import { patchLines, renderDiff, replaceLines } from './diff.ts';
import { escapeHtml } from './escape.ts';
import { codeBlock, renderMarkdown } from './markdown.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a tool's call and result look. Every tool without a line here gets a tidy list of what it was given, and its output. */
interface ToolView {
  readonly input?: (input: Fields, detail: Fields) => string;
  readonly result?: (tool: RowTool, input: Fields, detail: Fields) => string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const none = (): string => '';

const markdownOutput = (tool: RowTool): string => renderOutput(tool.result?.block.output, renderMarkdown);
const plainOutput = (tool: RowTool): string => renderOutput(tool.result?.block.output, renderPlain);

const bash: ToolView = {
  input: (input) => codeBlock(text(input.command), 'bash'),
  result: (tool, _input, detail) => {
    if (typeof detail.stdout !== 'string') return plainOutput(tool);
    const out = detail.stdout.trim() === '' ? '' : renderPlain(detail.stdout);
    const error =
      text(detail.stderr).trim() === '' ? '' : `<div class="stderr">${renderPlain(text(detail.stderr))}</div>`;
    return out + error;
  },
};

const read: ToolView = {
  input: none,
  result: (tool, input, detail) => {
    const file = fields(detail.file);
    if (typeof file.content === 'string')
      return codeBlock(file.content, languageOf(text(input.file_path ?? input.path)));
    return renderOutput(tool.result?.block.output, (each) =>
      codeBlock(withoutNumbers(each), languageOf(text(input.file_path ?? input.path))),
    );
  },
};

const write: ToolView = {
  input: (input) => codeBlock(text(input.content), languageOf(text(input.file_path ?? input.path))),
  result: (tool) => (tool.isError ? plainOutput(tool) : ''),
};

const edit: ToolView = {
  input: (input, detail) => {
    const hunks = list(detail.structuredPatch);
    if (hunks.length > 0) return renderDiff(patchLines(hunks));
    const edits = list(input.edits).length > 0 ? list(input.edits).map(fields) : [input];
    return edits
      .map((each) =>
        renderDiff(replaceLines(text(each.old_string ?? each.oldText), text(each.new_string ?? each.newText))),
      )
      .join('');
  },
  result: (tool) => (tool.isError ? plainOutput(tool) : ''),
};

const task: ToolView = { input: (input) => renderMarkdown(text(input.prompt)), result: markdownOutput };
const web: ToolView = { result: markdownOutput };

const todos: ToolView = {
  input: (input) =>
    `<ul class="todos">${list(input.todos)
      .map(fields)
      .map(
        (todo) =>
          `<li class="${text(todo.status) === 'completed' ? 'done' : ''}">${escapeHtml(text(todo.content))} <span class="quiet">${escapeHtml(text(todo.status))}</span></li>`,
      )
      .join('')}</ul>`,
  result: none,
};

const question: ToolView = {
  input: (input, detail) => {
    const answers = fields(detail.answers);
    return list(input.questions)
      .map(fields)
      .map((each) => {
        const asked = text(each.question);
        const answer = answers[asked];
        const options = list(each.options).map(fields);
        const items = options.map((option) => {
          const isChosen = text(option.label) !== '' && text(answer).includes(text(option.label));
          return `<li class="${isChosen ? 'chosen' : ''}">${escapeHtml(text(option.label))} <span class="quiet">${escapeHtml(text(option.description))}</span></li>`;
        });
        return `<p><strong>${escapeHtml(asked)}</strong></p><ul>${items.join('')}</ul><p>${answer === undefined ? '<span class="quiet">No answer</span>' : escapeHtml(text(answer))}</p>`;
      })
      .join('');
  },
  result: none,
};

const plan: ToolView = {
  input: (input) => renderMarkdown(text(input.plan)),
  result: (tool) => (tool.isError ? plainOutput(tool) : ''),
};

const skill: ToolView = {
  result: (tool) =>
    (tool.result?.body ?? []).map((block) => ('text' in block ? renderMarkdown(block.text) : '')).join('') ||
    plainOutput(tool),
};

const VIEWS: Readonly<Record<string, ToolView>> = {
  Bash: bash,
  bash,
  Read: read,
  read,
  Write: write,
  write,
  Edit: edit,
  MultiEdit: edit,
  edit,
  Task: task,
  Agent: task,
  WebFetch: web,
  WebSearch: web,
  TodoWrite: todos,
  AskUserQuestion: question,
  ExitPlanMode: plan,
  exit_plan_mode: plan,
  Skill: skill,
};

export function renderTool(tool: RowTool): { readonly input: string; readonly result: string } {
  const view = Object.hasOwn(VIEWS, tool.name) ? (VIEWS[tool.name] as ToolView) : {};
  const input = fields(tool.call?.input);
  const detail = fields(tool.result?.block.detail);
  const given = view.input ? view.input(input, detail) : renderFields(input);
  const result = !tool.result ? '' : (view.result ?? plainOutput)(tool, input, detail);
  return { input: given, result: tool.isError && result !== '' ? `<div class="error">${result}</div>` : result };
}

const SHORT = 200;

/** What a tool was given, one line each; long values in a block of their own. */
function renderFields(input: Fields): string {
  const rows = Object.entries(input).map(([key, value]) => {
    const isShort = typeof value !== 'object' && `${value}`.length <= SHORT && !`${value}`.includes('\n');
    const shown = isShort
      ? escapeHtml(`${value}`)
      : typeof value === 'string'
        ? `<pre class="out">${escapeHtml(value)}</pre>`
        : renderJson(value);
    return `<dt>${escapeHtml(key)}</dt><dd>${shown}</dd>`;
  });
  return rows.length > 0 ? `<dl class="fields">${rows.join('')}</dl>` : '';
}

/** `     1→text` up to 2.1.42, `1\ttext` after. */
const withoutNumbers = (numbered: string): string => numbered.replace(/^ *\d+(?:→|\t)/gm, '');

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  go: 'go',
  java: 'java',
  sh: 'bash',
  json: 'json',
  jsonl: 'json',
  css: 'css',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  md: 'markdown',
  sql: 'sql',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'ini',
  c: 'cpp',
  h: 'cpp',
  cpp: 'cpp',
};

function languageOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? '') : '';
}
