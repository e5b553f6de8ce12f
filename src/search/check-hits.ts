import { isLiteral } from './leaf-terms.ts';
import type { Clause, Filter } from './query.ts';

/** What of a clause is left to see when everything that an index finds for it is looked at once more. */
export interface Check {
  /** Without the filters that all of it passes; null: nothing is left. */
  readonly clause: Clause | null;
  /** Those in it, in their order: what it says of a text may depend on them. */
  readonly filters: readonly Filter[];
  /** Whether an index may find too much for it: texts have to be looked at. */
  readonly isNeeded: boolean;
}

export function checkOf(whole: Clause | null): Check {
  const clause = whole && withoutCommonFilters(whole);
  return { clause, filters: clause ? filtersIn(clause) : [], isNeeded: clause !== null && isLiteral(clause) };
}

/** What must hold whatever else does is answered by an index exactly, where it is a filter. */
function withoutCommonFilters(clause: Clause): Clause | null {
  if (clause.as === 'filter') return null;
  if (clause.as !== 'and') return clause;
  const of = clause.of.map(withoutCommonFilters).filter((part) => part !== null);
  return of.length > 1 ? { as: 'and', of } : (of[0] ?? null);
}

function filtersIn(clause: Clause): Filter[] {
  if (clause.as === 'filter') return [clause.filter];
  if (clause.as === 'not') return filtersIn(clause.of);
  return clause.as === 'and' || clause.as === 'or' ? clause.of.flatMap(filtersIn) : [];
}

/** What texts have to hold where it is known which filters do; true and false where that is enough. */
export function decided(clause: Clause, passes: (filter: Filter) => boolean): Clause | boolean {
  if (clause.as === 'filter') return passes(clause.filter);
  if (clause.as === 'not') {
    const of = decided(clause.of, passes);
    return typeof of === 'boolean' ? !of : { as: 'not', of };
  }
  if (clause.as !== 'and' && clause.as !== 'or') return clause;
  const enough = clause.as === 'or';
  const of: Clause[] = [];
  for (const each of clause.of) {
    const part = decided(each, passes);
    if (part === enough) return enough;
    if (typeof part !== 'boolean') of.push(part);
  }
  return of.length > 1 ? { as: clause.as, of } : (of[0] ?? !enough);
}
