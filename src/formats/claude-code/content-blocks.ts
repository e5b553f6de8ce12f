import type { Block, Line, LineRef } from '../../model/index.ts';
import { addAll } from '../../model/index.ts';
import { type JsonObject, numberOf, objectOf, textOf, wellFormed } from '../lines/index.ts';
import { readCommand, readNotification, readTask, readTeammates, sortOf, splitInjected, tagText } from './text-tags.ts';

/** What a line says, in blocks every view understands. Nothing is left out: what has no better form is `unknown` with its JSON. */
export function readBlocks(object: JsonObject, type: string, line: Line): readonly Block[] {
  const at = line.ref;
  switch (type) {
    case 'user': {
      const blocks = userBlocks(object, at);
      return line.in === 'chain' && line.kind === 'teammate' ? blocks.map((block) => fromPeer(block, object)) : blocks;
    }
    case 'assistant': {
      const blocks = messageBlocks(object, at, 'tool_use', undefined);
      return object.isApiErrorMessage === true ? blocks.map(failed) : blocks;
    }
    case 'system':
      if (object.subtype === 'compact_boundary') return boundaryBlocks(object, at);
      return systemBlocks(object, at);
    case 'attachment': {
      const attachment = objectOf(object.attachment);
      if (attachment?.type === 'queued_command') return contentBlocks(attachment.prompt, at, null);
      return [
        ...hookErrorBlocks(attachment, at),
        unknown(`attachment/${textOf(attachment?.type) ?? 'unknown'}`, attachment, at),
      ];
    }
    case 'queue-operation': {
      const task = typeof object.content === 'string' ? readTask(object.content.toWellFormed()) : null;
      return task
        ? [{ at, type: 'notification', ...task, text: task.summary }]
        : contentBlocks(object.content, at, null);
    }
    default:
      return [unknown(type || 'unknown', object, at)];
  }
}

const failed = (block: Block): Block => (block.type === 'text' ? { ...block, error: true } : block);

/** `"origin":{"kind":"peer","from":"bob"}`: what stands in no tag is a message too. */
const fromPeer = (block: Block, { origin }: JsonObject): Block =>
  block.type === 'text'
    ? { at: block.at, type: 'teammate', from: textOf(objectOf(origin)?.from) ?? '', summary: '', text: block.text }
    : block;

const ENVELOPE = new Set(
  'type subtype uuid parentUuid logicalParentUuid isSidechain userType cwd sessionId version gitBranch slug timestamp isMeta entrypoint agentId'.split(
    ' ',
  ),
);

/** What every line says about itself is told elsewhere. */
const withoutEnvelope = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !ENVELOPE.has(key)));

function systemBlocks(object: JsonObject, at: LineRef): readonly Block[] {
  const subtype = textOf(object.subtype) ?? 'note';
  const say = (text: string): Block => ({
    at,
    type: 'system',
    subtype,
    level: textOf(object.level),
    text: text.toWellFormed(),
  });
  if (subtype === 'local_command' && typeof object.content === 'string') return textBlocks(object.content, at);
  if (typeof object.content === 'string') return [say(object.content)];
  const failure = apiError(object) ?? stopHookError(object);
  const rest = unknown(`system/${subtype}`, withoutEnvelope(object), at);
  return failure === null ? [rest] : [say(failure), rest];
}

/** `"level":"error","error":{"status":529,"error":{"type":"overloaded_error","message":"Overloaded"}},"retryAttempt":2,"maxRetries":10` */
function apiError(object: JsonObject): string | null {
  if (object.level !== 'error') return null;
  const error = objectOf(object.error);
  const cause = objectOf(error?.error);
  const what = ['API error', numberOf(error?.status), textOf(cause?.type) ?? textOf(cause?.code)];
  const said = textOf(cause?.message) ?? textOf(error?.message) ?? textOf(object.error);
  const [attempt, most] = [numberOf(object.retryAttempt), numberOf(object.maxRetries)];
  const retry = attempt === null ? '' : ` (retry ${attempt}${most === null ? '' : ` of ${most}`})`;
  return `${what.filter((each) => each !== null).join(' ')}${said === null ? '' : `: ${said}`}${retry}`;
}

