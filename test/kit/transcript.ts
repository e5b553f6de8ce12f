import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { FileFacts, Format, Line, LogRecord, RecordLine } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';

/** Tiny transcripts for tests. A file is a list of objects (one per line) or raw text; its name is its path below the project folder. */
export type Files = Readonly<Record<string, readonly object[] | string>>;
export type Json = Readonly<Record<string, unknown>>;

const encoder = new TextEncoder();

export const bytesOf = (content: readonly object[] | string): Uint8Array =>
  encoder.encode(typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join(''));

export function factsOf(format: Format, path: string, project = 'p'): FileFacts {
  const role = format.roleOf(path);
  if (!role) throw new Error(`not a log: ${path}`);
  const id = `${project}/${path}`;
  return { id, path: id, format: format.name, project, branches: format.branches, ...role };
}

/** The lines of one file, as its format reads them. `split` cuts the bytes into pieces first. */
export function linesOf(
  format: Format,
  path: string,
  content: readonly object[] | string | Uint8Array,
  pieceSize = Number.MAX_SAFE_INTEGER,
): Line[] {
  const facts = factsOf(format, path);
  if (facts.role === 'sidecar') {
    const sidecar = format.readSidecar?.(facts, typeof content === 'string' ? content : JSON.stringify(content[0]));
    return sidecar ? [sidecar] : [];
  }
  const bytes = content instanceof Uint8Array ? content : bytesOf(content);
  const reader = format.open(facts);
  const lines: Line[] = [];
  const splitter = new LineSplitter(facts.id, (line, ref, cut, torn) =>
    lines.push(reader.next(line, ref, cut, torn).line),
  );
  for (let at = 0; at < bytes.length; at += pieceSize) splitter.push(bytes.subarray(at, at + pieceSize));
  splitter.end();
  return lines;
}

function treeOf(format: Format, files: Files): Tree {
  const tree = new Tree();
  for (const path of Object.keys(files)) tree.add(factsOf(format, path), linesOf(format, path, files[path] ?? []));
  return tree;
}

/** A Claude Code project; a plain list of lines is the file `s.jsonl`. */
export const claudeTree = (files: Files | readonly object[]): Tree => treeOf(claudeCode, asFiles(files));
export const piTree = (files: Files | readonly object[]): Tree => treeOf(pi, asFiles(files));
const asFiles = (files: Files | readonly object[]): Files =>
  Array.isArray(files) ? { 's.jsonl': files as readonly object[] } : (files as Files);

let clock = 0;
const BASE = Date.UTC(2026, 0, 1);
/** Each line a second later than the one made before it. */
const nextTime = (): string => new Date(BASE + 1000 * clock++).toISOString();

const envelope = (uuid: string, parentUuid: string | null, more: Json): Json => ({
  uuid,
  parentUuid,
  isSidechain: false,
  sessionId: 's',
  cwd: '/r',
  version: '2.1.114',
  userType: 'external',
  timestamp: nextTime(),
  ...more,
});

/** A user line; `content` is a text or blocks. */
export const user = (uuid: string, parent: string | null, content: unknown = uuid, more: Json = {}): Json => ({
  type: 'user',
  ...envelope(uuid, parent, more),
  message: { role: 'user', content },
});

/** One line of an answer; without `id` its message id is `msg_<uuid>`. */
export const assistant = (
  uuid: string,
  parent: string | null,
  content: unknown = uuid,
  more: Json & { id?: string; usage?: Json; stop?: string } = {},
): Json => {
  const { id = `msg_${uuid}`, usage = { input_tokens: 1, output_tokens: 1 }, stop = null, ...rest } = more;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: blocks,
    stop_reason: stop,
    usage,
  };
  return { type: 'assistant', ...envelope(uuid, parent, rest), requestId: `req_${id}`, message };
};

export const toolUse = (id: string, name = 'Read', input: unknown = {}): Json => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const toolResult = (id: string, content: unknown = 'ok', isError = false): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(isError ? { is_error: true } : {}),
});
export const system = (uuid: string, parent: string | null, subtype: string, more: Json = {}): Json => ({
  type: 'system',
  subtype,
  ...envelope(uuid, parent, more),
});
export const attachment = (uuid: string, parent: string | null, payload: Json): Json => ({
  type: 'attachment',
  ...envelope(uuid, parent, {}),
  attachment: payload,
});
export const progress = (
  uuid: string,
  parent: string | null,
  data: Json = { type: 'hook_progress' },
  more: Json = {},
): Json => ({
  type: 'progress',
  ...envelope(uuid, parent, more),
  data,
});
export const queue = (operation: string, content?: unknown): Json => ({
  type: 'queue-operation',
  operation,
  timestamp: nextTime(),
  sessionId: 's',
  ...(content === undefined ? {} : { content }),
});
export const summary = (leafUuid: string, text: string): Json => ({ type: 'summary', leafUuid, summary: text });

