import { cutCycles } from './cut-cycles.ts';
import type { FileEntry, SessionEntry } from './entries.ts';
import { IdTable } from './id-table.ts';
import { Labels } from './labels.ts';

/** Entries of which some are parsed only when somebody asks for them. All of these are messages. */
export interface UnparsedEntries {
  /** Null: not parsed yet. */
  readonly nodes: (SessionEntry | null)[];
  readonly parents: Int32Array;
  readonly places: IdTable;
  readonly labels: Labels;
  parse(place: number): SessionEntry;
}

/** The entries of a session by what is asked for: id, parent, children, label. Inside, an entry is its place, and a parent is a number. */
export class EntryIndex {
  readonly labels: Labels;
  /** Every id is there once, and every parent stands before its children, as appending leaves it. */
  readonly isPlain: boolean;
  /** Where ways go round, the first entry of the round has no parent. */
  readonly cuts: ReadonlySet<string>;
  readonly #entries: (SessionEntry | null)[];
  readonly #nodes: (SessionEntry | null)[];
  /** The place of the parent of each node; -1: it has none, or none that is there. */
  #parents: Int32Array;
  #places: IdTable;
  #children: Map<string | null, SessionEntry[]> | null = null;
  /** Null: everything is parsed. */
  #unparsed: UnparsedEntries | null = null;

  /** A header is no entry. */
  constructor(source: readonly FileEntry[] | UnparsedEntries = []) {
    if ('parse' in source) {
      this.#unparsed = source;
      this.#entries = source.nodes;
      this.#nodes = source.nodes;
      this.#parents = source.parents;
      this.#places = source.places;
      this.labels = source.labels;
      this.isPlain = true;
      this.cuts = NONE;
      return;
    }
    const entries = source.filter(isEntry);
    this.labels = new Labels();
    this.#parents = new Int32Array(entries.length);
    this.#places = new IdTable(entries.length);
    let isPlain = true;
    let place = 0;
    let previous: SessionEntry | undefined;
    for (const entry of entries) {
      const parent = this.#placeAbove(entry, previous, place);
      isPlain &&= parent >= 0 || entry.parentId === null;
      this.#parents[place] = parent;
      isPlain = this.#places.set(entry.id, place++) && isPlain;
      this.labels.follow(entry);
      previous = entry;
    }
    this.isPlain = isPlain;
    this.#entries = entries;
    this.#nodes = isPlain ? entries : lastOfEach(entries);
    // What is plain cannot go round.
    this.cuts = isPlain ? NONE : this.#link();
  }

  /** In the order of the file. */
  get entries(): SessionEntry[] {
    this.#parseAll();
    return this.#entries as SessionEntry[];
  }

  /** The same, but of entries with one id only the last, as in Pi, at the place of the first. */
  get nodes(): SessionEntry[] {
    this.#parseAll();
    return this.#nodes as SessionEntry[];
  }

  /** How many nodes there are. */
  get size(): number {
    return this.#nodes.length;
  }

  /** The last entry of the file. */
  get last(): SessionEntry | undefined {
    return this.#unparsed ? this.#at(this.#nodes.length - 1) : this.entries.at(-1);
  }

  /** The last entry that is no message and of which this is true. */
  lastOther(test: (entry: SessionEntry) => boolean): SessionEntry | undefined {
    return this.#entries.findLast((entry) => entry !== null && entry.type !== 'message' && test(entry)) ?? undefined;
  }

  /** Its id is new, and its parent is there or null. */
  add(entry: SessionEntry): void {
    const place = this.#nodes.length;
    const parent = this.#placeAbove(entry, undefined, place);
    if (place >= this.#parents.length) this.#parents = grown(this.#parents, place);
    this.#parents[place] = parent;
    this.#places.set(entry.id, place);
    this.#nodes.push(entry);
    if (this.#nodes !== this.#entries) this.#entries.push(entry);
    this.labels.follow(entry);
    if (this.#children) push(this.#children, entry.parentId, entry);
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  get(id: string): SessionEntry | undefined {
    return this.#at(this.#places.get(id));
  }

  /** -1 if nobody has this id. */
  placeOf(id: string): number {
    return this.#places.get(id);
  }

  /** The place of the parent of the node at this place; -1: a root. */
  parentAt(place: number): number {
    return this.#parents[place] ?? -1;
  }

  /** From the root down to this entry; nothing for an id that nobody has. */
  path(id: string | null): SessionEntry[] {
    const parents = this.#parents;
    const leaf = id === null ? -1 : this.#places.get(id);
    let length = 0;
    for (let at = leaf; at >= 0; at = parents[at] as number) {
      if (this.#unparsed) this.#at(at);
      length++;
    }
    const nodes = this.#nodes as SessionEntry[];
    const path = new Array<SessionEntry>(length);
    for (let at = leaf; at >= 0; at = parents[at] as number) path[--length] = nodes[at] as SessionEntry;
    return path;
  }

  /** In the order of the file. */
  children(id: string | null): readonly SessionEntry[] {
    this.#children ??= this.#gatherChildren();
    return this.#children.get(id) ?? [];
  }

  #at(place: number): SessionEntry | undefined {
    const entry = this.#nodes[place];
    if (entry !== null || !this.#unparsed) return entry ?? undefined;
    const parsed = this.#unparsed.parse(place);
    this.#nodes[place] = parsed;
    return parsed;
  }

  #parseAll(): void {
    if (!this.#unparsed) return;
    for (let place = 0; place < this.#nodes.length; place++) this.#at(place);
    this.#unparsed = null;
  }

  #gatherChildren(): Map<string | null, SessionEntry[]> {
    const children = new Map<string | null, SessionEntry[]>();
    // As it is written, unless the link is cut.
    for (const entry of this.nodes) push(children, this.cuts.has(entry.id) ? null : entry.parentId, entry);
    return children;
  }

  /** Most entries hang on the one before them: that one need not be looked for. */
  #placeAbove({ parentId }: SessionEntry, previous: SessionEntry | undefined, place: number): number {
    if (!parentId) return -1;
    return parentId === previous?.id ? place - 1 : this.#places.get(parentId);
  }

  /** When all entries are known: a parent may stand after its children, and an id mean a later entry. */
  #link(): ReadonlySet<string> {
    this.#places = new IdTable(this.nodes.length);
    for (const [place, { id }] of this.nodes.entries()) this.#places.set(id, place);
    this.#parents = Int32Array.from(this.nodes, ({ parentId }) => (parentId ? this.#places.get(parentId) : -1));
    return new Set(cutCycles(this.#parents).flatMap((place) => this.nodes[place]?.id ?? []));
  }
}

const isEntry = (entry: FileEntry): entry is SessionEntry => entry.type !== 'session';

const NONE: ReadonlySet<string> = new Set();

const lastOfEach = (entries: readonly SessionEntry[]): SessionEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

function grown(parents: Int32Array, least: number): Int32Array {
  const more = new Int32Array(Math.max(64, least * 2));
  more.set(parents);
  return more;
}

function push(children: Map<string | null, SessionEntry[]>, parent: string | null, entry: SessionEntry): void {
  const list = children.get(parent);
  if (list) list.push(entry);
  else children.set(parent, [entry]);
}
