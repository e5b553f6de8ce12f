import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { FileFacts, Format, Line, LogRecord } from '../../src/model/index.ts';
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

export function treeOf(format: Format, files: Files): Tree {
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
