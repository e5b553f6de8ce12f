import {
  byTime,
  type Check,
  COUNTED,
  checkOf,
  FACETED,
  type FacetHit,
  type Found,
  type FoundHit,
  type FoundHits,
  facetsOf,
  newestFirst,
  RANKED,
  type RankedHit,
  rankHits,
  type Search,
  type SearchRequest,
  type SearchRun,
} from '../search/index.ts';
import { type TextQuery, TITLED } from '../stores/index.ts';
import type { SearchReader } from './search-reader.ts';

/** Up to so many hits are all compared with their text, so that their number is right; of more, as many as it takes to find the best. */
const VERIFIED = 300;

/** By one thread. */
const AT_ONCE = 50;

/** So many more than are wanted are asked for: mostly the last of them is older then than the last that is wanted. */
const SPARE = 50;

/** What a search finds. */
interface Answer extends Pick<Found, 'total' | 'isCapped' | 'isEstimated'> {
  /** The best first. */
  readonly ranked: readonly RankedHit[];
  /** The newest first, at least as many as are told in facets. */
  readonly faceted: readonly FoundHit[];
}

/** What was found, and whether there is no more. */
type Looked = FoundHits & { readonly isAll: boolean };

/** Answers from the full text of the index. Only what is shown is read, and what has to be compared with its text. */
export class IndexedSearch implements Search {
  readonly #reader: SearchReader;
  readonly #projects: readonly string[] | undefined;

  /** `projects`: paths of those that are searched, where the index has others too. */
  constructor(reader: SearchReader, projects?: readonly string[]) {
    this.#reader = reader;
    this.#projects = projects;
  }

