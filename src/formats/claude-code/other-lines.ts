import { type Fact, fingerprint, type LineRef, type More, type Place, type QueueLine } from '../../model/index.ts';
import { isWordless, type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { readMessageText } from './message-text.ts';
import { type Reading, reads } from './reading.ts';
import { agentToken, notificationLinks } from './spawn-tokens.ts';
import { readNotification, readTask, sortOf } from './text-tags.ts';
import { progressUsage } from './usage.ts';
import { extend, localCommandMeaning, RECORD } from './user-line.ts';

const SKIPPED: Place = { as: 'annotation', joins: true, gathers: false };

/**
 *     {"type":"system","subtype":"turn_duration","uuid":"s1","parentUuid":"a1","durationMs":1200}
 *     {"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a9","compactMetadata":{…}}
 */
export function readSystem(object: JsonObject, ref: LineRef): Reading {
  const subtype = textOf(object.subtype);
  const content = textOf(object.content) ?? '';
  const digest = digestOf(object, 3);
  if (subtype === 'compact_boundary') {
    const before = textOf(object.logicalParentUuid);
    const hangs = { parent: before ?? textOf(object.parentUuid), edge: 'compaction' } as const;
    return reads('compaction', RECORD, null, digest, null, hangs);
  }
  const command = subtype === 'local_command' ? localCommandMeaning(content, ref) : null;
  if (!command) return reads(`system/${subtype ?? 'note'}`, SKIPPED, null, digest, null);
  return reads(command.kind, command.place, null, digest, command.more);
}

/**
 *     {"type":"attachment","uuid":"q1","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"also run the tests"}}
 *
 * A queued command is what the human typed while a tool ran; every other attachment is context for the model.
 */
export function readAttachment(object: JsonObject): Reading {
  const attachment = objectOf(object.attachment);
  const type = textOf(attachment?.type) ?? 'unknown';
  if (type !== 'queued_command') {
    return reads(`attachment/${type}`, SKIPPED, null, fingerprint(attachment, 4), null);
  }
  const { kind, digest, links, empty, wordless, injected } = readQueued(attachment?.prompt);
  const loose = textOf(object.uuid) === null ? { loose: true } : {};
  // What the agent put into the queue itself, and what says nothing, is no prompt.
  if (empty)
    return reads(injected ? `injected/${injected}` : 'attachment/queued_command', SKIPPED, null, digest, loose);
  const more = { queued: true, ...(links ? { links } : {}), ...(wordless ? { wordless } : {}), ...loose };
  return reads(kind, RECORD, kind === 'user' ? 'human' : null, digest, more);
}

/** The same text has the same digest in the queue and in the attachment that takes it out. */
function readQueued(content: unknown): Queued {
  const { text, others, injected } = readMessageText(content);
  const notification = sortOf(text) === 'notification' ? readNotification(text) : readTask(text);
  const links = notification && notificationLinks(notification);
  return {
    kind: notification ? 'notification' : 'user',
    digest: fingerprint(text.trim(), 5),
    empty: text.trim() === '' && others === 0,
    wordless: !notification && isWordless(text),
    injected: injected[0]?.name ?? null,
    ...(links ? { links } : {}),
  };
}

interface Queued extends Pick<QueueLine, 'kind' | 'digest' | 'empty'>, Pick<More, 'links'> {
  readonly wordless: boolean;
  /** The name of text that was put in by the agent. */
  readonly injected: string | null;
}

const OPERATIONS: Readonly<Record<string, QueueLine['op']>> = {
  enqueue: 'enqueue',
  dequeue: 'dequeue',
  remove: 'remove',
  popAll: 'clear',
};

/** `{"type":"queue-operation","operation":"enqueue","content":"also run the tests","timestamp":"…"}` */
export function readQueueOperation(
  object: JsonObject,
): Pick<QueueLine, 'op' | 'kind' | 'digest' | 'empty' | 'origin' | 'more'> | null {
  const name = textOf(object.operation) ?? '';
  const op = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (op === undefined) return null;
  const { kind, digest, empty, links, wordless } = readQueued(object.content);
  return {
    op,
    kind,
    digest,
    empty,
    origin: kind === 'user' ? 'human' : null,
    more: { loose: true, ...(links ? { links } : {}), ...(wordless ? { wordless } : {}) },
  };
}

/** `{"type":"progress","data":{"type":"agent_progress","agentId":"a1"},"toolUseID":"…","parentToolUseID":"toolu_A","uuid":"p1"}` */
export function readProgress(object: JsonObject, ref: LineRef): Reading {
  const data = objectOf(object.data);
  const type = textOf(data?.type) ?? 'unknown';
  const call = textOf(object.parentToolUseID);
  const agent = type === 'agent_progress' ? textOf(data?.agentId) : null;
  let more: More | null =
    call !== null && agent !== null ? { links: [{ call, token: agentToken(agent), rank: 3 }] } : null;
  const spent = type === 'agent_progress' ? progressUsage(data, ref) : null;
  if (spent) more = extend(more, { spent });
  return reads(`progress/${type}`, SKIPPED, null, fingerprint([data, object.toolUseID], 6), more);
}

/** What a copy in another file, or under a new id, may change. */
const OF_THE_COPY: ReadonlySet<string> = new Set(
  (
    'uuid parentUuid logicalParentUuid sessionId session_id cwd version gitBranch forkedFrom sessionKind slug ' +
    'timestamp teamName agentName sourceToolAssistantUUID'
  ).split(' '),
);

function digestOf(object: JsonObject, seed: number): number {
  const content: Record<string, unknown> = {};
  for (const key in object) if (!OF_THE_COPY.has(key)) content[key] = object[key];
  return fingerprint(content, seed);
}

/** What others write outside the chain, and a type nobody knows, but with a place in the chain. */
export function readUnknown(object: JsonObject, ref: LineRef): Reading {
  const fact = readFact(object, ref);
  return reads(textOf(object.type) ?? 'unknown', SKIPPED, null, digestOf(object, 7), fact && { facts: [fact] });
}

type FactOf = (object: JsonObject) => Pick<Fact, 'type' | 'about' | 'value'>;
const plain =
  (key: string): FactOf =>
  (object) => ({ type: String(object.type), about: null, value: object[key] ?? null });
const large: FactOf = (object) => ({ type: String(object.type), about: textOf(object.messageId), value: null });

/** Lines outside the chain. The last one of a type wins; bulky values stay in the file. */
const FACTS: Readonly<Record<string, FactOf>> = {
  summary: (object) => ({ type: 'summary', about: textOf(object.leafUuid), value: textOf(object.summary) }),
  'custom-title': (object) => ({
    type: 'title',
    about: null,
    value: { text: textOf(object.customTitle) ?? '', by: 'user' },
  }),
  'ai-title': (object) => ({ type: 'title', about: null, value: { text: textOf(object.aiTitle) ?? '', by: 'agent' } }),
  'last-prompt': (object) => ({ type: 'leaf', about: textOf(object.leafUuid), value: textOf(object.lastPrompt) }),
  'worktree-state': (object) => ({
    type: 'worktree',
    about: null,
    value: textOf(objectOf(object.worktreeSession)?.worktreeName),
  }),
  'file-history-snapshot': large,
  'file-history-delta': large,
  'attribution-snapshot': large,
  'permission-mode': plain('permissionMode'),
  mode: plain('mode'),
  'agent-name': plain('agentName'),
  'agent-setting': plain('agentSetting'),
  'agent-color': plain('agentColor'),
  tag: plain('tag'),
  'pr-link': (object) => ({
    type: 'pr-link',
    about: null,
    value: { number: object.prNumber, url: object.prUrl, repository: object.prRepository },
  }),
  'bridge-session': plain('bridgeSessionId'),
  'content-replacement': large,
  'fork-context-ref': plain('parentLastUuid'),
  'cost-state': plain('totalCostUSD'),
  started: plain('agentId'),
  result: plain('agentId'),
  launched: plain('agentId'),
  failed: plain('agentId'),
  'frame-link': large,
  'atis-latch': large,
  atis: large,
  relocated: large,
  'continued-in': large,
  'isolation-latch': large,
  'speculation-accept': large,
  'task-summary': large,
  'marble-origami-commit': large,
  'marble-origami-snapshot': large,
};

const CHAINED: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

/** A type that some version of the agent writes. */
export const isKnownType = (type: string): boolean =>
  CHAINED.has(type) || type === 'queue-operation' || Object.hasOwn(FACTS, type);

export function readFact(object: JsonObject, ref: LineRef): Fact | null {
  const type = textOf(object.type) ?? '';
  const read = Object.hasOwn(FACTS, type) ? FACTS[type] : type.startsWith('artifact-') ? large : undefined;
  return read ? { ...read(object), ref } : null;
}