/** `"hookErrors":["lint failed"],"preventedContinuation":true,"stopReason":"…"` */
function stopHookError(object: JsonObject): string | null {
  const errors = Array.isArray(object.hookErrors) ? object.hookErrors.filter((each) => typeof each === 'string') : [];
  const stopped = object.preventedContinuation === true;
  if (errors.length === 0 && !stopped) return null;
  const reason = textOf(object.stopReason);
  const stop = `A hook stopped the agent${reason ? `: ${reason}` : ''}`;
  return [...errors, ...(stopped ? [stop] : [])].join('\n');
}

/**
 *     {"type":"hook_blocking_error","hookName":"PostToolUse:Edit","blockingError":{"blockingError":"lint failed","command":"lint"}}
 *     {"type":"hook_non_blocking_error","hookName":"Stop","stderr":"not found","stdout":"","exitCode":127,"command":"lint"}
 */
function hookErrorBlocks(attachment: JsonObject | null, at: LineRef): Block[] {
  const subtype = textOf(attachment?.type) ?? '';
  if (!attachment || !/^hook_.*error/.test(subtype)) return [];
  const { blockingError, stderr, stdout } = attachment;
  const candidates = [objectOf(blockingError)?.blockingError, blockingError, stderr, stdout];
  const said = candidates.find((each) => typeof each === 'string' && each.trim() !== '');
  const text = [textOf(attachment.hookName), said].filter((each) => typeof each === 'string').join(': ');
  return text === '' ? [] : [{ at, type: 'system', subtype, level: 'error', text: text.toWellFormed() }];
}

/** `"compactMetadata":{"trigger":"auto","preTokens":155000,"postTokens":12000}` */
function boundaryBlocks(object: JsonObject, at: LineRef): Block[] {
  const said = objectOf(object.compactMetadata);
  return [
    {
      at,
      type: 'compaction',
      trigger: textOf(said?.trigger),
      before: numberOf(said?.preTokens),
      after: numberOf(said?.postTokens),
    },
    ...(typeof object.content === 'string' ? textBlocks(object.content, at) : []),
  ];
}

function userBlocks(object: JsonObject, at: LineRef): Block[] {
  const blocks = messageBlocks(object, at, 'tool_result', object.toolUseResult);
  const results = blocks.filter((block) => block.type === 'result').length;
  if (object.toolUseResult !== undefined && results !== 1)
    blocks.push(unknown('toolUseResult', object.toolUseResult, at));
  return blocks;
}

/** Answers use tools, users' lines bring the results: anywhere else such a block belongs to nothing. */
type Tools = 'tool_use' | 'tool_result' | null;

/** A message in a form nobody expected is shown whole. */
function messageBlocks(object: JsonObject, at: LineRef, tools: Tools, detail: unknown): Block[] {
  const content = objectOf(object.message)?.content;
  if (content !== undefined && content !== null) return contentBlocks(content, at, tools, detail);
  return object.message === undefined ? [] : [unknown('message', object.message, at)];
}

function contentBlocks(content: unknown, at: LineRef, tools: Tools, detail?: unknown): Block[] {
  if (typeof content === 'string') return textBlocks(content, at);
  if (!Array.isArray(content)) return content == null ? [] : [unknown('content', content, at)];
  const isResult = (item: unknown): boolean => objectOf(item)?.type === 'tool_result';
  const ofOne = detail !== undefined && content.filter(isResult).length === 1 ? detail : undefined;
  const blocks: Block[] = [];
  for (const item of content) addAll(blocks, itemBlocks(item, at, tools, ofOne));
  return blocks;
}

function itemBlocks(item: unknown, at: LineRef, tools: Tools, detail: unknown): Block[] {
  if (typeof item === 'string') return textBlocks(item, at);
  const block = objectOf(item);
  if (!block) return [unknown('content', item, at)];
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? textBlocks(block.text, at) : [unknown('text', block, at)];
    case 'thinking':
      return [{ at, type: 'thinking', text: (textOf(block.thinking) ?? '').toWellFormed() }];
    case 'redacted_thinking':
      return [{ at, type: 'thinking', text: '' }];
    case 'tool_use': {
      const id = textOf(block.id);
      return id === null || tools !== 'tool_use'
        ? [unknown('tool_use', block, at)]
        : [{ at, type: 'call', id, name: textOf(block.name) ?? 'unknown', input: wellFormed(block.input) }];
    }
    case 'tool_result': {
      if (tools !== 'tool_result') return [unknown('tool_result', block, at)];
      const result = {
        at,
        type: 'result' as const,
        of: textOf(block.tool_use_id) ?? '',
        output: wellFormed(block.content),
        isError: block.is_error === true,
      };
      const offloaded = offloadedName(block.content, detail);
      return [
        {
          ...result,
          ...(detail === undefined ? {} : { detail: wellFormed(detail) }),
          ...(isRejection(block.content, detail) ? { rejected: true as const } : {}),
          ...(offloaded === null ? {} : { offloaded }),
        },
      ];
    }
    case 'image': {
      const source = objectOf(block.source);
      const data = textOf(source?.data);
      return data === null
        ? [unknown('image', block, at)]
        : [{ at, type: 'image', media: textOf(source?.media_type) ?? 'image/png', data }];
    }
    default:
      return [unknown(textOf(block.type) ?? 'unknown', block, at)];
  }
}

