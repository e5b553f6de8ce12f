import type { History, Logs } from '../history/index.ts';
import {
  type Clause,
  FACETED,
  type FacetHit,
  type Found,
  facetsOf,
  type Hit,
  isLiteral,
  type Matcher,
  matcherOf,
  NO_ATTRIBUTES,
  plainTitled,
  RANKED,
  type RankedHit,
  type Search,
  type SearchRequest,
  type SearchRun,
  snippetOf,
  withTitle,
} from '../search/index.ts';
import type { FoundMessage, IndexStore, TreeEntry } from '../stores/index.ts';
import { treeKey } from './index-projects.ts';
import { StoredText } from './stored-text.ts';

/** Up to so many hits are all compared with their text, so that their number is right; of more, as many as it takes to find the best. */
const VERIFIED = 300;

const AT_ONCE = 50;

/** Answers from the full text of the index. Only what is shown is read, and what has to be compared with its text. */
export class IndexedSearch implements Search {
  readonly #store: IndexStore;
  readonly #logs: ReadonlyMap<string, Logs>;

  constructor(history: Pick<History, 'projects'>, store: IndexStore) {
    this.#store = store;
    this.#logs = new Map(
      history.projects.flatMap(({ path, logs }) => logs.map((each) => [treeKey(each.format.name, path), each])),
    );
  }

  async search(request: SearchRequest, { signal }: SearchRun = {}): Promise<Found> {
    const { clause, limit, projects, facets = false } = request;
    const ranked = await this.#store.search({
      clause,
      ...(projects ? { projects } : {}),
      newest: facets ? FACETED : RANKED,
    });
    if (signal?.aborted) throw signal.reason;
    const run = new SearchedStore(this.#store, new StoredText(this.#logs), request);
    try {
      const { hits, dropped } = await run.verify(ranked.hits.slice(0, RANKED), limit);
      return {
        hits,
        total: ranked.total - dropped,
        isCapped: ranked.isCapped,
        facets: facets ? facetsOf(await run.facetHits(ranked.hits)) : null,
        problems: [],
      };
    } finally {
      run.close();
    }
  }
}

/** One search: what was looked up for it. */
class SearchedStore {
  readonly #store: IndexStore;
  readonly #texts: StoredText;
  readonly #matcher: Matcher;
  readonly #isLiteral: boolean;
  readonly #width: number | undefined;
  readonly #trees: Promise<ReadonlyMap<string, TreeEntry>>;
  readonly #titles = new Map<string, Promise<string | null>>();

  constructor(store: IndexStore, texts: StoredText, { clause, snippet }: SearchRequest) {
    this.#width = snippet;
    this.#store = store;
    this.#texts = texts;
    // What filters say was answered exactly.
    const words = clause ? withoutFilters(clause) : null;
    this.#matcher = matcherOf({ clause: words });
    this.#isLiteral = words !== null && isLiteral(words);
    this.#trees = store.trees().then((trees) => new Map(trees.map((tree) => [tree.key, tree])));
  }

  /** The best that hold; all are looked at where there are few, so that their number is right. */
  async verify(ranked: readonly RankedHit[], limit: number): Promise<{ hits: Hit[]; dropped: number }> {
    const hits: Hit[] = [];
    let dropped = 0;
    const looked = this.#isLiteral ? ranked : ranked.slice(0, limit);
    for (let from = 0; from < looked.length; from += AT_ONCE) {
      const scores = new Map(looked.slice(from, from + AT_ONCE).map(({ id, score }) => [id, score]));
      for (const message of await this.#store.found([...scores.keys()])) {
        const text = await this.#textOf(message);
        if (this.#isLiteral && text === null) dropped++;
        else if (hits.length < limit) hits.push(await this.#hit(message, text ?? '', scores.get(message.id) ?? 0));
        else if (ranked.length > VERIFIED) return { hits, dropped };
      }
    }
    return { hits, dropped };
  }

  async facetHits(ranked: readonly RankedHit[]): Promise<FacetHit[]> {
    const trees = await this.#trees;
    return (await this.#store.found(ranked.map(({ id }) => id))).map(({ tree, type, toolName, model, time, uuid }) => ({
      project: trees.get(tree)?.project.path ?? '',
      type,
      tool: toolName,
      model,
      time,
      uuid,
    }));
  }

  close(): void {
    this.#texts.close();
  }

  /** With the title of its session where only that makes it a hit; null: it is none. */
  async #textOf(message: FoundMessage): Promise<string | null> {
    const text = this.#texts.textOf(message);
    if (this.#matches(text)) return text;
    const titled = withTitle(text, await this.#titleOf(message));
    return this.#matches(titled) ? plainTitled(titled) : null;
  }

  #matches(text: string): boolean {
    return this.#matcher.matches({ ...NO_ATTRIBUTES, text });
  }

  async #hit(message: FoundMessage, text: string, score: number): Promise<Hit> {
    const tree = (await this.#trees).get(message.tree) as TreeEntry;
    const { uuid, record, agent, type, kind, toolName, model, isError, time } = message;
    return {
      project: { id: tree.project.id, path: tree.project.path },
      session: message.session,
      sessionTitle: await this.#titleOf(message),
      agent: tree.agent,
      uuid,
      record,
      subagent: agent,
      type,
      kind,
      tool: toolName,
      model,
      isError: isError ?? false,
      time,
      score,
      snippet: snippetOf(text, this.#matcher.spans(text), this.#width),
    };
  }

  #titleOf({ tree, session }: FoundMessage): Promise<string | null> {
    const key = `${tree}\n${session}`;
    const known = this.#titles.get(key) ?? this.#store.title({ tree, id: session });
    this.#titles.set(key, known);
    return known;
  }
}

/** A clause as far as texts decide it; null: they do not. */
function withoutFilters(clause: Clause): Clause | null {
  if (clause.as === 'filter') return null;
  if (clause.as === 'not') {
    const of = withoutFilters(clause.of);
    return of && { as: 'not', of };
  }
  if (clause.as !== 'and' && clause.as !== 'or') return clause;
  const parts = clause.of.map(withoutFilters);
  // Where a filter is enough, no word is needed.
  if (clause.as === 'or' && parts.includes(null)) return null;
  const of = parts.filter((part) => part !== null);
  return of.length > 0 ? { as: clause.as, of } : null;
}
