import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FileId, SessionId } from '../../model/index.ts';
import { NONE } from '../packed-rows.ts';

/** Numbers that stand for texts in rows, of one tree or of all. A new text gets the next one; what was numbered is remembered. */
class Numbers {
  readonly #select: StatementSync;
  readonly #make: StatementSync;
  readonly #known = new Map<number, Map<string, number>>();
  /** Asked for last: most rows have what the row before has. */
  #text = '';
  #tree = -1;
  #num = 0;

  constructor(find: StatementSync, make: StatementSync) {
    this.#select = find;
    this.#make = make;
  }

  of(text: string, tree: number): number {
    if (tree !== this.#tree || text !== this.#text) {
      this.#num = this.#find(text, tree);
      this.#text = text;
      this.#tree = tree;
    }
    return this.#num;
  }

  #find(text: string, tree: number): number {
    let known = this.#known.get(tree);
    if (!known) {
      known = new Map();
      this.#known.set(tree, known);
    }
    let num = known.get(text);
    if (num === undefined) {
      const values = tree === 0 ? [text] : [tree, text];
      const found = this.#select.get(...values) as { num: number } | undefined;
      num = found?.num ?? Number(this.#make.run(...values).lastInsertRowid);
      if (known.size > REMEMBERED) known.clear();
      known.set(text, num);
    }
    return num;
  }

  /** After rows went, or a transaction was taken back. */
  forget(): void {
    this.#known.clear();
    this.#tree = -1;
  }
}

const REMEMBERED = 20_000;

/** All numbers of one database. */
export class IndexNumbers {
  readonly #names: Numbers;
  readonly #files: Numbers;
  readonly #sessions: Numbers;

  constructor(db: DatabaseSync) {
    this.#names = new Numbers(
      db.prepare('select num from names where text = ?'),
      db.prepare('insert into names (text) values (?)'),
    );
    this.#files = new Numbers(
      db.prepare('select num from files where tree = ? and id = ?'),
      db.prepare('insert into files (tree, id) values (?, ?)'),
    );
    this.#sessions = new Numbers(
      db.prepare('select num from sessions where tree = ? and id = ?'),
      db.prepare('insert into sessions (tree, id, revision) values (?, ?, 0)'),
    );
  }

  name(text: string): number {
    return this.#names.of(text, 0);
  }

  file(tree: number, id: FileId): number {
    return this.#files.of(id, tree);
  }

  session(tree: number, id: SessionId): number {
    return this.#sessions.of(id, tree);
  }

  forget(): void {
    for (const numbers of [this.#names, this.#files, this.#sessions]) numbers.forget();
  }
}

/** The numbers that stand for texts of packed rows, each looked up once. */
export class TextNumbers {
  readonly #texts: readonly string[];
  readonly #find: (text: string) => number;
  readonly #found: number[];

  constructor(texts: readonly string[], find: (text: string) => number) {
    this.#texts = texts;
    this.#find = find;
    this.#found = Array(texts.length).fill(NONE);
  }

  /** Null where there is no text. */
  orNull(place: number): number | null {
    return place === NONE ? null : this.of(place);
  }

  of(place: number): number {
    let number = this.#found[place];
    if (number === undefined || number === NONE) {
      number = this.#find(this.#texts[place] as string);
      this.#found[place] = number;
    }
    return number;
  }
}
