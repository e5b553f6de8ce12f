import { cutCycles } from './cut-cycles.ts';
import type { SessionEntry } from './entries.ts';
import { Labels } from './labels.ts';
import { walkPath } from './walk-path.ts';

/** The entries of a session by what is asked for: id, parent, children, label. */
export class EntryIndex {
  /** Of entries with one id the last counts, as in Pi. */
  readonly byId = new Map<string, SessionEntry>();
  readonly labels = new Labels();
  /** Every id is there once, and every parent stands before its children, as appending leaves it. */
  readonly isPlain: boolean;
  /** Where ways go round, the first entry of the round has no parent. */
  readonly cuts: ReadonlySet<string>;
  #children: Map<string | null, SessionEntry[]> | null = null;

  constructor(entries: Iterable<SessionEntry> = []) {
    let isPlain = true;
    for (const entry of entries) {
      const { size } = this.byId;
      isPlain &&= entry.parentId === null || this.byId.has(entry.parentId);
      this.byId.set(entry.id, entry);
      isPlain &&= this.byId.size > size;
      this.labels.follow(entry);
    }
    this.isPlain = isPlain;
    // What is plain cannot go round.
    this.cuts = isPlain ? NONE : cutCycles(this.byId);
  }

  /** Its id is new. */
  add(entry: SessionEntry): void {
    this.byId.set(entry.id, entry);
    this.labels.follow(entry);
    if (this.#children) push(this.#children, this.#parentIdOf(entry), entry);
  }

  parentOf(entry: SessionEntry): SessionEntry | undefined {
    if (entry.parentId === null || (this.cuts.size > 0 && this.cuts.has(entry.id))) return undefined;
    return this.byId.get(entry.parentId);
  }

  /** From the root down to this entry; nothing for an id that nobody has. */
  path(id: string | null): SessionEntry[] {
    const leaf = id === null ? undefined : this.byId.get(id);
    if (this.cuts.size === 0) return walkPath(leaf, this.byId);
    const path: SessionEntry[] = [];
    for (let entry = leaf; entry; entry = this.parentOf(entry)) path.push(entry);
    return path.reverse();
  }

  /** In the order of the file. */
  children(id: string | null): readonly SessionEntry[] {
    this.#children ??= this.#gatherChildren();
    return this.#children.get(id) ?? [];
  }

  #gatherChildren(): Map<string | null, SessionEntry[]> {
    const children = new Map<string | null, SessionEntry[]>();
    for (const entry of this.byId.values()) push(children, this.#parentIdOf(entry), entry);
    return children;
  }

  /** As it is written, unless the link is cut. */
  #parentIdOf(entry: SessionEntry): string | null {
    return this.cuts.has(entry.id) ? null : entry.parentId;
  }
}

const NONE: ReadonlySet<string> = new Set();

function push(children: Map<string | null, SessionEntry[]>, parent: string | null, entry: SessionEntry): void {
  const list = children.get(parent);
  if (list) list.push(entry);
  else children.set(parent, [entry]);
}