/** Pi entries: a header and `id`/`parentId` entries. */
export const piHeader = (id = 'S', more: Json = {}): Json => ({
  type: 'session',
  version: 3,
  id,
  timestamp: nextTime(),
  cwd: '/r',
  ...more,
});
export const piEntry = (type: string, id: string, parentId: string | null, more: Json = {}): Json => ({
  type,
  id,
  parentId,
  timestamp: nextTime(),
  ...more,
});
export const piMessage = (id: string, parentId: string | null, message: Json): Json =>
  piEntry('message', id, parentId, { message });
export const piUser = (id: string, parentId: string | null, text = id): Json =>
  piMessage(id, parentId, { role: 'user', content: text, timestamp: 0 });
export const piAssistant = (id: string, parentId: string | null, content: unknown = id): Json =>
  piMessage(id, parentId, {
    role: 'assistant',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    api: 'x',
    provider: 'p',
    model: 'm',
    stopReason: 'stop',
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    timestamp: 0,
  });

/** The only session of a tree. */
export function onlySession(tree: Tree) {
  const ids = tree.sessionIds();
  if (ids.length !== 1) throw new Error(`expected one session, found ${ids.length}: ${ids.join(', ')}`);
  return tree.session(ids[0] as string);
}

/** The records of the default thread (or the one named), by id. */
export function threadOf(tree: Tree, thread?: string): string[] {
  const session = onlySession(tree);
  return tree.path(session.id, thread ?? session.defaultThread ?? '');
}

export function recordOf(tree: Tree, id: string): LogRecord {
  const record = tree.record(id);
  if (!record) throw new Error(`no record ${id}`);
  return record;
}

