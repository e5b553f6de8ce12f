import { isUnreadable } from '../../../model/index.ts';
import type { RowTool } from '../../../outline/index.ts';
import {
  backgroundOutput,
  backgroundStop,
  cronCreate,
  cronDelete,
  cronList,
  monitor,
  wakeup,
  workflow,
} from './background.ts';
import { bash, edit, notebook, read, write } from './files.ts';
import { finding, grep, mcp, names, toolSearch, webSearch } from './searches.ts';
import { plan, question, skill, task, web } from './talks.ts';
import { taskCreate, taskGet, taskList, taskUpdate, todos } from './tasks.ts';
import { sendMessage, teamCreate, teamDelete } from './teams.ts';
import { type Fields, fields, plainOutput, renderFields, type ToolView } from './view.ts';

/** Claude Code writes the names of its tools with a capital, Pi without. */
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
  NotebookEdit: notebook,
  Glob: finding,
  Grep: finding,
  WebSearch: webSearch,
  WebFetch: web,
  Task: task,
  Agent: task,
  TodoWrite: todos,
  TaskCreate: taskCreate,
  TaskUpdate: taskUpdate,
  TaskList: taskList,
  AskUserQuestion: question,
  ExitPlanMode: plan,
  exit_plan_mode: plan,
  Skill: skill,
  TaskGet: taskGet,
  LS: names('path'),
  ls: names('path'),
  find: names('pattern'),
  grep,
  ToolSearch: toolSearch,
  BashOutput: backgroundOutput,
  TaskOutput: backgroundOutput,
  AgentOutputTool: backgroundOutput,
  KillShell: backgroundStop,
  KillBash: backgroundStop,
  TaskStop: backgroundStop,
  Monitor: monitor,
  CronCreate: cronCreate,
  CronList: cronList,
  CronDelete: cronDelete,
  ScheduleWakeup: wakeup,
  Workflow: workflow,
  TeamCreate: teamCreate,
  TeamDelete: teamDelete,
  SendMessage: sendMessage,
};

/** `results`: mostly one; a call that was answered more than once has them all. */
export function renderTool(tool: RowTool): { readonly input: string; readonly results: readonly string[] } {
  const view = viewOf(tool.name);
  const input = fields(tool.call?.input);
  const given = view.input ? view.input(input, fields(tool.result?.block.detail)) : renderFields(input);
  return {
    input: given,
    results: resultsOf(tool)
      .map((one) => renderResult(view, one, input))
      .filter(Boolean),
  };
}

/** The call with each of its results. */
const resultsOf = (tool: RowTool): RowTool[] =>
  tool.result
    ? [tool, ...tool.result.more.map((block) => ({ ...tool, result: { block, time: null, more: [], body: [] } }))]
    : [];

function renderResult(view: ToolView, tool: RowTool, input: Fields): string {
  const isRead = tool.result === null || !isUnreadable(tool.result.block);
  const result = ((isRead && view.result) || plainOutput)(tool, input, fields(tool.result?.block.detail));
  return tool.isError && result !== '' ? `<div class="error">${result}</div>` : result;
}

function viewOf(name: string): ToolView {
  if (Object.hasOwn(VIEWS, name)) return VIEWS[name] as ToolView;
  return name.startsWith('mcp__') ? mcp : {};
}
