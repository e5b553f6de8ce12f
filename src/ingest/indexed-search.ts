import {
  byTime,
  type Check,
  COUNTED,
  checkOf,
  FACETED,
  type Found,
  type FoundHit,
  type FoundHits,
  facetsOf,
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

/** What a search finds. */
interface Answer extends Pick<Found, 'total' | 'isCapped' | 'isEstimated'> {
  /** The best first. */
  readonly ranked: readonly RankedHit[];
  /** The newest first. */
  readonly faceted: readonly Pick<FoundHit, 'id'>[];
}

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
    signal?.throwIfAborted();
    const shown = { clause, ...(snippet !== undefined && { snippet }) };
    const ids = faceted.slice(0, FACETED).map(({ id }) => id);
    return {
      hits: await this.#reader.hits(shown, ranked.slice(0, limit), signal),
      ...counted,
      facets: facets ? facetsOf(await this.#reader.facetHits(ids, signal)) : null,
      problems: [],
    };
  }
}

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
    const found = await this.#find(this.#query.newest ?? RANKED);
    if (!this.#check.isNeeded) return { ...countOf(found.total), ranked: rankHits(found.hits), faceted: found.hits };
    const isFew = found.total <= VERIFIED;
    return (exact || isFew ? null : await this.#verifyBest(found, limit)) ?? this.#verifyAll(found);
  }

  /** The best that hold; null: there are too few of them among the newest. */
  async #verifyBest({ hits, total }: FoundHits, limit: number): Promise<Answer | null> {
    const ranked: RankedHit[] = [];
    let dropped = 0;
    const best = rankHits(hits);
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
  async #verifyAll(first: FoundHits): Promise<Answer> {
    const seen = new Set<bigint>();
    const held: FoundHit[] = [];
    const step = AT_ONCE * this.#reader.threads;
    for (let asked = this.#query.newest ?? RANKED, { hits } = first; ; { hits } = await this.#find(asked)) {
      // Somebody may have written meanwhile.
      const unseen = hits.filter(({ id }) => !seen.has(id));
      for (let from = 0; from < unseen.length && held.length <= COUNTED; from += step) {
        const some = unseen.slice(from, from + step);
        const counts = await this.#verify(some);
        for (const [i, hit] of some.entries()) {
          const own = counts[i];
          seen.add(hit.id);
          if (own) held.push({ ...hit, scored: { ...hit.scored, counts: own } });
        }
      }
      if (hits.length < asked || held.length > COUNTED) break;
      asked *= 8;
    }
    held.sort(byTime);
    return { ...countOf(held.length), ranked: rankHits(held), faceted: held };
  }

  async #find(newest: number): Promise<FoundHits> {
    const found = await this.#reader.find({ ...this.#query, newest }, this.#signal);
    this.#signal?.throwIfAborted();
    return found;
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
