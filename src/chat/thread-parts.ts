import type { ContentOf, Key, LogRecord } from '../model/index.ts';
import type { ThreadPath, Tree } from '../tree/index.ts';
import { Part } from './read-part.ts';

/** The records of a thread as parts. Each is read once, and again when its record has changed. */
export class ThreadParts {
  readonly list: Part[] = [];
  readonly #ids: Key[] = [];
  readonly #places = new Map<Key, number>();
  #stamp: object | null = null;
  /** How many parts tell of a response, and how many responses are told of more than once. */
  readonly #responses = new Map<string, number>();
  #repeated = 0;

  /** Some responses stand in the thread twice, so that the usage of its groups does not add up. */
  get hasRepeats(): boolean {
    return this.#repeated > 0;
  }

  placeOf(id: Key): number | undefined {
    return this.#places.get(id);
  }

  /**
   * Takes over what is new on the path and what changed. Gives the first place from which parts must be chunked again; `renewed` hears of
   * parts that only say something else.
   */
  follow(
    path: ThreadPath,
    changed: Iterable<Key>,
    tree: Tree,
    content: ContentOf,
    renewed: (place: number) => void,
  ): number {
    const read = (id: Key): Part => new Part(tree.record(id) as LogRecord, content);
    let from = this.#followPath(path);
    for (const key of changed) {
      const place = this.#places.get(key);
      if (place === undefined || place >= this.list.length) continue;
      const part = read(key);
      if (!isSameSort(part, this.list[place] as Part)) from = Math.min(from, place);
      else renewed(place);
      this.#count(this.list[place] as Part, -1);
      this.#count(part, 1);
      this.list[place] = part;
    }
    for (let i = this.list.length; i < this.#ids.length; i++) {
      const part = read(this.#ids[i] as Key);
      this.#count(part, 1);
      this.list.push(part);
    }
    return from;
  }

  #count({ record: { usage } }: Part, step: 1 | -1): void {
    if (!usage) return;
    const before = this.#responses.get(usage.key) ?? 0;
    if (before === (step > 0 ? 1 : 2)) this.#repeated += step;
    if (before + step > 0) this.#responses.set(usage.key, before + step);
    else this.#responses.delete(usage.key);
  }

  /** Gives the number of records that stayed where they were. */
  #followPath(path: ThreadPath): number {
    const isSame = path.stamp === this.#stamp;
    const start = isSame ? this.#ids.length : 0;
    const ids = path.from(start);
    let kept = start;
    if (!isSame) while (kept < ids.length && ids[kept] === this.#ids[kept]) kept++;
    for (let i = kept; i < this.#ids.length; i++) this.#places.delete(this.#ids[i] as Key);
    this.#ids.length = kept;
    for (const part of this.list.splice(kept)) this.#count(part, -1);
    for (let i = kept - start; i < ids.length; i++) {
      this.#places.set(ids[i] as Key, this.#ids.length);
      this.#ids.push(ids[i] as Key);
    }
    this.#stamp = path.stamp;
    return kept;
  }
}

/** Whether both stand for the same number and sort of items. */
const isSameSort = (a: Part, b: Part): boolean => a.category === b.category && (a.output === '') === (b.output === '');
