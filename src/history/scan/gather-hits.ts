import type { SessionId } from '../../model/index.ts';
import { addAll } from '../../model/index.ts';
import {
  COUNTED,
  FACETED,
  type FacetHit,
  type Matcher,
  newest,
  plainTitled,
  RANKED,
  type RawHit,
  snippetOf,
  TextMeasure,
  withoutTitle,
} from '../../search/index.ts';
import type { Session } from '../session.ts';
import type { FoundMessage } from './searched-messages.ts';

/** What was found in some logs. */
export interface GatheredHits {
  /** The newest, no more than are ranked. */
  readonly hits: readonly RawHit[];
  /** Older ones, no more than are told in facets. */
  readonly more: readonly FacetHit[];
  /** How many there are beside. */
  readonly uncounted: number;
}

/** Holds no text of a message, and no more hits than are ranked. */
export class HitGatherer {
  readonly #matcher: Matcher;
  readonly #width: number | undefined;
  #hits: RawHit[] = [];
  #more: FacetHit[] = [];
  #uncounted = 0;
  /** What is older is not ranked. */
  #oldest = Number.NEGATIVE_INFINITY;
  readonly #titles = new Map<SessionId, string | null>();
  readonly #measure = new TextMeasure();

  constructor(matcher: Matcher, width?: number) {
    this.#matcher = matcher;
    this.#width = width;
  }

  look(message: FoundMessage): void {
    const { searched } = message;
    if (!this.#matcher.matches(searched)) return;
    if ((searched.time ?? 0) < this.#oldest) this.#more.push(facetHit(message));
    else this.#hits.push(this.#hit(message));
    if (this.#hits.length >= 2 * RANKED || this.#more.length >= 2 * FACETED) this.#prune();
  }

  end(): GatheredHits {
    this.#prune();
    return { hits: this.#hits, more: this.#more, uncounted: this.#uncounted };
  }

  #prune(): void {
    const hits = newest(this.#hits, this.#hits.length);
    addAll(
      this.#more,
      hits.slice(RANKED).map((hit) => ({ ...facetsOf(hit), project: hit.project.path })),
    );
    this.#hits = hits.slice(0, RANKED);
    if (this.#hits.length === RANKED) this.#oldest = this.#hits[RANKED - 1]?.time ?? 0;
    const all = this.#more.length;
    this.#more = newest(this.#more, FACETED);
    this.#uncounted = Math.min(COUNTED + 1, this.#uncounted + all - this.#more.length);
  }

  #hit({ session, uuid, record, kind, searched }: FoundMessage): RawHit {
    const { project } = session;
    const { type, tool, model, time, isError } = searched;
    const own = withoutTitle(searched.text);
    // The title is shown where it was needed.
    const text = this.#matcher.matches({ ...searched, text: own }) ? own : plainTitled(searched.text);
    return {
      project: { id: project.id, path: project.path },
      session: session.id,
      sessionTitle: this.#titleOf(session),
      agent: session.agent,
      record: record.id,
      subagent: record.subagent,
      ...{ uuid, type, kind, tool, model, isError, time },
      snippet: snippetOf(text, this.#matcher.spans(text), this.#width),
      counts: this.#matcher.counts(searched.text),
      length: this.#measure.lengthOf(searched.text),
    };
  }

  #titleOf(session: Session): string | null {
    const known = this.#titles.get(session.id);
    if (known !== undefined) return known;
    const { title } = session;
    this.#titles.set(session.id, title);
    return title;
  }
}

const facetsOf = ({ type, tool, model, time, uuid }: Omit<FacetHit, 'project'>): Omit<FacetHit, 'project'> => ({
  ...{ type, tool, model, time, uuid },
});

const facetHit = ({ searched, uuid, session }: FoundMessage): FacetHit => ({
  ...facetsOf({ ...searched, uuid }),
  project: session.project.path,
});
