import {
  type Clause,
  FACETED,
  type Found,
  facetsOf,
  isLiteral,
  RANKED,
  type RankedHit,
  type Search,
  type SearchRequest,
  type SearchRun,
} from '../search/index.ts';
import { withoutFilters } from './message-texts.ts';
import type { SearchReader } from './search-reader.ts';

/** Up to so many hits are all compared with their text, so that their number is right; of more, as many as it takes to find the best. */
const VERIFIED = 300;

/** By one thread. */
const AT_ONCE = 50;

/** Answers from the full text of the index. Only what is shown is read, and what has to be compared with its text. */
export class IndexedSearch implements Search {
  readonly #reader: SearchReader;
  readonly #projects: readonly string[] | undefined;

  /** `projects`: paths of those that are searched, where the index has others too. */
  constructor(reader: SearchReader, projects?: readonly string[]) {
    this.#reader = reader;
    this.#projects = projects;
  }

  async search(
    { clause, limit, projects = this.#projects, snippet, facets = false }: SearchRequest,
    run: SearchRun = {},
  ): Promise<Found> {
    const { signal } = run;
    const newest = facets ? FACETED : RANKED;
    const ranked = await this.#reader.rank({ clause, newest, ...(projects && { projects }) }, signal);
    signal?.throwIfAborted();
    const best = ranked.hits.slice(0, RANKED);
    // What filters say was answered exactly.
    const words = clause && withoutFilters(clause);
    const { held, dropped } =
      words && isLiteral(words)
        ? await this.#verify(words, best, limit, signal)
        : { held: best.slice(0, limit), dropped: 0 };
    const hits = await this.#reader.hits({ clause, ...(snippet !== undefined && { snippet }) }, held, signal);
    const ids = ranked.hits.map(({ id }) => id);
    return {
      hits,
      total: ranked.total - dropped,
      isCapped: ranked.isCapped,
      facets: facets ? facetsOf(await this.#reader.facetHits(ids, signal)) : null,
      problems: [],
    };
  }

  /** The best that hold; all are looked at where there are few, so that their number is right. */
  async #verify(
    words: Clause,
    ranked: readonly RankedHit[],
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<{ held: RankedHit[]; dropped: number }> {
    const held: RankedHit[] = [];
    let dropped = 0;
    const step = ranked.length > VERIFIED ? AT_ONCE * this.#reader.threads : VERIFIED;
    for (let from = 0; from < ranked.length; from += step) {
      const some = ranked.slice(from, from + step);
      const ids = some.map(({ id }) => id);
      const holds = await this.#reader.verify(words, ids, signal);
      signal?.throwIfAborted();
      for (const [i, hit] of some.entries()) {
        if (holds[i] === 0) dropped++;
        else if (held.length < limit) held.push(hit);
        else if (ranked.length > VERIFIED) return { held, dropped };
      }
    }
    return { held, dropped };
  }
}