/** Everything a tree says, as one text, so that two trees can be compared. Revisions count additions and are left out. */
export function digestOf(tree: Tree): string {
  const sessions = tree
    .sessionIds()
    .sort()
    .map((id) => {
      const session = tree.session(id);
      return {
        session,
        segments: tree.segments(id),
        records: tree.records(id),
        paths: session.threads.map((thread) => tree.path(id, thread.id)),
        subagents: session.subagents.map((subagent) => tree.subagentRecords(subagent.id)),
      };
    });
  const records = [...tree.allRecords()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const all = { sessions, records, accounting: tree.accounting(), findings: tree.findings() };
  return JSON.stringify(all, (key, value) => (key === 'revision' ? undefined : value), 1);
}

/** A user line that the agent injected. */
export const meta = (uuid: string, parent: string | null, content: unknown = uuid, more: Json = {}): Json =>
  user(uuid, parent, content, { isMeta: true, ...more });

/** A slash command as the human typed it, and what it printed. */
export const command = (uuid: string, parent: string | null, name: string, args = ''): Json =>
  user(uuid, parent, commandText(name, args));
export const commandText = (name: string, args = ''): string =>
  `<command-name>${name}</command-name>\n  <command-message>${name.replace('/', '')}</command-message>\n  <command-args>${args}</command-args>`;
export const stdout = (uuid: string, parent: string | null, text = ''): Json =>
  user(uuid, parent, `<local-command-stdout>${text}</local-command-stdout>`);
export const caveat = (uuid: string, parent: string | null): Json =>
  meta(uuid, parent, 'Caveat: The messages below were generated by the user while running local commands.');
export const queuedCommand = (uuid: string, parent: string | null, prompt: unknown, commandMode = 'prompt'): Json =>
  attachment(uuid, parent, { type: 'queued_command', prompt, commandMode });
export const boundary = (uuid: string, logicalParentUuid: string | null, more: Json = {}): Json =>
  system(uuid, null, 'compact_boundary', { logicalParentUuid, content: 'Conversation compacted', ...more });
export const compactSummary = (uuid: string, parent: string | null): Json =>
  user(uuid, parent, 'This session is being continued from a previous conversation that ran out of context.', {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });

export const piResult = (id: string, parentId: string | null, call: string, isError = false): Json =>
  piMessage(id, parentId, {
    role: 'toolResult',
    toolCallId: call,
    toolName: 'read',
    content: [{ type: 'text', text: id }],
    isError,
    timestamp: 0,
  });

/** The same small transcript in every format, for rules that hold in all of them. Line 1 says nothing; `key` is how the tree names an entry. */
interface Dialect {
  readonly name: string;
  prompt(id: string, parent: string | null, text?: string): Json;
  answer(id: string, parent: string | null, calls?: readonly string[]): Json;
  result(id: string, parent: string | null, call: string, isError?: boolean): Json;
  aside(id: string, parent: string | null): Json;
  key(id: string): string;
  tree(lines: readonly object[]): Tree;
}

export const dialects: readonly Dialect[] = [
  {
    name: 'Claude Code',
    prompt: (id, parent, text = id) => user(id, parent, text),
    answer: (id, parent, calls = []) =>
      assistant(id, parent, calls.length > 0 ? calls.map((call) => toolUse(call)) : id),
    result: (id, parent, call, isError) => user(id, parent, [toolResult(call, id, isError)]),
    aside: (id, parent) => progress(id, parent),
    key: (id) => id,
    tree: (lines) => claudeTree([{ type: 'permission-mode', permissionMode: 'default', sessionId: 's' }, ...lines]),
  },
  {
    name: 'Pi',
    prompt: (id, parent, text = id) => piUser(id, parent, text),
    answer: (id, parent, calls = []) =>
      piAssistant(
        id,
        parent,
        calls.length > 0 ? calls.map((call) => ({ type: 'toolCall', id: call, name: 'Read', arguments: {} })) : id,
      ),
    result: (id, parent, call, isError) => piResult(id, parent, call, isError),
    aside: (id, parent) => piEntry('model_change', id, parent, { provider: 'p', modelId: 'm' }),
    key: (id) => `S/${id}`,
    tree: (lines) => piTree([piHeader('S'), ...lines]),
  },
];

/** What every line of a file says, in blocks; their places left out. */
export function blocksOf(format: Format, content: readonly object[] | string, path = 's.jsonl'): Json[][] {
  const facts = factsOf(format, path);
  const reader = format.open(facts);
  const blocks: Json[][] = [];
  const splitter = new LineSplitter(facts.id, (bytes, ref, cut, torn) => {
    const parsed = reader.next(bytes, ref, cut, torn);
    blocks.push(parsed.blocks().map(({ at: _at, ...block }) => block));
  });
  splitter.push(bytesOf(content));
  splitter.end();
  return blocks;
}

/** What a record of the Claude Code file `s.jsonl` says, in those of its lines that have one role in it. */
export function contentOf(record: LogRecord, lines: readonly object[], as: RecordLine['as'] = 'part'): Json[] {
  const blocks = blocksOf(claudeCode, lines);
  return record.lines.filter((line) => line.as === as).flatMap(({ ref }) => blocks[ref.line - 1] ?? []);
}

/** Lines that look like prompts and are none. */
export const bashEscape = (uuid: string, parent: string | null): Json =>
  user(uuid, parent, '<bash-input>ls</bash-input>');
export const interruption = (uuid: string, parent: string | null): Json =>
  user(uuid, parent, [{ type: 'text', text: '[Request interrupted by user]' }]);
export const notification = (uuid: string, parent: string | null, tags = '<task-id>b1</task-id>'): Json =>
  user(uuid, parent, `<task-notification>\n${tags}\n<status>completed</status>\n</task-notification>`);
export const teammate = (uuid: string, parent: string | null, text = 'done', more: Json = {}, attributes = ''): Json =>
  user(uuid, parent, `<teammate-message teammate_id="team-lead"${attributes}>\n${text}\n</teammate-message>`, more);

/** The same file after each of its lines. */
export function* growing(format: Format, lines: readonly object[], path = 's.jsonl'): Generator<Tree> {
  const tree = new Tree();
  const facts = factsOf(format, path);
  for (const line of linesOf(format, path, lines)) {
    tree.add(facts, [line]);
    yield tree;
  }
}

/** The same files, whole and in every order, then all of them line by line in turn. */
export function* inEveryOrder(format: Format, files: Files): Generator<Tree> {
  const paths = Object.keys(files);
  const all = new Map(paths.map((path) => [path, linesOf(format, path, files[path] ?? [])]));
  for (const order of permutations(paths)) {
    const tree = new Tree();
    for (const path of order) tree.add(factsOf(format, path), all.get(path) ?? []);
    yield tree;
  }
  for (const order of [paths, [...paths].reverse()]) {
    const tree = new Tree();
    const longest = Math.max(...[...all.values()].map((lines) => lines.length));
    for (let at = 0; at < longest; at++)
      for (const path of order) tree.add(factsOf(format, path), (all.get(path) ?? []).slice(at, at + 1));
    yield tree;
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** Every thread by its id: the records from root to leaf. */
export function threadsOf(tree: Tree): Readonly<Record<string, string[]>> {
  const session = onlySession(tree);
  return Object.fromEntries(session.threads.map(({ id }) => [id, tree.path(session.id, id)]));
}
