import type { CallBlock, ResultBlock } from '../../model/index.ts';
import { contentText } from './content-text.ts';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './json-values.ts';
import { diffTextLines, renderDiff } from './render-diff.ts';
import { sayCommand } from './say-command.ts';
import { sayFields } from './say-fields.ts';
import { sayEdit, sayFile, sayFound } from './say-files.ts';
import { sayPlan, sayQuestions } from './say-questions.ts';
import { sayAgent, sayList, sayTask, sayTaskUpdate } from './say-tasks.ts';
import { sayText } from './say-text.ts';
import { sayFetched, saySearched } from './say-web.ts';
import { countOf, preview, shortValue, withBody } from './shorten.ts';

/** A result and the call it answers. */
export interface Answered {
  readonly result: ResultBlock;
  readonly call: CallBlock | null;
}

/** What a tool gave, known by its keys and not by the tool's name: tools are renamed, and share their forms. */
interface ResultShape {
  readonly when: (data: Fields) => boolean;
  readonly say: (data: Fields, verbose: boolean, answered: Answered) => string;
}

/** The first that fits. */
export const RESULT_SHAPES: readonly ResultShape[] = [
  // Edit, MultiEdit, Write
  { when: (data) => 'structuredPatch' in data, say: sayEdit },
  // Pi's edit
  {
    when: ({ diff }) => typeof diff === 'string',
    say: ({ diff }, verbose) => renderDiff(diffTextLines(String(diff)), verbose),
  },
  // Bash, BashOutput
  { when: ({ stdout, stderr }) => typeof stdout === 'string' || typeof stderr === 'string', say: sayCommand },
  // Read
  { when: ({ file }) => fieldsOf(file) !== null, say: sayFile },
  // Glob, Grep
  { when: ({ numFiles }) => numberOf(numFiles) !== null, say: sayFound },
  // TodoWrite
  {
    when: ({ newTodos }) => Array.isArray(newTodos),
    say: ({ newTodos }, verbose) => sayList('todo', listOf(newTodos), verbose),
  },
  // AskUserQuestion
  { when: ({ answers }) => fieldsOf(answers) !== null, say: sayQuestions },
  // ExitPlanMode
  {
    when: (data) => 'plan' in data,
    say: ({ plan }, verbose, { result, call }) =>
      textOf(plan) === null ? sayText(result.output, call, verbose) : sayPlan(String(plan)),
  },
  // Skill
  {
    when: ({ commandName }) => textOf(commandName) !== null,
    say: ({ commandName }) => `Skill(${shortValue(commandName)}) activated`,
  },
  // WebFetch
  { when: (data) => 'codeText' in data, say: sayFetched },
  // WebSearch
  { when: (data) => 'durationSeconds' in data && textOf(data.query) !== null, say: saySearched },
  // TaskUpdate
  { when: (data) => fieldsOf(data.statusChange) !== null || Array.isArray(data.updatedFields), say: sayTaskUpdate },
  // TaskCreate, TaskGet, TaskOutput
  { when: ({ task }) => fieldsOf(task) !== null, say: ({ task }, verbose) => sayTask(fieldsOf(task) ?? {}, verbose) },
  // TaskList
  { when: ({ tasks }) => Array.isArray(tasks), say: ({ tasks }, verbose) => sayList('task', listOf(tasks), verbose) },
  // Task, Agent, Workflow; the oldest have no status
  {
    when: (data) => (textOf(data.status) !== null && hasAny(data, AGENT_KEYS)) || 'totalToolUseCount' in data,
    say: sayAgent,
  },
  // MCP
  {
    when: ({ content }) => Array.isArray(content),
    say: ({ content }, verbose) => preview(contentText(content), verbose),
  },
  // ToolSearch
  {
    when: ({ matches, query }) => Array.isArray(matches) && typeof query === 'string',
    say: ({ matches }, verbose) =>
      withBody(`Found ${countOf(listOf(matches).length, 'tool')}`, contentText(matches), verbose),
  },
  // SendMessage, KillShell, TaskStop
  {
    when: ({ message }) => textOf(message) !== null,
    say: (data, verbose) => (verbose ? sayFields(data, verbose) : preview(String(data.message), verbose)),
  },
  // Pi's bash, read, grep, find, ls: a note how the output was cut
  {
    when: (data) => hasAny(data, OUTPUT_NOTES),
    say: (_data, verbose, { result, call }) => sayText(result.output, call, verbose),
  },
  { when: () => true, say: sayFields },
];

const AGENT_KEYS = ['agentId', 'agent_id', 'taskId', 'content', 'prompt'];
const OUTPUT_NOTES = [
  'truncation',
  'fullOutputPath',
  'matchLimitReached',
  'resultLimitReached',
  'entryLimitReached',
  'linesTruncated',
];

const hasAny = (data: Fields, keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(data, key));
