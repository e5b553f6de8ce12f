import type { LabelEntry, SessionEntry } from './entries.ts';
import { newEntryId } from './ids.ts';

interface Label {
  readonly label: string;
  /** When it was last changed. */
  readonly timestamp: string;
}

/** The labels as they stand: the last change of each target counts, in the order of the file, whatever branch it is on. */
export class Labels {
  readonly #byTarget = new Map<string, Label>();

  get size(): number {
    return this.#byTarget.size;
  }

  get(id: string): Label | undefined {
    return this.#byTarget.get(id);
  }

  follow(entry: SessionEntry): void {
    if (entry.type !== 'label') return;
    if (entry.label) this.#byTarget.set(entry.targetId, { label: entry.label, timestamp: entry.timestamp });
    else this.#byTarget.delete(entry.targetId);
  }

  /** Entries that set the labels of these targets anew, one hanging on the other, the first on `parentId`. Times stay. */
  rebuild(targets: ReadonlySet<string>, parentId: string | null): LabelEntry[] {
    const taken = new Set(targets);
    let parent = parentId;
    return [...this.#byTarget].flatMap(([targetId, { label, timestamp }]) => {
      if (!targets.has(targetId)) return [];
      const entry: LabelEntry = { type: 'label', id: newEntryId(taken), parentId: parent, timestamp, targetId, label };
      taken.add(entry.id);
      parent = entry.id;
      return [entry];
    });
  }
}
