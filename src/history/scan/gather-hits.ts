import type { SessionId } from '../../model/index.ts';
import {
  COUNTED,
  FACETED,
  type FacetHit,
  type Matcher,
  newest,
  RANKED,
  type RawHit,
  snippetOf,
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

interface Match extends FoundMessage {
  readonly time: number | null;
}

/** Holds the text of no more hits than are ranked. */
export class HitGatherer {
  readonly #matcher: Matcher;
  readonly #width: number | undefined;
  #matches: Match[] = [];
  #more: FacetHit[] = [];
  #uncounted = 0;
  readonly #titles = new Map<SessionId, string | null>();

  constructor(matcher: Matcher, width?: number) {
    this.#matcher = matcher;
    this.#width = width;
  }

  look(message: FoundMessage): void {
    if (!this.#matcher.matches(message.searched)) return;
    this.#matches.push({ ...message, time: message.searched.time });
    if (this.#matches.length >= 2 * RANKED) this.#prune();
  }

  #prune(): void {
    const kept = newest(this.#matches, this.#matches.length);
    this.#more = [...this.#more, ...kept.slice(RANKED).map(facetHit)];
    this.#matches = kept.slice(0, RANKED);
    const all = this.#more.length;
    this.#more = newest(this.#more, FACETED);
    this.#uncounted = Math.min(COUNTED + 1, this.#uncounted + all - this.#more.length);
  }

  end(): GatheredHits {
    this.#prune();
    return { hits: this.#matches.map((match) => this.#hit(match)), more: this.#more, uncounted: this.#uncounted };
  }

  #hit({ session, uuid, record, kind, searched }: Match): RawHit {
    const text = searched.text.replace('\n\u0000\n', '\n');
    const { project } = session;
    return {
      project: { id: project.id, path: project.path },
      session: session.id,
      sessionTitle: this.#titleOf(session),
      agent: session.agent,
      uuid,
      record: record.id,
      subagent: record.subagent,
      type: searched.type,
      kind,
      tool: searched.tool,
      model: searched.model,
      isError: searched.isError,
      time: searched.time,
      snippet: snippetOf(text, this.#matcher.spans(text), this.#width),
      counts: this.#matcher.counts(searched.text),
      length: searched.text.length,
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

const facetHit = ({ searched, uuid, session }: Match): FacetHit => ({
  project: session.project.path,
  type: searched.type,
  tool: searched.tool,
  model: searched.model,
  time: searched.time,
  uuid,
});
