import type { RowTool } from '../../../outline/index.ts';
import { bash, edit, notebook, read, write } from './files.ts';
import { finding, mcp, webSearch } from './searches.ts';
import { plan, question, skill, task, web } from './talks.ts';
import { taskCreate, taskList, taskUpdate, todos } from './tasks.ts';
import { fields, plainOutput, renderFields, type ToolView } from './view.ts';

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
};

export function renderTool(tool: RowTool): { readonly input: string; readonly result: string } {
  const view = viewOf(tool.name);
  const input = fields(tool.call?.input);
  const detail = fields(tool.result?.block.detail);
  const given = view.input ? view.input(input, detail) : renderFields(input);
  const result = !tool.result ? '' : (view.result ?? plainOutput)(tool, input, detail);
  return { input: given, result: tool.isError && result !== '' ? `<div class="error">${result}</div>` : result };
}

function viewOf(name: string): ToolView {
  if (Object.hasOwn(VIEWS, name)) return VIEWS[name] as ToolView;
  return name.startsWith('mcp__') ? mcp : {};
}
