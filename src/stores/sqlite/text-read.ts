import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { SkeinError } from '../../model/index.ts';
import {
  allBits,
  attributeValue,
  type Bits,
  type Clause,
  clearBit,
  type Filter,
  type NumberedVolume,
  type Plan,
  planOf,
  type Share,
  searchVolumes,
  shareVolumes,
  valueTest,
} from '../../search/index.ts';
import { DOC_SPAN, type TextPart, type TextQuery, type TextRun } from '../index-store.ts';
import { ByteCache } from './byte-cache.ts';
import { BLOCK_SPAN } from './index-schema.ts';
import { prepared } from './prepared.ts';

// biome-ignore lint/suspicious/noExplicitAny: the columns of a query are written beside where they are used
type Row = any;

/** Answers from the volumes. What was read of them stays in memory until the index changes: a query while typing reads little. */
export class TextReader {
  readonly #db: DatabaseSync;
  #kept: Kept | null = null;
  #volumes: Map<number, CachedVolume> = new Map();
  #revision = -1;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  search({ clause, projects, newest }: TextQuery, { share = WHOLE, isOver }: TextRun, revision: number): TextPart {
    // Who has a part of the volumes needs a part of the memory.
    this.#kept ??= { blocks: new ByteCache(KEPT_BLOCKS / share.of), pages: new ByteCache(KEPT_PAGES / share.of) };
    const own = shareVolumes(this.#current(revision, this.#kept), share).sort((a, b) => b.newest - a.newest);
    const volumes = function* () {
      for (const volume of own) {
        if (isOver?.()) throw new SkeinError('aborted', 'The search was ended');
        yield volume;
      }
    };
    return { ...searchVolumes(volumes(), this.#plan(clause, projects), newest), revision };
  }

  #plan(clause: Clause | null, projects: readonly string[] | undefined): Plan {
    const parts: Plan[] = [];
    if (clause) parts.push(planOf(clause, (filter) => this.#planFilter(filter)));
    if (projects) parts.push(this.#inTrees((tree) => projects.includes(tree.path)));
    return parts.length === 1 ? (parts[0] as Plan) : { as: 'and', of: parts };
  }

  #planFilter(filter: Filter): Plan {
    if ('time' in filter) {
      const second = Math.ceil(filter.time / 1000);
      return filter.name === 'after'
        ? { as: 'time', from: second, to: Number.POSITIVE_INFINITY }
        : { as: 'time', from: 1, to: second };
    }
    if (filter.name === 'is' || filter.name === 'has')
      return { as: 'attribute', name: filter.value, accepts: () => true };
    const accepts = valueTest(filter.name, filter.value);
    if (filter.name === 'project') return this.#inTrees(({ path, names }) => [path, ...names].some(accepts));
    if (filter.name === 'agent') return this.#inTrees(({ agent }) => accepts(agent));
    if (filter.name === 'session') return this.#inSessions(accepts);
    return { as: 'attribute', name: filter.name, accepts };
  }

  #inTrees(isMeant: (tree: { path: string; agent: string; names: string[] }) => boolean): Plan {
    const rows = this.#db.prepare('select key, path, agent, names from trees').all() as Row[];
    const meant = rows.filter((row) => isMeant({ ...row, names: JSON.parse(row.names) }));
    const keys = new Set(meant.map(({ key }) => attributeValue(key)));
    return { as: 'attribute', name: 'tree', accepts: (value) => keys.has(value) };
  }

  #inSessions(isMeant: (id: string) => boolean): Plan {
    const rows = this.#db.prepare('select num, id, data from sessions where data is not null').all() as Row[];
    const meant = rows.filter(({ id, data }) => isMeant(id) || (JSON.parse(data).aliases as string[]).some(isMeant));
    const find = this.#db.prepare('select doc from messages where session = ? and doc is not null');
    const byVolume = new Map<number, number[]>();
    for (const { num } of meant)
      for (const { doc } of find.all(num) as Row[]) {
        const volume = Math.floor(doc / DOC_SPAN);
        const docs = byVolume.get(volume) ?? [];
        docs.push(doc % DOC_SPAN);
        byVolume.set(volume, docs);
      }
    return { as: 'docs', of: (volume) => byVolume.get(volume) ?? [] };
  }

  #current(revision: number, kept: Kept): Iterable<CachedVolume> {
    if (revision !== this.#revision) {
      const rows = this.#db.prepare('select num, docs, newest from volumes').all() as Row[];
      // A volume does not change, but more of its documents may be dead.
      this.#volumes = new Map(
        rows.map((row): [number, CachedVolume] => [
          row.num,
          this.#volumes.get(row.num)?.forgetDead() ?? new CachedVolume(this.#db, row, kept),
        ]),
      );
      for (const cache of [kept.blocks, kept.pages])
        cache.dropUnless((id) => this.#volumes.has(Math.floor(id / BLOCK_SPAN)));
      this.#revision = revision;
    }
    return this.#volumes.values();
  }
}

