import { escapeHtml } from '../escape.ts';
import { renderMarkdown } from '../markdown.ts';
import { said } from './said.ts';
import {
  errorOutput,
  fields,
  list,
  none,
  plainOutput,
  quiet,
  renderFields,
  type ToolView,
  table,
  text,
  without,
  word,
} from './view.ts';

const item = (status: string, said: string): string =>
  `<li class="${STATES.has(status) ? status : 'pending'}">${escapeHtml(said)} <span class="quiet">${escapeHtml(status.replace('_', ' '))}</span></li>`;
const STATES = new Set(['completed', 'in_progress', 'pending']);

export const todos: ToolView = {
  input: (input) => {
    const items = list(input.todos).map(fields);
    return `<ul class="todos">${items.map((todo) => item(text(todo.status), text(todo.content))).join('')}</ul>`;
  },
  result: none,
};

/** `"toolUseResult":{"task":{"id":"1","subject":"…"}}` */
export const taskCreate: ToolView = {
  input: (input) =>
    `<p><strong>${escapeHtml(text(input.subject))}</strong></p>${renderMarkdown(text(input.description))}`,
  result: (tool, _input, detail) => {
    const id = word(fields(detail.task).id);
    return id === '' || tool.isError ? plainOutput(tool) : quiet(`Task ${id} created`);
  },
};

/** `"toolUseResult":{"taskId":"1","statusChange":{"from":"pending","to":"in_progress"}}` */
export const taskUpdate: ToolView = {
  input: (input, detail) => {
    const { from, to } = fields(detail.statusChange);
    const change = text(to) === '' ? word(input.status) : `${text(from)} → ${text(to)}`;
    const rest = renderFields(without(input, 'taskId', 'status'));
    return `<p>Task ${escapeHtml(word(input.taskId))} ${escapeHtml(change.replaceAll('_', ' '))}</p>${rest}`;
  },
  result: (tool, _input, detail) => (detail.success === true ? errorOutput(tool) : plainOutput(tool)),
};

export const taskList: ToolView = {
  input: none,
  result: (tool, _input, detail) => {
    const tasks = list(detail.tasks).map(fields);
    if (tasks.length === 0) return plainOutput(tool);
    const rows = tasks.map(({ id, subject, status, owner, blockedBy }) => [
      word(id),
      text(subject),
      text(status).replace('_', ' '),
      text(owner),
      list(blockedBy).map(word).join(', '),
    ]);
    return table(['Task', 'Subject', 'Status', 'Owner', 'Blocked by'], rows);
  },
};

/** `Task #2: the subject\nStatus: in_progress\nDescription: …` */
const TASK = /^Task #(\S+): (.*)\nStatus: (\S+)(?:\n(?:Description: ([\s\S]*))?)?$/;

export const taskGet: ToolView = {
  input: none,
  result: (tool) => {
    const [, id, subject = '', status = '', description = ''] = TASK.exec(said(tool).trim()) ?? [];
    if (id === undefined) return plainOutput(tool);
    return `<ul class="todos">${item(status, `${id}. ${subject}`)}</ul>${renderMarkdown(description)}`;
  },
};
