import type { Conversation, Json } from './conversation.ts';
import { code, filePath, numbered, output, prose } from './text.ts';
import { anyWord } from './words.ts';

/** One call of a tool: what it is given, what the model is told, and what the agent keeps beside it (`toolUseResult`). */
export interface ToolUse {
  readonly name: string;
  readonly input: Json;
  readonly content: unknown;
  readonly result: unknown;
  readonly isError: boolean;
}

type Tool = (talk: Conversation) => Omit<ToolUse, 'isError'> & { readonly isError?: boolean };

/** As often as in real logs: Bash, Edit and Read are two thirds of all calls. */
const TOOLS: readonly (readonly [weight: number, tool: Tool])[] = [
  [29, bash],
  [22, edit],
  [19, read],
  [10, todos],
  [9, grep],
  [4, write],
  [4, fetchPage],
  [3, failing],
];
const ALL = TOOLS.reduce((sum, [weight]) => sum + weight, 0);

export function anyToolUse(talk: Conversation): ToolUse {
  let at = talk.random.below(ALL);
  for (const [weight, tool] of TOOLS) {
    at -= weight;
    if (at < 0) return { isError: false, ...tool(talk) };
  }
  return { isError: false, ...bash(talk) };
}

function bash(talk: Conversation): ReturnType<Tool> {
  const { random } = talk;
  const stdout = output(random, talk.size(500, 1.3));
  return {
    name: 'Bash',
    input: {
      command: `cd ${talk.cwd} && ${anyWord(random)} ${filePath(random)}`,
      description: prose(random, talk.size(50, 0.3)),
    },
    content: stdout,
    result: { stdout, stderr: '', interrupted: false, isImage: false },
  };
}

function read(talk: Conversation): ReturnType<Tool> {
  const { path, text, line: startLine, lines: totalLines } = talk.files.part(talk.size(2000, 1.1));
  const numLines = text.split('\n').length;
  return {
    name: 'Read',
    input: { file_path: path, ...(startLine > 1 && { offset: startLine, limit: numLines }) },
    content: numbered(text, startLine),
    result: { type: 'text', file: { filePath: path, content: text, numLines, startLine, totalLines } },
  };
}

/** The whole file before the change stands beside the result: by far the largest part of what nobody searches for. */
function edit(talk: Conversation): ReturnType<Tool> {
  const { path, original, before, after } = talk.files.change();
  const lines = [...before.split('\n').map((line) => `-${line}`), ...after.split('\n').map((line) => `+${line}`)];
  return {
    name: 'Edit',
    input: { file_path: path, old_string: before, new_string: after, replace_all: false },
    content: `The file ${path} has been updated. Here's the result of running \`cat -n\` on a snippet:\n${numbered(after)}`,
    result: {
      filePath: path,
      oldString: before,
      newString: after,
      originalFile: original,
      structuredPatch: [{ oldStart: 1, oldLines: 9, newStart: 1, newLines: 9, lines }],
      userModified: false,
      replaceAll: false,
    },
  };
}

function write(talk: Conversation): ReturnType<Tool> {
  const path = `${talk.cwd}/${filePath(talk.random)}`;
  const content = code(talk.random, talk.size(2500));
  return {
    name: 'Write',
    input: { file_path: path, content },
    content: `File created successfully at: ${path}`,
    result: { type: 'create', filePath: path, content, structuredPatch: [] },
  };
}

function grep(talk: Conversation): ReturnType<Tool> {
  const content = output(talk.random, talk.size(500));
  return {
    name: 'Grep',
    input: { pattern: anyWord(talk.random), output_mode: 'content' },
    content,
    result: { mode: 'content', filenames: [], numFiles: 0, content, numLines: content.split('\n').length },
  };
}

function todos(talk: Conversation): ReturnType<Tool> {
  const newTodos = Array.from({ length: talk.random.between(1, 6) }, () => ({
    content: prose(talk.random, talk.size(40, 0.4)),
    status: talk.random.pick(['pending', 'in_progress', 'completed']),
    activeForm: prose(talk.random, talk.size(40, 0.4)),
  }));
  return {
    name: 'TodoWrite',
    input: { todos: newTodos },
    content:
      'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.',
    result: { oldTodos: newTodos.slice(1), newTodos },
  };
}

function fetchPage(talk: Conversation): ReturnType<Tool> {
  const { random } = talk;
  const url = `https://example.org/${filePath(random)}`;
  const result = prose(random, talk.size(1800));
  return {
    name: 'WebFetch',
    input: { url, prompt: prose(random, talk.size(80, 0.4)) },
    content: result,
    result: { bytes: 81_234, code: 200, codeText: 'OK', result, durationMs: 1830, url },
  };
}

function failing(talk: Conversation): ReturnType<Tool> {
  const error = `<tool_use_error>${prose(talk.random, talk.size(120, 0.5))}</tool_use_error>`;
  return {
    name: 'Bash',
    input: { command: anyWord(talk.random) },
    content: error,
    result: `Error: ${error}`,
    isError: true,
  };
}
