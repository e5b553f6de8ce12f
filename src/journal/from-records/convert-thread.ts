import type { Key, LogRecord, RecordContent, Usage } from '../../model/index.ts';
import { CURRENT_SESSION_VERSION, type SessionEntry, type SessionHeader } from '../entries.ts';
import { newEntryId, newSessionId } from '../ids.ts';
import { convertRecord, type EntryFields } from './convert-record.ts';
import { type Loss, Losses } from './losses.ts';

export interface ThreadSource {
  /** From the beginning to the last record that is wanted. */
  readonly records: Iterable<{ readonly record: LogRecord; readonly content: RecordContent }>;
  readonly cwd: string;
  readonly title: string | null;
  /** Where it comes from, for whoever looks into the file. */
  readonly origin: { readonly agent: string; readonly session: string };
  readonly labels: ReadonlyMap<Key, { readonly text: string; readonly time: number | null }>;
}

export interface ConvertedThread {
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  /** How many records became entries. */
  readonly records: number;
  readonly losses: readonly Loss[];
}

/** The customType of the entry that says what a converted session was made from. */
export const ORIGIN_ENTRY = 'skein/origin';

/** A thread of any agent as a session of Pi: one line of entries, with its labels at the end. */
export function convertThread({ records, cwd, title, origin, labels }: ThreadSource): ConvertedThread {
  const losses = new Losses();
  const ids = new Map<string, string>();
  const entries: SessionEntry[] = [];
  let time = 0;
  let converted = 0;
  const add = (fields: EntryFields, at: number, usage: Usage | null = null): string => {
    const id = newEntryId(ids);
    ids.set(id, id);
    const parentId = entries.at(-1)?.id ?? null;
    const from = usage ? { skein: { usage } } : {};
    const { type, ...more } = fields.type === 'compaction' ? { ...fields, firstKeptEntryId: id } : fields;
    entries.push({ type, id, parentId, timestamp: new Date(at).toISOString(), ...more, ...from } as SessionEntry);
    return id;
  };
  const labelled: { readonly target: string; readonly text: string; readonly time: number }[] = [];
  for (const { record, content } of records) {
    // Time does not go back, and a record without one is no older than those before it.
    time = Math.max(time, record.time ?? 0);
    if (entries.length === 0) {
      add({ type: 'custom', customType: ORIGIN_ENTRY, data: origin }, time);
      if (title !== null) add({ type: 'session_info', name: title }, time);
    }
    const [first] = convertRecord(record, content, time, losses).map((fields, i) =>
      add(fields, time, i === 0 ? record.usage : null),
    );
    if (first !== undefined) converted++;
    const label = labels.get(record.id);
    if (label && first !== undefined) labelled.push({ target: first, text: label.text, time: label.time ?? time });
    else if (label) losses.add('labels of hidden records');
  }
  for (const { target, text, time: at } of labelled) add({ type: 'label', targetId: target, label: text }, at);
  const header: SessionHeader = {
    type: 'session',
    version: CURRENT_SESSION_VERSION,
    id: newSessionId(),
    timestamp: new Date().toISOString(),
    cwd,
  };
  return { header, entries, records: converted, losses: losses.list() };
}
