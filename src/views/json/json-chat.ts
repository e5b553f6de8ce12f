import type { ChatItem, GroupContext, SessionConversation } from '../../chat/index.ts';
import type { Finding, LogRecord } from '../../model/index.ts';
import { isoTime, type Json } from './json-record.ts';
import { jsonText } from './json-text.ts';
import { endWithWarnings } from './json-warnings.ts';

/**
 * A conversation in pieces, one item at a time: what the library has in camelCase, in snake_case. What a sub-agent said is written once,
 * among the `processes` of the group that started it; where the library has the same object again (in `display_items`), `conversation`
 * holds only its `session_id`. Written twice, it would double with every level of sub-agents in sub-agents.
 */
export function* jsonConversation(
  { items, ...rest }: SessionConversation,
  contexts: ReadonlyMap<string, GroupContext> = new Map(),
  warnings: readonly Finding[] = [],
): Generator<string> {
  const toWire = wire();
  const head = jsonText(toWire(rest));
  yield `${head.slice(0, -1)},\n"items":[`;
  let before = '\n';
  for (const item of items) {
    yield before + jsonText(toWire(withContext(item, contexts.get(item.group.id))));
    before = ',\n';
  }
  yield `]${endWithWarnings(warnings)}`;
}

const withContext = (item: ChatItem, context: GroupContext | undefined): unknown =>
  context ? { ...item, group: { ...item.group, context } } : item;

/** What a tool was given and gave back belongs to the tool: its keys stay as they are. */
const FOREIGN: ReadonlySet<string> = new Set(['toolInput', 'toolResult', 'toolUseResult', 'input']);

/** One for each text that is written: it remembers which conversations stand there. */
function wire(): (value: unknown) => unknown {
  const written = new Set<string>();
  const toWire = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof Date) return value.toISOString();
    if (Array.isArray(value)) return value.map(toWire);
    // The keys of a map come from the log: they are no names of fields, and may be `__proto__`.
    if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, toWire(each)]));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [snake(key), wireField(key, each)]));
  };
  const wireField = (key: string, value: unknown): unknown => {
    if (key === 'message') return jsonRef(value as LogRecord);
    if (key === 'responses' && Array.isArray(value)) return (value as LogRecord[]).map(jsonRef);
    if (key === 'conversation') {
      const { sessionId } = value as SessionConversation;
      if (written.has(sessionId)) return { session_id: sessionId };
      written.add(sessionId);
    }
    return FOREIGN.has(key) || (key === 'content' && Array.isArray(value)) ? value : toWire(value);
  };
  return toWire;
}

/** Where a record stands: what it says is in the groups. */
function jsonRef(record: LogRecord): Json {
  const at = record.lines[0]?.ref;
  return {
    uuid: record.id,
    parent_uuid: record.parent,
    kind: record.kind,
    timestamp: isoTime(record.time),
    file: at?.file ?? null,
    line: at?.line ?? null,
  };
}

const names = new Map<string, string>();

function snake(key: string): string {
  let name = names.get(key);
  if (name === undefined) {
    name = key
      .replace(/(?<=[a-z\d])[A-Z]|[A-Z](?=[a-z])/g, (letter, at: number) => `${at === 0 ? '' : '_'}${letter}`)
      .toLowerCase();
    names.set(key, name);
  }
  return name;
}
