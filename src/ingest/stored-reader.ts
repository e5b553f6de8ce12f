import { findingOf, type Logs } from '../history/index.ts';
import { type Finding, SkeinError } from '../model/index.ts';
import {
  type Clause,
  type FacetHit,
  type FoundHits,
  type Hit,
  joinParts,
  type RankedHit,
  snippetOf,
} from '../search/index.ts';
import type { FoundMessage, IndexStore, TextQuery, TreeEntry } from '../stores/index.ts';
import { isFailed } from './attribute-sets.ts';
import { treeKey } from './index-projects.ts';
import { MessageTexts } from './message-texts.ts';
import type { Asked, SearchReader, Shown } from './search-reader.ts';

/** Projects, as far as their texts are read. */
export interface ReadProject {
  readonly path: string;
  readonly logs: readonly Logs[];
}

/** Looks into an index in this thread. */
export class StoredReader implements SearchReader {
  readonly threads = 1;
  readonly #store: IndexStore;
  readonly #logs: ReadonlyMap<string, Logs>;
  readonly #isOver: () => boolean;
  readonly #problems = new Map<string, Finding>();
  #known: Known | null = null;

  /** `isOver`: whether nobody waits for what is being looked up any more. */
  constructor(projects: readonly ReadProject[], store: IndexStore, isOver = () => false) {
    this.#store = store;
    this.#isOver = isOver;
    this.#logs = new Map(
      projects.flatMap(({ path, logs }) => logs.map((each) => [treeKey(each.format.name, path), each])),
    );
  }

  get problems(): readonly Finding[] {
    return [...this.#problems.values()];
  }

  async find(query: TextQuery): Promise<FoundHits> {
    return joinParts([await this.#store.search(query)], query.newest);
  }

  async verify(clause: Clause, hits: readonly Asked[]): Promise<(readonly number[] | null)[]> {
    const texts = await this.#texts(clause);
    const told = new Map(hits.map((hit) => [hit.id, hit.told]));
    const counts = new Map<bigint, readonly number[] | null>();
    try {
      for (const place of await this.#store.places([...told.keys()])) {
        if (this.#isOver()) throw new SkeinError('aborted', 'The search was ended');
        counts.set(place.id, await texts.find(place, told.get(place.id) ?? []));
      }
    } finally {
      this.#end(texts);
    }
    return hits.map(({ id }) => counts.get(id) ?? null);
  }

  async hits({ clause, snippet }: Shown, ranked: readonly RankedHit[]): Promise<Hit[]> {
    const texts = await this.#texts(clause);
    const byId = new Map(ranked.map((hit) => [hit.id, hit]));
    const { trees } = await this.#current();
    const hits: Hit[] = [];
    try {
      for (const message of await this.#store.found([...byId.keys()])) {
        const { score = 0, told = [] } = byId.get(message.id) ?? {};
        const text = await texts.textOf(message, told);
        hits.push({
          ...hitOf(message, trees.get(message.tree) as TreeEntry),
          sessionTitle: await texts.titleOf(message),
          score,
          snippet: snippetOf(text, texts.spans(text), snippet),
        });
      }
    } finally {
      this.#end(texts);
    }
    return hits;
  }

  async facetHits(ids: readonly bigint[]): Promise<FacetHit[]> {
    const { trees } = await this.#current();
    return (await this.#store.found(ids)).map(({ tree, type, toolName, model, time, uuid }) => ({
      project: trees.get(tree)?.project.path ?? '',
      type,
      tool: toolName,
      model,
      time,
      uuid,
    }));
  }

  async #texts(clause: Clause | null): Promise<MessageTexts> {
    const { titles } = await this.#current();
    const readTitle = async (tree: string, session: string): Promise<string | null> => {
      const key = `${tree}\n${session}`;
      const known = titles.get(key);
      if (known !== undefined) return known;
      const title = await this.#store.title({ tree, id: session });
      titles.set(key, title);
      return title;
    };
    return new MessageTexts(readTitle, this.#logs, clause);
  }

  #end(texts: MessageTexts): void {
    for (const each of texts.unread) this.#problems.set(each.path, findingOf(each));
    texts.close();
  }

  async #current(): Promise<Known> {
    const revision = await this.#store.revision();
    if (this.#known?.revision !== revision) {
      const trees = await this.#store.trees();
      this.#known = { revision, trees: new Map(trees.map((tree) => [tree.key, tree])), titles: new Map() };
    }
    return this.#known;
  }
}

/** What is asked for again and again, until the index changes. */
interface Known {
  readonly revision: number;
  readonly trees: ReadonlyMap<string, TreeEntry>;
  readonly titles: Map<string, string | null>;
}

function hitOf(
  { session, uuid, record, agent, type, kind, toolName, model, isError, time }: FoundMessage,
  tree: TreeEntry,
): Omit<Hit, 'sessionTitle' | 'score' | 'snippet'> {
  return {
    project: { id: tree.project.id, path: tree.project.path },
    session,
    agent: tree.agent,
    uuid,
    record,
    subagent: agent,
    type,
    kind,
    tool: toolName,
    model,
    isError: isFailed({ type, isError }),
    time,
  };
}
