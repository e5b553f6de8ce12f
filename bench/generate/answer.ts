import type { Conversation, Json } from './conversation.ts';
import { prose } from './text.ts';
import { anyToolUse, type ToolUse } from './tools.ts';

/** Lines of one API response share its ids and repeat its usage. */
interface Response {
  readonly id: string;
  readonly request: string;
  readonly usage: Json;
}

/** One answer with tool calls: thinking, text, calls and their results. */
export function* workingAnswer(talk: Conversation): Generator<string> {
  const { random } = talk;
  const response = newResponse(talk);
  if (random.chance(0.15)) yield thinking(talk, response);
  if (random.chance(0.4)) yield say(talk, response, prose(random, talk.size(150, 0.8)), 'tool_use');
  const calls = random.chance(0.85) ? 1 : random.between(2, 5);
  yield* callTools(
    talk,
    response,
    Array.from({ length: calls }, () => anyToolUse(talk)),
  );
}

export function* finalAnswer(talk: Conversation): Generator<string> {
  const response = newResponse(talk);
  if (talk.random.chance(0.2)) yield thinking(talk, response);
  yield say(talk, response, prose(talk.random, talk.size(900, 0.8)), 'end_turn');
}

/**
 * Calls of one answer are a chain, each result hangs on its own call. Tools start while the answer still streams, so results stand
 * between calls and in any order; the conversation goes on from the one written last.
 */
export function* callTools(talk: Conversation, response: Response, uses: readonly ToolUse[]): Generator<string> {
  const { random } = talk;
  const open: { readonly use: ToolUse; readonly id: string; readonly at: string | null }[] = [];
  let chain = talk.leaf;
  for (const use of uses) {
    const id = random.id('toolu');
    const caller = talk.lean ? {} : { caller: { type: 'direct' } };
    const block = { type: 'tool_use', id, name: use.name, input: use.input, ...caller };
    yield assistant(talk, response, block, 'tool_use', chain);
    chain = talk.leaf;
    open.push({ use, id, at: chain });
    if (talk.version === '2.1.17' && random.chance(0.1)) yield hookProgress(talk, id);
    if (uses.length > 1 && random.chance(0.3)) yield* takeOne();
  }
  while (open.length > 0) yield* takeOne();

  function* takeOne(): Generator<string> {
    const [next] = open.splice(random.below(open.length), 1);
    if (!next) return;
    // After a progress line the result hangs on that line.
    const parent = uses.length === 1 ? talk.leaf : next.at;
    yield toolResult(talk, next.use, next.id, next.at, parent);
    if (talk.version !== '2.1.17' && random.chance(0.05))
      yield hookSuccess(talk, 'PostToolUse', next.use.name, next.id);
  }
}

export function newResponse(talk: Conversation): Response {
  const { random } = talk;
  const created = random.below(30_000);
  const usage = {
    input_tokens: random.below(20),
    cache_creation_input_tokens: created,
    cache_read_input_tokens: random.below(150_000),
    output_tokens: random.between(1, 2000),
  };
  const creation = { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 };
  const more = talk.lean ? {} : { cache_creation: creation, service_tier: 'standard' };
  return { id: random.id('msg'), request: random.id('req'), usage: { ...usage, ...more } };
}

function assistant(talk: Conversation, response: Response, block: Json, stop: string, parent = talk.leaf): string {
  const { id, request, usage } = response;
  const model = talk.isAgent ? 'claude-haiku-4-5-20251001' : 'claude-opus-4-5-20251101';
  const message = { model, id, type: 'message', role: 'assistant', content: [block], stop_reason: stop, usage };
  const about = talk.lean ? {} : { requestId: request };
  return talk.chain({ message, ...about, type: 'assistant' }, parent);
}

const say = (talk: Conversation, response: Response, text: string, stop: string): string =>
  assistant(talk, response, { type: 'text', text }, stop);

/** The newest models keep no text, only a signature. */
function thinking(talk: Conversation, response: Response): string {
  const text = talk.random.chance(0.5) ? prose(talk.random, talk.size(600)) : '';
  const signature = talk.random.base64(talk.size(1200, 0.7));
  return assistant(talk, response, { type: 'thinking', thinking: text, signature }, 'tool_use');
}

function toolResult(talk: Conversation, use: ToolUse, id: string, call: string | null, parent: string | null): string {
  const block = {
    tool_use_id: id,
    type: 'tool_result',
    content: use.content,
    ...(use.isError ? { is_error: true } : {}),
  };
  // Sub-agents of newer versions keep nothing beside a good result.
  const beside = talk.isAgent && !use.isError ? {} : { toolUseResult: use.result };
  const message = { role: 'user', content: [block] };
  const source = talk.lean ? {} : { sourceToolAssistantUUID: call };
  return talk.chain({ type: 'user', message, ...beside, ...source }, parent);
}

const hookProgress = (talk: Conversation, call: string): string =>
  talk.chain({
    type: 'progress',
    data: {
      type: 'hook_progress',
      hookEvent: 'PostToolUse',
      hookName: 'PostToolUse:Edit',
      command: 'npm run -s format',
    },
    parentToolUseID: call,
    toolUseID: call,
  });

export function hookSuccess(talk: Conversation, event: string, name: string, call: string): string {
  const names = { hookName: `${event}:${name}`, toolUseID: call, hookEvent: event };
  const run = { content: '', stdout: 'ok\n', stderr: '', exitCode: 0, command: 'npm run -s hook', durationMs: 203 };
  return talk.chain({ attachment: { type: 'hook_success', ...names, ...run }, type: 'attachment' });
}
