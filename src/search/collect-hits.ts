import type { Finding } from '../model/index.ts';
import { fieldOf, type Scored, scoreOf } from './score.ts';
import { COUNTED, FACETED, type Facet, type Facets, type Found, type Hit, RANKED } from './search.ts';

/** A hit before it is ranked. */
export interface RawHit extends Omit<Hit, 'score'>, Scored {}

/** What facets need of a hit. */
export type FacetHit = Pick<Hit, 'type' | 'tool' | 'model' | 'time' | 'uuid'> & { readonly project: string };

/** Gathers hits from everywhere: holds no more than are ranked, and counts the others. */
export class HitCollector {
  readonly #hasFacets: boolean;
  #newest: RawHit[] = [];
  #faceted: FacetHit[] = [];
  #total = 0;

  constructor(hasFacets: boolean) {
    this.#hasFacets = hasFacets;
  }

  /** `more`: what is counted beside the hits, and told in facets only. */
  add(hits: readonly RawHit[], more: readonly FacetHit[] = [], uncounted = 0): void {
    this.#total += hits.length + more.length + uncounted;
    this.#newest = newest([...this.#newest, ...hits], RANKED);
    if (!this.#hasFacets) return;
    const faceted = hits.map(({ type, tool, model, time, uuid, project }) => ({
      ...{ type, tool, model, time, uuid },
      project: project.path,
    }));
    this.#faceted = newest([...this.#faceted, ...faceted, ...more], FACETED);
  }

  /** Nothing older can change what is found: all that are ranked are newer, and no more are counted. */
  isSettled(newestLeft: number): boolean {
    const last = this.#newest[RANKED - 1];
    if (this.#total <= COUNTED || !last || newestLeft >= (last.time ?? 0)) return false;
    return !this.#hasFacets || newestLeft < (this.#faceted[FACETED - 1]?.time ?? 0);
  }

  found(limit: number, problems: readonly Finding[] = []): Found {
    const field = fieldOf(this.#newest);
    const ranked = this.#newest
      .map((hit) => ({ hit, score: scoreOf(hit, field) }))
      .sort((a, b) => b.score - a.score || newestFirst(a.hit, b.hit))
      .slice(0, limit);
    return {
      hits: ranked.map(({ hit: { counts: _, length: __, ...hit }, score }) => ({ ...hit, score })),
      total: Math.min(this.#total, COUNTED),
      isCapped: this.#total > COUNTED,
      isEstimated: false,
      facets: this.#hasFacets ? facetsOf(this.#faceted) : null,
      problems,
    };
  }
}

type Timed = Pick<Hit, 'time' | 'uuid'> & { readonly project: string | { readonly path: string } };

/** Where two are as old their ids decide, and where these are the same their projects: the order is the same whoever answers. */
export const newestFirst = (a: Timed, b: Timed): number =>
  (b.time ?? 0) - (a.time ?? 0) || compare(a.uuid, b.uuid) || compare(pathOf(a), pathOf(b));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const pathOf = ({ project }: Timed): string => (typeof project === 'string' ? project : project.path);

export const newest = <T extends Timed>(hits: T[], count: number): T[] => hits.sort(newestFirst).slice(0, count);

export function facetsOf(hits: readonly FacetHit[]): Facets {
  const count = (read: (hit: FacetHit) => string | null): Facet[] => {
    const counts = new Map<string, number>();
    for (const hit of hits) {
      const value = read(hit);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  };
  return {
    project: count(({ project }) => project),
    type: count(({ type }) => type),
    tool: count(({ tool }) => tool),
    model: count(({ model }) => model),
  };
}
