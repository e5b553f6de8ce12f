import type { Key } from '../../model/index.ts';
import { numberOf, textOf } from '../lines/index.ts';
import { type Entry, factOf, isFromHook, type Meaning, RECORD } from './entry.ts';
import { readUsage } from './usage.ts';

/**
 *     {"type":"compaction","id":"c1","parentId":"a9","summary":"…","firstKeptEntryId":"u7","tokensBefore":181000}
 *     {"type":"compaction","summary":"…","firstKeptEntryIndex":293,"tokensBefore":181000}                  version 1
 *
 * It hangs on the entry before it; what the model still sees begins at the first kept one.
 */
export function readCompaction(entry: Entry): Meaning {
  const { object, key } = entry;
  const value = {
    firstKept: firstKeptOf(entry),
    tokensBefore: numberOf(object.tokensBefore),
    fromHook: isFromHook(object),
  };
  const facts = [factOf(entry, 'compaction', key, value)];
  return { kind: 'compaction', place: RECORD, usage: readUsage(entry, object.usage, null), more: { facts } };
}

function firstKeptOf({ object, scope }: Entry): Key | null {
  if (scope.linear) return scope.keyAt(numberOf(object.firstKeptEntryIndex) ?? -1);
  const kept = textOf(object.firstKeptEntryId);
  return kept === null ? null : scope.key(kept);
}

/**
 *     {"type":"branch_summary","id":"b1","parentId":"u3","fromId":"u3","summary":"…"}
 *
 * `fromId` is where the branches part, `root` before the first entry; which branch was left is not written down.
 */
export function readBranchSummary(entry: Entry): Meaning {
  const { object, key, scope } = entry;
  const from = textOf(object.fromId);
  const value = { from: from === null || from === 'root' ? null : scope.key(from), fromHook: isFromHook(object) };
  const facts = [factOf(entry, 'branch_summary', key, value)];
  return { kind: 'branch_summary', place: RECORD, usage: readUsage(entry, object.usage, null), more: { facts } };
}