const REJECTED = /^\s*The user doesn't want to (?:proceed with this tool use|take this action right now)/;

/** What the agent writes as the result of a call that the human refused. */
function isRejection(content: unknown, detail: unknown): boolean {
  if (detail === 'User rejected tool use' || detail === 'Error: User rejected tool use') return true;
  const text =
    typeof content === 'string' ? content : textOf(objectOf(Array.isArray(content) ? content[0] : null)?.text);
  return text !== null && REJECTED.test(text);
}

const SAVED_TO = /^\s*<persisted-output>[\s\S]{0,2000}?Full output saved to: (.+)/;

/** The file a long output was put into. Its folder was that of the writing machine: only the name counts. */
function offloadedName(content: unknown, detail: unknown): string | null {
  const said = objectOf(detail)?.persistedOutputPath;
  const text =
    typeof content === 'string' ? content : textOf(objectOf(Array.isArray(content) ? content[0] : null)?.text);
  const path = typeof said === 'string' ? said : SAVED_TO.exec(text ?? '')?.[1];
  const name = path?.trim().split(/[\\/]/).pop() ?? '';
  return name === '' || name === '.' || name === '..' ? null : name.toWellFormed();
}

function textBlocks(raw: string, at: LineRef): Block[] {
  const { text, injected } = splitInjected(raw.toWellFormed());
  const blocks: Block[] = injected.map((part) => ({ at, type: 'injected', name: part.name, text: part.text }));
  const sort = sortOf(text);
  if (sort === 'command') {
    const command = readCommand(text);
    blocks.push({ at, type: 'command', name: command.name, args: command.args });
    if (command.contents !== null) blocks.push({ at, type: 'text', text: unwrap(command.contents) });
  } else if (sort === 'command_output' || sort === 'bash_output') addAll(blocks, outputs(text, at));
  else if (sort === 'bash') {
    blocks.push({ at, type: 'text', text: (tagText(text, 'bash-input', true) ?? '').trim() });
    addAll(blocks, outputs(text, at));
  } else if (sort === 'memory')
    blocks.push({ at, type: 'text', text: (tagText(text, 'user-memory-input', true) ?? '').trim() });
  else if (sort === 'teammate') {
    for (const { from, summary, body } of readTeammates(text))
      blocks.push({ at, type: 'teammate', from, summary, text: body });
  } else if (sort === 'notification') blocks.push({ at, type: 'notification', ...readNotification(text), text });
  else if (injected.length === 0 || text !== '') blocks.push({ at, type: 'text', text });
  return blocks;
}

/** Old versions wrote the expanded text of a command as JSON. */
function unwrap(contents: string): string {
  if (!contents.trimStart().startsWith('{')) return contents;
  try {
    return textOf(objectOf(JSON.parse(contents))?.text) ?? contents;
  } catch {
    return contents;
  }
}

const STREAMS = [
  ['local-command-stdout', 'stdout'],
  ['local-command-stderr', 'stderr'],
  ['local-command-result', 'stdout'],
  ['bash-stdout', 'stdout'],
  ['bash-stderr', 'stderr'],
] as const;

function outputs(text: string, at: LineRef): Block[] {
  const blocks: Block[] = [];
  for (const [tag, stream] of STREAMS) {
    const said = tagText(text, tag, true);
    if (said !== null) blocks.push({ at, type: 'output', stream, text: said });
  }
  return blocks;
}

const unknown = (name: string, json: unknown, at: LineRef): Block => ({
  at,
  type: 'unknown',
  name,
  json: wellFormed(json),
});
