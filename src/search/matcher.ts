import { accepts } from './accept.ts';
import { type Find, findLeaf, type Span } from './find-leaf.ts';
import { findPattern, type Pattern } from './pattern.ts';
import type { Clause } from './query.ts';
import type { Searched } from './searched.ts';
import { SearchedText } from './searched-text.ts';

/** All of what is looked for: both must hold where both are given. */
export interface Wanted {
  readonly clause: Clause | null;
  readonly pattern?: Pattern | null;
}

/** Made once for a search, asked for every message. */
export interface Matcher {
  matches(message: Searched): boolean;
  /** How often each thing that is looked for stands in a text, up to `MOST_COUNTED`. */
  counts(text: string): number[];
  /** What to mark in a text: in order, without overlaps. */
  spans(text: string): Span[];
}

export const MOST_COUNTED = 50;
/** Nobody looks at more marks than this. */
const MOST_SPANS = 10_000;

export function matcherOf({ clause, pattern = null }: Wanted): Matcher {
  const inPattern = pattern ? findPattern(pattern) : null;
  const test = clause ? testOf(clause) : () => true;
  // What must not be there cannot be marked.
  const finds = [...(inPattern ? [inPattern] : []), ...(clause ? positives(clause) : [])];
  return {
    matches: (message) => {
      const text = new SearchedText(message.text);
      return test(message, text) && (!inPattern || has(inPattern, text));
    },
    counts: (text) => {
      const searched = new SearchedText(text);
      return finds.map((find) => count(find, searched));
    },
    spans: (text) => {
      const searched = new SearchedText(text);
      return join(finds.flatMap((find) => [...first(find(searched), MOST_SPANS)])).slice(0, MOST_SPANS);
    },
  };
}

type Test = (message: Searched, text: SearchedText) => boolean;

function testOf(clause: Clause): Test {
  switch (clause.as) {
    case 'and': {
      const tests = inOrder(clause.of).map(testOf);
      return (message, text) => tests.every((test) => test(message, text));
    }
    case 'or': {
      const tests = inOrder(clause.of).map(testOf);
      return (message, text) => tests.some((test) => test(message, text));
    }
    case 'not': {
      const test = testOf(clause.of);
      return (message, text) => !test(message, text);
    }
    case 'filter':
      return accepts(clause.filter);
    default: {
      const find = findLeaf(clause);
      return (_, text) => has(find, text);
    }
  }
}

/** Filters first: they need not look at the text. */
const inOrder = (clauses: readonly Clause[]): readonly Clause[] =>
  clauses.toSorted((a, b) => Number(b.as === 'filter') - Number(a.as === 'filter'));

function positives(clause: Clause): Find[] {
  if (clause.as === 'and' || clause.as === 'or') return clause.of.flatMap(positives);
  return clause.as === 'word' || clause.as === 'phrase' ? [findLeaf(clause)] : [];
}

function has(find: Find, text: SearchedText): boolean {
  for (const _ of find(text)) return true;
  return false;
}

function count(find: Find, text: SearchedText): number {
  let counted = 0;
  for (const _ of find(text)) if (++counted === MOST_COUNTED) break;
  return counted;
}

function* first(spans: Iterable<Span>, most: number): Generator<Span> {
  let left = most;
  for (const span of spans) {
    if (left-- === 0) return;
    yield span;
  }
}

function join(spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && span.start < last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else joined.push(span);
  }
  return joined;
}
