import { type Env, type FileFacts, type Key, parseTime, type SubagentId } from '../../model/index.ts';
import { type JsonObject, numberOf, textOf } from '../lines/index.ts';
import { EntryPlaces, idAt, type SavedPlaces } from './entry-places.ts';

/** What must survive a restart. */
export interface SavedScope {
  readonly session: string;
  readonly header: number | null;
  readonly version: number | null;
  readonly cwd: string | null;
  readonly forkedAt: number | null;
  readonly previous: Key | null;
  readonly places: SavedPlaces | null;
  readonly hasTitleSlot?: boolean;
}

/** What a file has said so far and its later lines depend on. */
export class Scope {
  /** A sub-agent's file belongs to it whole. */
  readonly subagent: SubagentId | null;
  /** The header's id; before a header, and in a file without one, the id in the file's name. */
  session: string;
  /** Line of the header. */
  header: number | null;
  version: number | null;
  /** When it was made from another session: what is older was copied from there. */
  forkedAt: number | null;
  /** The entry before this one: the parent in version 1, which has no links. */
  previous: Key | null;
  env: Env;
  /** oh-my-pi keeps the title before the header too, where it can be overwritten: that one counts. */
  hasTitleSlot: boolean;
  readonly #owner: string | null;
  readonly #stem: string;
  #places: EntryPlaces | null;

  constructor(file: FileFacts, saved: SavedScope | null) {
    this.subagent = file.role === 'subagent' ? file.native : null;
    this.#owner = file.session;
    this.#stem = file.id.slice(file.id.lastIndexOf('/') + 1).replace(/\.jsonl$/, '');
    this.session = saved?.session ?? file.native;
    this.header = saved?.header ?? null;
    this.version = saved?.version ?? null;
    this.forkedAt = saved?.forkedAt ?? null;
    this.previous = saved?.previous ?? null;
    this.hasTitleSlot = saved?.hasTitleSlot ?? false;
    this.#places = saved && !saved.places ? null : new EntryPlaces(saved?.places ?? { count: 0, runs: [] });
    this.env = this.#envIn(saved?.cwd ?? null);
  }

  get saved(): SavedScope {
    const { session, header, version, forkedAt, previous, hasTitleSlot } = this;
    const places = this.#places?.saved ?? null;
    const saved = { session, header, version, cwd: this.env.cwd, forkedAt, previous, places };
    return hasTitleSlot ? { ...saved, hasTitleSlot } : saved;
  }

  /** Pi looks at the first header only. Once entries have keys, these stay as they are. */
  readHeader(header: JsonObject, line: number): void {
    if (this.header !== null) return;
    this.header = line;
    this.version = numberOf(header.version) ?? 1;
    if (this.version >= 2) this.#places = null;
    if (this.previous === null) this.session = textOf(header.id) ?? this.session;
    this.env = this.#envIn(textOf(header.cwd));
    const isFork = (textOf(header.parentSession) ?? textOf(header.branchedFrom)) !== null;
    this.forkedAt = isFork ? parseTime(header.timestamp) : null;
  }

  /** The session whose folder holds the files of tasks started here. */
  get owner(): string {
    return this.#owner ?? this.session;
  }

  /** For every line that Pi takes for an entry, the header included. */
  count(line: number): void {
    this.#places?.add(line);
  }

  /** Pi gives new ids to all entries of a file of version 1; here the line is the id. */
  get linear(): boolean {
    return this.version !== null && this.version < 2;
  }

  key(id: string): Key {
    return `${this.session}/${id}`;
  }

  /** Files only grow, so a name by line stays. */
  idByPlace(line: number): string {
    return this.linear || this.version === null ? `${line}` : `${this.#stem}:${line}`;
  }

  /** The id that the entry on the line that was counted last has in whatever is copied from this file. */
  lastIdByCount(): string | null {
    return this.#places ? idAt(this.#places.count - 1) : null;
  }

  /** The entry with this number; null for the header, as in Pi. */
  keyAt(index: number): Key | null {
    const line = this.#places?.lineOf(index) ?? null;
    return line === null || line === this.header ? null : this.key(`${line}`);
  }

  #envIn(cwd: string | null): Env {
    const version = this.version === null ? null : `${this.version}`;
    return { cwd, gitBranch: null, slug: null, version, session: this.session };
  }
}