  async search(request: SearchRequest, { signal }: SearchRun = {}): Promise<Found> {
    const { clause, limit, projects = this.#projects, snippet, facets = false, exact = false } = request;
    const check = checkOf(clause);
    const newest = facets ? FACETED : RANKED;
    const query: TextQuery = { clause, newest, tells: [TITLED, ...check.filters], ...(projects && { projects }) };
    const looked = new Look(this.#reader, query, check, signal);
    const { ranked, faceted, ...counted } = await looked.answer(limit, exact);
    const best = await looked.first(limit, ranked, isAsGood);
    const shown = { clause, ...(snippet !== undefined && { snippet }) };
    const hits = await this.#reader.hits(shown, best, signal);
    return {
      hits: hits.sort((a, b) => b.score - a.score || newestFirst(a, b)),
      ...counted,
      facets: facets ? facetsOf(await looked.told(await looked.first(FACETED, faceted, isAsOld))) : null,
      problems: this.#reader.problems,
    };
  }
}

type Aged = Pick<FoundHit, 'id' | 'time'>;

/** Within one second only the messages tell which is newer. */
const isAsOld = (a: Aged, b: Aged): boolean => a.time === b.time;
const isAsGood = (a: RankedHit, b: RankedHit): boolean => a.score === b.score && isAsOld(a, b);

/** One look into the index. */
class Look {
  readonly #reader: SearchReader;
  readonly #query: TextQuery;
  readonly #check: Check;
  readonly #signal: AbortSignal | undefined;

  constructor(reader: SearchReader, query: TextQuery, check: Check, signal: AbortSignal | undefined) {
    this.#reader = reader;
    this.#query = query;
    this.#check = check;
    this.#signal = signal;
  }

  async answer(limit: number, exact: boolean): Promise<Answer> {
    const found = await this.#findNewest(this.#query.newest ?? RANKED);
    const { hits, total } = found;
    if (!this.#check.isNeeded) return { ...countOf(total), ranked: await this.#rank(hits), faceted: hits };
    const isFew = total <= VERIFIED;
    return (exact || isFew ? null : await this.#verifyBest(found, limit)) ?? this.#verifyAll(found);
  }

  /** So many of hits that are in order, but for those that are tied. */
  async first<T extends Aged>(count: number, hits: readonly T[], isTied: (a: T, b: T) => boolean): Promise<T[]> {
    const [last, next] = [hits[count - 1], hits[count]];
    if (!last || !next || !isTied(last, next)) return hits.slice(0, count);
    const from = hits.findIndex((hit) => isTied(hit, last));
    const tied = hits.slice(from).filter((hit) => isTied(hit, last));
    const told = await this.told(tied);
    // One that is gone meanwhile is not told: then any may be the first.
    if (told.length !== tied.length) return hits.slice(0, count);
    const inOrder = tied.map((hit, i) => ({ hit, told: told[i] as FacetHit }));
    inOrder.sort((a, b) => newestFirst(a.told, b.told));
    return [...hits.slice(0, from), ...inOrder.map(({ hit }) => hit)].slice(0, count);
  }

  async told(hits: readonly Aged[]): Promise<FacetHit[]> {
    const told = await this.#reader.facetHits(
      hits.map(({ id }) => id),
      this.#signal,
    );
    this.#signal?.throwIfAborted();
    return told;
  }

  async #rank(hits: readonly FoundHit[]): Promise<RankedHit[]> {
    return rankHits(await this.first(RANKED, hits, isAsOld));
  }

  /** The best that hold; null: there are too few of them among the newest. */
  async #verifyBest({ hits, total }: FoundHits, limit: number): Promise<Answer | null> {
    const ranked: RankedHit[] = [];
    let dropped = 0;
    const best = await this.#rank(hits);
    const step = AT_ONCE * this.#reader.threads;
    for (let from = 0; from < best.length && ranked.length < limit; from += step) {
      const some = best.slice(from, from + step);
      const counts = await this.#verify(some);
      for (const [i, hit] of some.entries()) {
        if (!counts[i]) dropped++;
        else ranked.push(hit);
      }
    }
    if (ranked.length < limit) return null;
    const share = ranked.length / (ranked.length + dropped);
    return { ...countOf(Math.round(total * share)), isEstimated: true, ranked, faceted: hits };
  }

  /** All that hold, as far as they are counted: the newest first, and older ones as long as there are any. */
  async #verifyAll(first: Looked): Promise<Answer> {
    const seen = new Set<bigint>();
    const held: FoundHit[] = [];
    const step = AT_ONCE * this.#reader.threads;
    for (let found = first; ; found = await this.#find(8 * found.hits.length)) {
      // Somebody may have written meanwhile.
      const unseen = found.hits.filter(({ id }) => !seen.has(id));
      for (let from = 0; from < unseen.length && held.length <= COUNTED; from += step) {
        const some = unseen.slice(from, from + step);
        const counts = await this.#verify(some);
        for (const [i, hit] of some.entries()) {
          const own = counts[i];
          seen.add(hit.id);
          if (own) held.push({ ...hit, scored: { ...hit.scored, counts: own } });
        }
      }
      if (found.isAll || held.length > COUNTED) break;
    }
    held.sort(byTime);
    return { ...countOf(held.length), ranked: await this.#rank(held), faceted: held };
  }

  /** At least so many, and all that are as old as the last of them; but nobody waits for more than are counted. */
  async #findNewest(newest: number): Promise<Looked> {
    for (let asked = newest + SPARE; ; asked = Math.min(COUNTED, 8 * asked)) {
      const found = await this.#find(asked);
      const [last, oldest] = [found.hits[newest - 1], found.hits.at(-1)];
      if (found.isAll || asked === COUNTED || !last || !oldest || !isAsOld(last, oldest)) return found;
    }
  }

  async #find(newest: number): Promise<Looked> {
    const found = await this.#reader.find({ ...this.#query, newest }, this.#signal);
    this.#signal?.throwIfAborted();
    return { ...found, isAll: found.hits.length < newest };
  }

  async #verify(hits: readonly (FoundHit | RankedHit)[]): Promise<(readonly number[] | null)[]> {
    const asked = hits.map(({ id, told }) => ({ id, told }));
    const { clause } = this.#query;
    const counts = clause ? await this.#reader.verify(clause, asked, this.#signal) : asked.map(() => []);
    this.#signal?.throwIfAborted();
    return counts;
  }
}

const countOf = (total: number): Pick<Found, 'total' | 'isCapped' | 'isEstimated'> => ({
  total: Math.min(total, COUNTED),
  isCapped: total > COUNTED,
  isEstimated: false,
});
