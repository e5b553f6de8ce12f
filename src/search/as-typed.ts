import type { Clause } from './query.ts';

/** One letter begins too much. */
const SHORTEST = 2;

/** What somebody looks for who may not be done with the last word: it is a prefix until a space follows. What must not be there stays a word. */
export function asTyped(clause: Clause | null, query: string): Clause | null {
  if (!clause) return null;
  if (clause.as === 'word')
    return query.endsWith(clause.text) && clause.text.length >= SHORTEST ? { ...clause, prefix: true } : clause;
  if (clause.as !== 'and' && clause.as !== 'or') return clause;
  const last = clause.of.at(-1) ?? null;
  const typed = asTyped(last, query);
  return typed === null || typed === last ? clause : { ...clause, of: [...clause.of.slice(0, -1), typed] };
}
