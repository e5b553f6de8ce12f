import type { Finding } from '../../model/index.ts';
import type { RecordEntry } from '../visit-record.ts';
import { jsonLabel, type Label } from './json-label.ts';
import { jsonWarning } from './json-lists.ts';
import { type Json, type JsonOptions, jsonRecord } from './json-record.ts';
import { jsonText } from './json-text.ts';

export interface ThreadDocument {
  readonly session: Json;
  /** Null where a sub-agent is shown. */
  readonly thread: Json | null;
  readonly agent?: Json;
  readonly entries: Iterable<RecordEntry>;
  /** By the id of the record. */
  readonly labels?: ReadonlyMap<string, Label>;
  readonly warnings: () => readonly Finding[];
}

/** `{ "session", "thread", "records", "warnings" }` in pieces, one record at a time (P4). */
export function* jsonThreadDocument(document: ThreadDocument, options: JsonOptions): Generator<string> {
  const { session, thread, agent, entries, warnings, labels } = document;
  yield `{"session":${jsonText(session)},\n"thread":${jsonText(thread)},\n`;
  if (agent) yield `"agent":${jsonText(agent)},\n`;
  yield '"records":[';
  let before = '\n';
  for (const entry of entries) {
    yield before + jsonText({ ...jsonRecord(entry, options), ...jsonLabel(labels?.get(entry.record.id)) });
    before = ',\n';
  }
  yield `],\n"warnings":${jsonText(warnings().map(jsonWarning))}}\n`;
}
