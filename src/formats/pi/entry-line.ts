import {
  type ChainLine,
  type Fact,
  fingerprint,
  type Key,
  type Line,
  parseTime,
  type Warning,
} from '../../model/index.ts';
import { type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { type Entry, type Meaning, SKIPPED } from './entry.ts';
import { readMessage, readNotice } from './message-line.ts';
import { readState } from './state-entries.ts';
import { readBranchSummary, readCompaction } from './summary-line.ts';
import { readUsage } from './usage.ts';
import { missing, NO_HEADER } from './warnings.ts';

/** One entry → its line. `given`: the id that stands in it; `found` collects what is odd about it. */
export function readEntry(entry: Entry, given: string | null, found: Warning[]): Line {
  const type = textOf(entry.object.type) ?? '';
  const known = meaningOf(type, entry);
  const meaning = known ?? { kind: kindOf(type, entry.object), place: SKIPPED };
  const { version, linear } = entry.scope;
  const numbered = linear || version === null;
  if (given === null && !numbered && (known || type === 'message')) found.push(missing(`${type}.id`));
  const inChain =
    given !== null || type === 'message' || meaning.place.as !== 'annotation' || (numbered && known !== null);
  return inChain ? chainLine(type, entry, given, meaning, found) : looseFact(type, entry, meaning, found);
}

function meaningOf(type: string, entry: Entry): Meaning | null {
  const { object } = entry;
  if (type === 'message') {
    const message = objectOf(object.message);
    return message && readMessage(entry, message);
  }
  if (type === 'custom_message') return readNotice(object);
  if (type === 'compaction') return readCompaction(entry);
  if (type === 'branch_summary') return readBranchSummary(entry);
  const facts = readState(type, entry);
  // `model_usage` and `usage`: calls of the model that are no part of the conversation.
  return facts && { kind: type, place: SKIPPED, usage: readUsage(entry, object.usage, object.model), more: { facts } };
}

function kindOf(type: string, object: JsonObject): string {
  const role = type === 'message' ? textOf(objectOf(object.message)?.role) : null;
  return role === null ? type || 'unknown' : `message/${role}`;
}

function chainLine(type: string, entry: Entry, given: string | null, meaning: Meaning, found: Warning[]): ChainLine {
  const { object, ref, key, scope } = entry;
  const parent = parentOf(entry, given);
  if (given !== null && object.parentId === undefined && scope.version !== null)
    found.push(missing(`${type}.parentId`));
  if (scope.header === null && scope.previous === null) found.push(NO_HEADER);
  scope.previous = key;
  return {
    in: 'chain',
    ref,
    key,
    parent,
    edge: 'parent',
    kind: meaning.kind,
    place: meaning.place,
    time: parseTime(object.timestamp) ?? parseTime(objectOf(object.message)?.timestamp),
    subagent: scope.subagent,
    origin: meaning.origin ?? null,
    calls: meaning.calls ?? NO_CALLS,
    usage: meaning.usage ?? null,
    stop: textOf(objectOf(object.message)?.stopReason),
    digest: digestOf(type, object),
    env: scope.env,
    more: meaning.more ?? null,
    warnings: found.length > 0 ? found : NO_WARNINGS,
  };
}

const NO_CALLS: ChainLine['calls'] = [];
const NO_WARNINGS: readonly Warning[] = [];

/** Version 1 is one line from top to bottom. Later an entry without id and parent can only belong after the one before it. */
function parentOf({ object, scope }: Entry, given: string | null): Key | null {
  if (scope.linear) return scope.previous;
  const parent = textOf(object.parentId);
  if (parent !== null) return scope.key(parent);
  return given === null && object.parentId === undefined ? scope.previous : null;
}

/** A fork copies entries whole; only where they hang may change. */
function digestOf(type: string, object: JsonObject): number {
  const message = type === 'message' ? objectOf(object.message) : null;
  if (message) return fingerprint([message.role, message.content ?? message]);
  const { id: _id, parentId: _parent, ...content } = object;
  return fingerprint([type, content]);
}

/** Outside the chain there is nothing that it could be about but the session. */
function looseFact(type: string, entry: Entry, meaning: Meaning, found: readonly Warning[]): Line {
  const fact: Fact = meaning.more?.facts?.[0] ?? { type: type || 'unknown', about: null, value: null, ref: entry.ref };
  const about = fact.about === entry.key ? null : fact.about;
  return { in: 'bookkeeping', ref: entry.ref, fact: { ...fact, about }, warnings: found };
}
