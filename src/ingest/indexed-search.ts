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
  plainTitled,
  RANKED,
  type RankedHit,
  type Search,
  type SearchRequest,
  type SearchRun,
  snippetOf,
  withTitle,
} from '../search/index.ts';
import type { FoundMessage, IndexStore, StoredSession, TitleEntry, TreeEntry } from '../stores/index.ts';
import { treeKey } from './index-projects.ts';
import { StoredText } from './stored-text.ts';

/** So many hits are compared with their text where that could change their number; more would take longer than somebody waits. */
const VERIFIED = 300;

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
      const titled = await run.titled(projects);
      const best = [...hits, ...titled].sort((a, b) => b.score - a.score).slice(0, limit);
      return {
        hits: best,
        total: ranked.total - dropped + titled.length,
        isCapped: ranked.isCapped,
        facets: facets ? facetsOf([...(await run.facetHits(ranked.hits)), ...titled.map(facetHit)]) : null,
        problems: [],
      };
    } finally {
      run.close();
    }
  }
}

const facetHit = ({ project, type, tool, model, time, uuid }: Hit): FacetHit => ({
  ...{ type, tool, model, time, uuid },
  project: project.path,
});

/** One search: what was looked up for it. */
class SearchedStore {
  readonly #store: IndexStore;
  readonly #texts: StoredText;
  readonly #matcher: Matcher;
  readonly #isLiteral: boolean;
  readonly #width: number | undefined;
  readonly #filters: Clause | null;
  readonly #trees: Promise<ReadonlyMap<string, TreeEntry>>;
  readonly #sessions = new Map<string, StoredSession | null>();

  constructor(store: IndexStore, texts: StoredText, { clause, snippet }: SearchRequest) {
    this.#width = snippet;
    this.#store = store;
    this.#texts = texts;
    // What filters say was answered exactly.
    const words = clause ? withoutFilters(clause) : null;
    this.#matcher = matcherOf({ clause: words });
    this.#isLiteral = words !== null && isLiteral(words);
    this.#filters = clause ? filtersIn(clause) : null;
    this.#trees = store.trees().then((trees) => new Map(trees.map((tree) => [tree.key, tree])));
  }

  /** The best that hold; all are looked at where there are few, so that their number is right. */
  async verify(ranked: readonly RankedHit[], limit: number): Promise<{ hits: Hit[]; dropped: number }> {
    const hits: Hit[] = [];
    let dropped = 0;
    for (const { id, score } of ranked.slice(0, this.#isLiteral ? Math.max(VERIFIED, limit) : limit)) {
      const [message] = await this.#store.found([id]);
      if (!message) continue;
      const text = this.#texts.textOf(message);
      if (this.#isLiteral && !this.#matches(text)) dropped++;
      else if (hits.length < limit) hits.push(await this.#hit(message, text, score));
      else if (ranked.length > VERIFIED) break;
    }
    return { hits, dropped };
  }

  /** First messages that are found only together with the title of their session. */
  async titled(projects: readonly string[] | undefined): Promise<Hit[]> {
    const trees = await this.#trees;
    const found: Hit[] = [];
    for (const entry of await this.#store.titles()) {
      const tree = trees.get(entry.tree);
      if (!tree || (projects && !projects.includes(tree.project.path)) || !this.#speaksOf(entry)) continue;
      const message = await this.#store.firstMessage({ tree: entry.tree, id: entry.session });
      if (!message) continue;
      const text = this.#texts.textOf(message);
      const whole = withTitle(text, entry.title);
      if (!this.#matches(text) && this.#matches(whole) && (await this.#passes(message)))
        found.push(await this.#hit(message, plainTitled(whole), TITLE_SCORE));
    }
    return found;
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

  #matches(text: string): boolean {
    return this.#matcher.matches({ ...NO_ATTRIBUTES, text });
  }

  #speaksOf({ title }: TitleEntry): boolean {
    return this.#matcher.counts(title).some((count) => count > 0);
  }

  /** Whether the filters let it through. */
  async #passes({ id }: FoundMessage): Promise<boolean> {
    if (!this.#filters) return true;
    const { hits } = await this.#store.search({ clause: this.#filters, newest: Number.POSITIVE_INFINITY });
    return hits.some((hit) => hit.id === id);
  }

  async #hit(message: FoundMessage, text: string, score: number): Promise<Hit> {
    const tree = (await this.#trees).get(message.tree) as TreeEntry;
    const session = await this.#sessionOf(message);
    const { uuid, record, agent, type, kind, toolName, model, isError, time } = message;
    return {
      project: { id: tree.project.id, path: tree.project.path },
      session: message.session,
      sessionTitle: session?.title ?? null,
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

  async #sessionOf({ tree, session }: FoundMessage): Promise<StoredSession | null> {
    const key = `${tree}\n${session}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const found = (await this.#store.sessions({ id: session })).find((each) => each.tree === tree) ?? null;
    this.#sessions.set(key, found);
    return found;
  }
}

/** A title says in few words what a session is about. */
const TITLE_SCORE = 5;

const NO_ATTRIBUTES = {
  project: [],
  session: [],
  agent: '',
  type: '',
  tool: null,
  model: null,
  branch: null,
  files: [],
  isError: false,
  isSidechain: false,
  isSubagent: false,
  hasImage: false,
  time: null,
};

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

/** What must hold beside words. Filters that are one of several ways to be found are not asked for. */
function filtersIn(clause: Clause): Clause | null {
  if (clause.as === 'filter' || (clause.as === 'not' && clause.of.as === 'filter')) return clause;
  if (clause.as !== 'and') return null;
  const of = clause.of.map(filtersIn).filter((part) => part !== null);
  return of.length > 0 ? { as: 'and', of } : null;
}
