import type { Severity } from '../model/index.ts';
import type { Message } from './message.ts';

export interface MessageFinding {
  /** `M5.v1` … `M5.v5`, `M5.c1` … `M5.c4`: the rules of the seed in its order. */
  readonly rule: string;
  readonly type: string;
  readonly severity: Severity;
  readonly message: string;
  readonly uuid: string;
  readonly record: string;
}

/** What the rules ask of a message. */
export type CheckedMessage = Pick<Message, 'uuid' | 'parentUuid' | 'type' | 'isSidechain' | 'timestamp' | 'record'> & {
  readonly toolUseId?: string | undefined;
  readonly agentId?: string | undefined;
};

/** Which sorts of messages hang below one. */
const USE = 1;
const RESULT = 2;

/** The five validation rules and four consistency checks. They only tell: nothing is left out for them (M5). */
export function validateMessages(messages: readonly CheckedMessage[], starters: ReadonlySet<string>): MessageFinding[] {
  const findings: MessageFinding[] = [];
  const byId = new Map(messages.map((message) => [message.uuid, message]));
  const below = new Map<string, number>();
  for (const { parentUuid, type } of messages) {
    const sort = type === 'tool_use' ? USE : type === 'tool_result' ? RESULT : 0;
    if (parentUuid !== null && sort !== 0) below.set(parentUuid, (below.get(parentUuid) ?? 0) | sort);
  }
  const has = (uuid: string, sort: number): boolean => ((below.get(uuid) ?? 0) & sort) !== 0;
  const cyclic = findCycles(messages, byId);
  for (const message of messages) {
    const tell = (rule: string, type: string, severity: Severity, text: string): void => {
      findings.push({ rule: `M5.${rule}`, type, severity, message: text, uuid: message.uuid, record: message.record });
    };
    const { uuid, parentUuid, type } = message;
    const parent = parentUuid === null ? null : byId.get(parentUuid);
    const isTool = type === 'tool_use' || type === 'tool_result';
    if (parentUuid === null && !starters.has(uuid))
      tell('v1', 'missing_parent', 'note', `${type} ${uuid} has no parent and starts nothing`);
    if (parentUuid !== null && !parent)
      tell(
        'v2',
        'unknown_parent',
        'warning',
        `${type} ${uuid} names the parent ${parentUuid}, which is not in its session`,
      );
    if (isTool && !message.isSidechain)
      tell('v3', 'tool_not_sidechain', 'warning', `${type} ${uuid} is not marked as sidechain`);
    if (type === 'tool_result' && parent?.type !== 'tool_use')
      tell(
        'v4',
        'result_without_call',
        'warning',
        `Result ${uuid} belongs to no known call (${message.toolUseId ?? 'no id'})`,
      );
    if (type === 'assistant' && message.isSidechain && message.agentId === undefined && !has(uuid, USE))
      tell('v5', 'call_not_extracted', 'warning', `Answer ${uuid} uses a tool that is no message`);
    if (cyclic.has(uuid)) tell('c1', 'parent_cycle', 'error', `${type} ${uuid} is its own ancestor`);
    if (isTool && !parent) tell('c2', 'orphaned_tool', 'warning', `${type} ${uuid} has no message above it`);
    if (type === 'tool_use' && !has(uuid, RESULT))
      tell('c3', 'call_without_result', 'note', `Call ${uuid} has no result`);
    if (parent && message.timestamp !== null && parent.timestamp !== null && message.timestamp < parent.timestamp)
      tell('c4', 'time_goes_back', 'note', `${type} ${uuid} is older than its parent ${parent.uuid}`);
  }
  return findings;
}

/** Everything that stands on a cycle. Each chain is walked once. */
function findCycles(messages: readonly CheckedMessage[], byId: ReadonlyMap<string, CheckedMessage>): Set<string> {
  const cyclic = new Set<string>();
  const done = new Set<string>();
  for (const { uuid, parentUuid } of messages) {
    // Mostly what it hangs on was looked at before.
    if (parentUuid === null || (parentUuid !== uuid && done.has(parentUuid))) {
      done.add(uuid);
      continue;
    }
    const chain: string[] = [];
    const onChain = new Set<string>();
    let at: string | null = uuid;
    while (at !== null && !done.has(at) && !onChain.has(at)) {
      chain.push(at);
      onChain.add(at);
      at = byId.get(at)?.parentUuid ?? null;
    }
    if (at !== null && onChain.has(at)) for (const id of chain.slice(chain.indexOf(at))) cyclic.add(id);
    for (const id of chain) done.add(id);
  }
  return cyclic;
}
