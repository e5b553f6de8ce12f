import { type ContextEditEntry, messageOf, type SessionEntry } from './entries.ts';

export type Edits = ReadonlyMap<string, ContextEditEntry>;

/** Entries as the model sees them after their edits; what an edit leaves out is not among them. */
export function applyEdits(entries: readonly SessionEntry[], edits: Edits = editsIn(entries)): SessionEntry[] {
  if (edits.size === 0) return [...entries];
  return entries.flatMap((entry) => applyEdit(entry, edits) ?? []);
}

/** By their target. The last one counts. */
export function editsIn(entries: Iterable<SessionEntry>): Edits {
  const edits = new Map<string, ContextEditEntry>();
  for (const entry of entries) if (entry.type === 'context_edit') edits.set(entry.targetId, entry);
  return edits;
}

/** Null: it is left out. */
export function applyEdit(entry: SessionEntry, edits: Edits): SessionEntry | null {
  const edit = edits.get(entry.id);
  if (!edit) return entry;
  const { replacement } = edit;
  if (typeof replacement !== 'object' || replacement === null) return null;
  const { content } = replacement;
  if (entry.type === 'custom_message') return { ...entry, content } as SessionEntry;
  const message = messageOf(entry);
  if (entry.type !== 'message' || !message) return entry;
  switch (message.role) {
    case 'user':
    case 'custom':
      return { ...entry, message: { ...message, content } } as SessionEntry;
    case 'assistant':
    case 'toolResult':
      return {
        ...entry,
        message: { ...message, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content },
      } as SessionEntry;
    default:
      return entry;
  }
}
