import type { CallId, Change, ContentOf, Key, LogRecord, SessionId } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { extractMessages } from './extract.ts';
import type { CostOf, Message } from './message.ts';

/** Every message of a session, over all branches and sub-agents: the main line in file order, then each sub-agent in its order. */
export interface MessageList {
  readonly sessionId: SessionId;
  readonly items: readonly Message[];
}

interface Kept {
  readonly record: LogRecord;
  readonly spawn: CallId | null;
  readonly messages: readonly Message[];
}

/** What a list was made from, record by record, until a record changes. */
const kept = new WeakMap<MessageList, Map<Key, Kept>>();

export function buildMessages(tree: Tree, session: SessionId, content: ContentOf, costOf: CostOf): MessageList {
  return collect(tree, session, content, costOf, new Map());
}

/** The same list after a change: messages of records that did not change are the same objects. */
export function updateMessages(
  list: MessageList,
  tree: Tree,
  change: Change,
  content: ContentOf,
  costOf: CostOf,
): MessageList {
  const session = change.merged.find(({ from }) => from === list.sessionId)?.into ?? list.sessionId;
  return collect(tree, session, content, costOf, kept.get(list) ?? new Map());
}

function collect(
  tree: Tree,
  session: SessionId,
  content: ContentOf,
  costOf: CostOf,
  known: ReadonlyMap<Key, Kept>,
): MessageList {
  const made = new Map<Key, Kept>();
  const items: Message[] = [];
  for (const { record, spawn } of eachRecord(tree, session)) {
    const before = known.get(record.id);
    const isSame = before?.record === record && before.spawn === spawn;
    const entry = isSame
      ? before
      : {
          record,
          spawn,
          messages: extractMessages(record, content(record), spawn, costOf, (ref) => tree.resultsAt(ref)),
        };
    made.set(record.id, entry);
    for (const message of entry.messages) items.push(message);
  }
  const list = { sessionId: session, items };
  kept.set(list, made);
  return list;
}

/** The records of a session, with the call that started the sub-agent they belong to. Hidden sub-agents are in no view (H12). */
export function* eachRecord(tree: Tree, session: SessionId): Generator<{ record: LogRecord; spawn: CallId | null }> {
  for (const id of tree.records(session)) {
    const record = shownRecord(tree, id);
    if (record) yield { record, spawn: null };
  }
  for (const { id, spawn, hidden } of tree.session(session).subagents) {
    if (hidden) continue;
    for (const key of tree.subagentRecords(id, session)) {
      const record = shownRecord(tree, key);
      if (record) yield { record, spawn: spawn?.call ?? null };
    }
  }
}

function shownRecord(tree: Tree, id: Key): LogRecord | null {
  const record = tree.record(id);
  return record && !record.hidden ? record : null;
}
