import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { allBits, type Bits, clearBit, type NumberedVolume } from '../../search/index.ts';
import { DOC_SPAN } from '../index-store.ts';
import type { ByteCache } from './byte-cache.ts';
import { BLOCK_SPAN } from './index-schema.ts';
import { prepared } from './prepared.ts';

// biome-ignore lint/suspicious/noExplicitAny: the columns of a query are written beside where they are used
type Row = any;

export const readVolume = (db: DatabaseSync, num: number): NumberedVolume =>
  new CachedVolume(db, prepared(db, 'select num, docs, newest from volumes where num = ?').get(num));

/** Most blocks are smaller; usual is to take twice as much for each. */
const BLOCK = { chunkSize: 32 * 1024 };

export interface Kept {
  readonly blocks: ByteCache;
  readonly pages: ByteCache;
}

/** One volume; each of its columns is read when it is asked for. */
export class CachedVolume implements NumberedVolume {
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
      prepared(this.#db, 'select doc from dead_docs where doc >= ? and doc < ?')
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
    return (prepared(this.#db, `select ${name} as value from volumes where num = ?`).get(this.number) as Row).value;
  }
}

/** Numbers begin where the machine wants them. */
const aligned = (bytes: unknown): ArrayBuffer => new Uint8Array(bytes as Uint8Array).buffer;
