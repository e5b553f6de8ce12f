import { type CallName, fingerprint, type Link } from '../../model/index.ts';
import { type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { type Notification, readTeammates } from './text-tags.ts';

/**
 * Nothing in the log says in one word which call started which sub-agent. Calls, results and sub-agents each name the tokens they can be
 * recognised by; the tree brings equal ones together. `agent:` and `run:` name one sub-agent or one workflow, the others are guesses.
 */
const promptToken = (prompt: string): string => `prompt:${fingerprint(prompt.replace(/\s+/g, ' ').trim())}`;

const SPAWNERS: ReadonlySet<unknown> = new Set(['Task', 'Agent', 'Workflow']);
/** Whether calls of a tool start sub-agents. */
export const isSpawner = (name: unknown): boolean => SPAWNERS.has(name);
const NONE: readonly string[] = [];

export function callTokens(name: string, input: unknown): CallName['tokens'] {
  const given = isSpawner(name) ? objectOf(input) : null;
  if (!given) return NONE;
  const tokens = [`spawns:${name}`];
  const prompt = textOf(given.prompt);
  if (prompt !== null) tokens.push(promptToken(prompt));
  const teammate = textOf(given.name);
  if (teammate !== null) tokens.push(`name:${teammate}`);
  const description = textOf(given.description);
  if (description !== null) tokens.push(`summary:${description}`);
  return tokens;
}

/** The first words of a sub-agent; a teammate's prompt comes wrapped in a message of the lead. */
export function openingTokens(text: string): readonly string[] {
  if (!text.trimStart().startsWith('<teammate-message')) return [promptToken(text)];
  const tokens: string[] = [];
  for (const message of readTeammates(text)) {
    tokens.push(promptToken(message.body));
    if (message.summary) tokens.push(`summary:${message.summary}`);
  }
  return tokens;
}

export const agentToken = (id: string): string => `agent:${id.startsWith('agent-') ? id.slice('agent-'.length) : id}`;

/** `{"agentId":"a2271d1"}` beside the result, `agent_id: "alice@team"` for a teammate, `runId` for a workflow, or a last line `agentId: a2271d1`. */
export function resultLinks(call: string, toolUseResult: unknown, content: unknown): readonly Link[] | null {
  const result = objectOf(toolUseResult);
  // Where the result stands beside the block as an object, it would say so itself.
  if (!result) {
    const id = agentIdInTail(content);
    return id === null ? null : [{ call, token: agentToken(id), rank: 2 }];
  }
  const id = textOf(result.agentId) ?? textOf(result.agent_id);
  const run = textOf(result.runId);
  if (id === null && run === null) return null;
  const links: Link[] = [];
  const at = id?.indexOf('@') ?? -1;
  if (id !== null) links.push({ call, token: at > 0 ? `name:${id.slice(0, at)}` : agentToken(id), rank: 1 });
  if (run !== null) links.push({ call, token: `run:${run}`, rank: 1 });
  return links;
}

/** An id stands in so many characters at the end. */
export const TAIL = 600;

function agentIdInTail(content: unknown): string | null {
  const last = Array.isArray(content) ? content.at(-1) : content;
  const text = typeof last === 'string' ? last : textOf((last as JsonObject | null | undefined)?.text);
  if (text === null) return null;
  const tail = text.length > TAIL ? text.slice(-TAIL) : text;
  const at = tail.lastIndexOf('agentId:');
  if (at < 0 || (at > 0 && tail.charCodeAt(at - 1) !== 10)) return null;
  return /^agentId:\s*([\w-]+)/.exec(tail.slice(at, at + 100))?.[1] ?? null;
}

export function notificationLinks({ task, call }: Notification): readonly Link[] | null {
  return task !== null && call !== null ? [{ call, token: agentToken(task), rank: 4 }] : null;
}
