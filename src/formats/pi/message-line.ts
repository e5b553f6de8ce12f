import type { CallName, Link, Place } from '../../model/index.ts';
import { isWordless, type JsonObject, listOf, objectOf, textOf } from '../lines/index.ts';
import { type Entry, factOf, type Meaning, RECORD, SKIPPED } from './entry.ts';
import { taskToken } from './locations.ts';
import { readUsage } from './usage.ts';

/** `{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"…","message":{"role":"user",…}}`; null: nobody knows the role. */
export function readMessage(entry: Entry, message: JsonObject): Meaning | null {
  switch (message.role) {
    case 'user':
      return readUser(entry, message);
    case 'assistant':
      return readAssistant(entry, message);
    case 'toolResult':
      return readToolResult(entry, message);
    // {"role":"bashExecution","command":"ls","output":"a.txt\n","exitCode":0,"cancelled":false,"truncated":false}
    case 'bashExecution':
    // {"role":"pythonExecution","code":"1+1","output":"2\n","exitCode":0,"cancelled":false,"truncated":false}
    case 'pythonExecution':
      return { kind: 'bash', place: RECORD };
    // {"role":"custom","customType":"todo","content":"3 open","display":true}; version 2 says hookMessage
    case 'custom':
    case 'hookMessage':
      return readNotice(message);
    // Pi makes these two from entries and keeps them in memory only.
    case 'branchSummary':
      return { kind: 'branch_summary', place: RECORD };
    case 'compactionSummary':
      return { kind: 'compaction', place: RECORD };
    // {"role":"fileMention","files":[{"path":"a.ts","content":"…","lineCount":12}]}
    case 'fileMention': {
      const paths = listOf(message.files).map((file) => textOf(objectOf(file)?.path));
      return { kind: 'fileMention', place: SKIPPED, more: { facts: [factOf(entry, 'fileMention', entry.key, paths)] } };
    }
    case 'system':
    case 'developer':
      return { kind: message.role, place: SKIPPED };
    default:
      return null;
  }
}

/** Content an extension put into the conversation, in a message or an entry of its own. */
export const readNotice = (object: JsonObject): Meaning => ({
  kind: 'notification',
  place: RECORD,
  more: object.display === false ? { hidden: true } : null,
});

const PROMPT: Meaning = { kind: 'user', place: RECORD, origin: 'human' };
const STEERING: Meaning = { ...PROMPT, more: { queued: true } };
const TASK: Meaning = { kind: 'user', place: RECORD, origin: 'agent' };
const CONTINUATION: Meaning = { kind: 'notification', place: RECORD };

/**
 *     {"role":"user","content":[{"type":"text","text":"hello"}],"timestamp":1763681581544}
 *
 * oh-my-pi marks what it says in the user's name, and what was typed while the agent worked.
 */
function readUser(entry: Entry, message: JsonObject): Meaning {
  if (entry.scope.subagent !== null) return TASK;
  if (message.synthetic === true || message.attribution === 'agent') return CONTINUATION;
  const prompt = message.steering === true ? STEERING : PROMPT;
  return isWordless(textIn(message.content)) ? { ...prompt, more: { ...prompt.more, wordless: true } } : prompt;
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((item) => textOf(objectOf(item)?.text) ?? '')
    .join('');
}

/** `{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{}}],"provider":"…","model":"…","usage":{…},"stopReason":"toolUse"}` */
function readAssistant(entry: Entry, message: JsonObject): Meaning {
  const usage = readUsage(entry, message.usage, message.model);
  return { kind: 'assistant', place: RECORD, calls: readCalls(message.content), usage };
}

const NO_CALLS: readonly CallName[] = [];
const NO_TOKENS: readonly string[] = [];

function readCalls(content: unknown): readonly CallName[] {
  let calls: CallName[] | null = null;
  for (const item of listOf(content)) {
    const block = objectOf(item);
    const id = block?.type === 'toolCall' ? textOf(block.id) : null;
    if (id === null) continue;
    calls ??= [];
    calls.push({ id, name: textOf(block?.name) ?? 'unknown', tokens: NO_TOKENS });
  }
  return calls ?? NO_CALLS;
}

/**
 *     {"role":"toolResult","toolCallId":"t1","toolName":"read","content":[{"type":"text","text":"…"}],"isError":false}
 *
 * Without the id of its call it is a record of its own, like every result whose call is unknown. What a tool itself spent is a fact:
 * the record it is folded into has the usage of its answer.
 */
function readToolResult(entry: Entry, message: JsonObject): Meaning {
  const call = textOf(message.toolCallId) ?? '';
  const place: Place = { as: 'result', of: [{ call, isError: message.isError === true }], text: false, body: false };
  const spent = readUsage(entry, message.usage, message.model);
  const links = readLinks(call, message, entry.scope.owner);
  if (!spent && !links) return { kind: 'user', place };
  const facts = spent && [factOf(entry, 'usage', entry.key, spent)];
  return { kind: 'user', place, more: { ...(links && { links }), ...(facts && { facts }) } };
}

/** `"details":{"results":[{"id":"Explore",…}]}`: each task of oh-my-pi writes `<id>.jsonl`. */
function readLinks(call: string, message: JsonObject, session: string): readonly Link[] | null {
  if (message.toolName !== 'task' || call === '') return null;
  const ids = listOf(objectOf(message.details)?.results).map((result) => textOf(objectOf(result)?.id));
  const links = ids.filter((id) => id !== null).map((id) => ({ call, token: taskToken(session, id), rank: 1 }));
  return links.length > 0 ? links : null;
}
