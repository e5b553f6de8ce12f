import { fold } from './fold.ts';
import type { Clause, Leaf } from './query.ts';
import { cutTerm, LONGEST, runsIn, suffixAt, wordsIn } from './words.ts';

/** What a message must hold for a leaf to be in it. */
export interface LeafTerms {
  /** All of them, as `wordsIn` gives them; of a `prefix` one that begins so. */
  readonly terms: readonly { readonly term: string; readonly prefix: boolean }[];
  /** They are not enough: the text itself has to be looked at (punctuation, phrases, CJK, very long words). */
  readonly isLiteral: boolean;
}

export function termsOf(leaf: Leaf): LeafTerms {
  const { text } = leaf;
  const isPrefix = leaf.as === 'word' && leaf.prefix;
  const runs = runsIn(text);
  const terms = runs.flatMap(({ run, start, isCjk }) => {
    const end = start + run.length;
    if (isCjk) return cjkTerms(run);
    const term = cutTerm(fold(run));
    if (term === '') return [];
    const suffix = suffixAt(text, end);
    return [{ term: suffix === '' ? term : term + suffix, prefix: isPrefix && end === text.length }];
  });
  const [only] = runs;
  const isWord = leaf.as === 'word' && only !== undefined && only.run === text && !only.isCjk;
  // A term as long as the longest may be the beginning of a longer one.
  const isWhole = isWord && fold(text) === terms[0]?.term && text.length < LONGEST;
  return { terms, isLiteral: !isWhole };
}

/** Every character begins a term: one alone is found by that, several by their neighbours. */
function cjkTerms(stretch: string): { term: string; prefix: boolean }[] {
  const words = wordsIn(stretch);
  if (words.length === 1) return [{ term: words[0]?.term ?? '', prefix: true }];
  return words.slice(0, -1).map(({ term }) => ({ term, prefix: false }));
}

/** Whether what the terms find has to be compared with the text. */
export const isLiteral = (clause: Clause): boolean => leavesIn(clause).some((leaf) => termsOf(leaf).isLiteral);

/** Whether every leaf has a term: one of signs alone can be found by reading everything only. */
export const hasWords = (clause: Clause): boolean => leavesIn(clause).every((leaf) => termsOf(leaf).terms.length > 0);

function leavesIn(clause: Clause): Leaf[] {
  if (clause.as === 'filter') return [];
  if (clause.as === 'not') return leavesIn(clause.of);
  if (clause.as === 'and' || clause.as === 'or') return clause.of.flatMap(leavesIn);
  return [clause as Leaf];
}
