import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync } from 'node:zlib';
import { mergeVolumes, type Volume } from '../../search/index.ts';
import { DOC_SPAN, docNumber } from '../index-store.ts';
import { readVolume } from './cached-volume.ts';
import { BLOCK_SPAN } from './index-schema.ts';
import { prepared } from './prepared.ts';

/** Blocks are small: a small table finds as much in them, and is made sooner. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_hashLog]: 12 };
const ROOM = 16 * 1024;

/** Small volumes are put together when there are so many of about the same size. */
const TOGETHER = 16;
/** Larger ones only when somebody has time for it (`tidy`). */
const SMALL_DOCS = 4096;
const LARGE_DOCS = 32_768;

/** Volumes of the full text, inside the transaction of the caller. */
export class TextWriter {
  readonly #db: DatabaseSync;
  readonly #kill: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#kill = db.prepare('insert or ignore into dead_docs values (?)');
  }

  add(num: number, volume: Volume): void {
    const { ids, times, lengths, types, heads, blocks, neighbours } = volume;
    const newest = times.reduce((latest, time) => Math.max(latest, time), 0);
    prepared(this.#db, 'insert or replace into volumes values (?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[num, ids.length, newest, heads, bytesOf(ids), bytesOf(times), lengths, types],
    );
    const block = prepared(this.#db, 'insert or replace into term_blocks values (?, ?)');
    blocks.forEach((bytes, i) => {
      // Who knows the size needs less room, which is made anew for each.
      const packed = zstdCompressSync(bytes, { params: FAST, pledgedSrcSize: bytes.length, chunkSize: ROOM });
      block.run(num * BLOCK_SPAN + i, packed);
    });
    const page = prepared(this.#db, 'insert or replace into neighbour_pages values (?, ?)');
    neighbours.forEach((bytes, i) => void page.run(num * BLOCK_SPAN + i, bytes));
  }

  /** A document whose message is gone or says something else now. */
  kill(doc: number): void {
    this.#kill.run(doc);
  }

  /** Puts small volumes together, so that a query does not look into thousands. `next` gives the number of a new one. */
  joinSmall(next: () => number): void {
    for (let most = TOGETHER; most <= SMALL_DOCS; most *= TOGETHER) {
      const numbers = this.#ofSize(most / TOGETHER, most);
      if (numbers.length >= TOGETHER) this.#join(numbers, next());
    }
  }

  /** The same with larger ones, and drops the dead where there are many. */
  tidy(next: () => number): void {
    const small = this.#ofSize(0, SMALL_DOCS);
    if (small.length >= TOGETHER) this.#join(small, next());
    let together: number[] = [];
    let docs = 0;
    for (const { num, size, dead } of this.#sizes()) {
      if (dead * 4 > size) this.#join([num], next());
      else if (size >= SMALL_DOCS && size < LARGE_DOCS / 2) {
        together.push(num);
        docs += size;
        if (docs < LARGE_DOCS || together.length < 4) continue;
        this.#join(together, next());
        [together, docs] = [[], 0];
      }
    }
  }

  /** Leaves nothing of the dead. */
  purge(next: () => number): void {
    for (const { num, dead } of this.#sizes()) if (dead > 0) this.#join([num], next());
  }

  #ofSize(least: number, most: number): number[] {
    const rows = prepared(this.#db, 'select num from volumes where docs >= ? and docs < ? order by num').all(
      least,
      most,
    );
    return (rows as { num: number }[]).map(({ num }) => num);
  }

  #sizes(): { num: number; size: number; dead: number }[] {
    return prepared(
      this.#db,
      `select num, docs as size, (select count(*) from dead_docs where doc >= num * ${DOC_SPAN} and doc < (num + 1) * ${DOC_SPAN}) as dead
        from volumes order by num`,
    ).all() as { num: number; size: number; dead: number }[];
  }

  #join(numbers: readonly number[], num: number): void {
    const volume = mergeVolumes(numbers.map((number) => readVolume(this.#db, number)));
    for (const number of numbers) this.#drop(number);
    if (volume.ids.length === 0) return;
    this.add(num, volume);
    const move = prepared(this.#db, 'update messages set doc = ? where id = ?');
    volume.ids.forEach((id, i) => void move.run(docNumber(num, i), id));
  }

  #drop(num: number): void {
    prepared(this.#db, 'delete from volumes where num = ?').run(num);
    for (const table of ['term_blocks', 'neighbour_pages'])
      prepared(this.#db, `delete from ${table} where id >= ? and id < ?`).run(num * BLOCK_SPAN, (num + 1) * BLOCK_SPAN);
    prepared(this.#db, 'delete from dead_docs where doc >= ? and doc < ?').run(num * DOC_SPAN, (num + 1) * DOC_SPAN);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: BigInt64Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