const WHOLE: Share = { index: 0, of: 1 };

export const readVolume = (db: DatabaseSync, num: number): NumberedVolume =>
  new CachedVolume(db, db.prepare('select num, docs, newest from volumes where num = ?').get(num));

/** Who types asks for the same terms again. */
const KEPT_BLOCKS = 16 * 1024 * 1024;
/** Common words beside each other stand on nearly all pages; those of a million messages take 20 MB. */
const KEPT_PAGES = 24 * 1024 * 1024;

/** Most blocks are smaller; usual is to take twice as much for each. */
const BLOCK = { chunkSize: 32 * 1024 };

interface Kept {
  readonly blocks: ByteCache;
  readonly pages: ByteCache;
}

/** One volume; each of its columns is read when it is asked for. */
class CachedVolume implements NumberedVolume {
  readonly number: number;
  readonly size: number;
  readonly newest: number;
  readonly #db: DatabaseSync;
  readonly #kept: Kept | null;
  #heads: readonly string[] | null = null;
  #ids: BigInt64Array | null = null;
  #times: Uint32Array | null = null;
  #lengths: Uint8Array | null = null;
  #types: Uint8Array | null = null;
  #dead: ReadonlySet<number> | null = null;
  #alive: Bits | null = null;

  constructor(db: DatabaseSync, { num, docs, newest }: Row, kept: Kept | null = null) {
    this.#db = db;
    this.#kept = kept;
    this.number = num;
    this.size = docs;
    this.newest = newest;
  }

  get heads(): readonly string[] {
    this.#heads ??= (this.#column('heads') as string).split('\n');
    return this.#heads;
  }

  get ids(): BigInt64Array {
    this.#ids ??= new BigInt64Array(aligned(this.#column('ids')));
    return this.#ids;
  }

  get times(): Uint32Array {
    this.#times ??= new Uint32Array(aligned(this.#column('times')));
    return this.#times;
  }

  get lengths(): Uint8Array {
    this.#lengths ??= this.#column('lengths') as Uint8Array;
    return this.#lengths;
  }

  get types(): Uint8Array {
    this.#types ??= this.#column('types') as Uint8Array;
    return this.#types;
  }

  get dead(): ReadonlySet<number> {
    this.#dead ??= new Set(
      this.#db
        .prepare('select doc from dead_docs where doc >= ? and doc < ?')
        .all(this.number * DOC_SPAN, (this.number + 1) * DOC_SPAN)
        .map((row: Row) => row.doc % DOC_SPAN),
    );
    return this.#dead;
  }

  get alive(): Bits {
    if (this.#alive) return this.#alive;
    this.#alive = allBits(this.size);
    for (const doc of this.dead) clearBit(this.#alive, doc);
    return this.#alive;
  }

  forgetDead(): this {
    this.#dead = null;
    this.#alive = null;
    return this;
  }

  block(index: number): Uint8Array {
    const read = () => zstdDecompressSync(this.#bytes('term_blocks', index), BLOCK);
    return this.#kept ? this.#kept.blocks.get(this.number * BLOCK_SPAN + index, read) : read();
  }

  neighbours(page: number): Uint8Array {
    const read = () => this.#bytes('neighbour_pages', page);
    return this.#kept ? this.#kept.pages.getInTurn(this.number * BLOCK_SPAN + page, read) : read();
  }

  #bytes(table: string, index: number): Uint8Array {
    const row = prepared(this.#db, `select bytes from ${table} where id = ?`).get(
      this.number * BLOCK_SPAN + index,
    ) as Row;
    return row.bytes;
  }

  #column(name: string): unknown {
    return (this.#db.prepare(`select ${name} as value from volumes where num = ?`).get(this.number) as Row).value;
  }
}

/** Numbers begin where the machine wants them. */
const aligned = (bytes: unknown): ArrayBuffer => new Uint8Array(bytes as Uint8Array).buffer;
