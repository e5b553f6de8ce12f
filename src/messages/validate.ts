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

/** What is told of a message that breaks a rule. */
export type Told = Pick<CheckedMessage, 'uuid' | 'parentUuid' | 'type' | 'record' | 'toolUseId'>;

const RULES = {
  v1: ['missing_parent', 'note', ({ type, uuid }: Told) => `${type} ${uuid} has no parent and starts nothing`],
  v2: [
    'unknown_parent',
    'warning',
    ({ type, uuid, parentUuid }: Told) => `${type} ${uuid} names the parent ${parentUuid}, which is not in its session`,
  ],
  v3: ['tool_not_sidechain', 'warning', ({ type, uuid }: Told) => `${type} ${uuid} is not marked as sidechain`],
  v4: [
    'result_without_call',
    'warning',
    ({ uuid, toolUseId }: Told) => `Result ${uuid} belongs to no known call (${toolUseId || 'no id'})`,
  ],
  v5: ['call_not_extracted', 'warning', ({ uuid }: Told) => `Answer ${uuid} uses a tool that is no message`],
  c1: ['parent_cycle', 'error', ({ type, uuid }: Told) => `${type} ${uuid} is its own ancestor`],
  c2: ['orphaned_tool', 'warning', ({ type, uuid }: Told) => `${type} ${uuid} has no message above it`],
  c3: ['call_without_result', 'note', ({ uuid }: Told) => `Call ${uuid} has no result`],
  c4: [
    'time_goes_back',
    'note',
    ({ type, uuid, parentUuid }: Told) => `${type} ${uuid} is older than its parent ${parentUuid}`,
  ],
} as const;

export function breaks(rule: keyof typeof RULES, message: Told): MessageFinding {
  const [type, severity, text] = RULES[rule];
  return { rule: `M5.${rule}`, type, severity, message: text(message), uuid: message.uuid, record: message.record };
}

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
    const { uuid, parentUuid, type, timestamp } = message;
    const tell = (rule: keyof typeof RULES, isBroken: boolean): void => {
      if (isBroken) findings.push(breaks(rule, message));
    };
    const parent = parentUuid === null ? undefined : byId.get(parentUuid);
    const isTool = type === 'tool_use' || type === 'tool_result';
    tell('v1', parentUuid === null && !starters.has(uuid));
    tell('v2', parentUuid !== null && !parent);
    tell('v3', isTool && !message.isSidechain);
    tell('v4', type === 'tool_result' && parent?.type !== 'tool_use');
    tell('v5', type === 'assistant' && message.isSidechain && message.agentId === undefined && !has(uuid, USE));
    tell('c1', cyclic.has(uuid));
    tell('c2', isTool && !parent);
    tell('c3', type === 'tool_use' && !has(uuid, RESULT));
    tell('c4', parent !== undefined && isBefore(timestamp, parent.timestamp));
  }
  return findings;
}

export const isBefore = (a: number | null, b: number | null): boolean => a !== null && b !== null && a < b;

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
