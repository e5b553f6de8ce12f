/** What somebody looks for. `parseQuery` makes it from text, `printQuery` turns it back. */
export type Clause =
  | { readonly as: 'and' | 'or'; readonly of: readonly Clause[] }
  | { readonly as: 'not'; readonly of: Clause }
  | { readonly as: 'filter'; readonly filter: Filter }
  | Leaf;

/** What is looked for in the text of a message. */
export type Leaf =
  /** zebra, zebra*, parse_zebra, c++, src/a.ts: without the `*`. */
  | { readonly as: 'word'; readonly text: string; readonly prefix: boolean }
  | { readonly as: 'phrase'; readonly text: string };

export type Filter =
  | { readonly name: NameFilter; readonly value: string }
  | { readonly name: 'is'; readonly value: 'error' | 'sidechain' | 'subagent' }
  | { readonly name: 'has'; readonly value: 'image' }
  /** Epoch milliseconds: at or after, and before. What is compared are seconds; a part of one counts as the next. */
  | { readonly name: 'after' | 'before'; readonly time: number };

export type NameFilter = 'project' | 'agent' | 'type' | 'tool' | 'model' | 'file' | 'branch' | 'session';

/** Both, or the one that is there. */
export function bothOf(a: Clause | null, b: Clause | null): Clause | null {
  if (!a || !b) return a ?? b;
  const parts = [a, b].flatMap((clause) => (clause.as === 'and' ? clause.of : [clause]));
  return { as: 'and', of: parts };
}
