import { termsOf } from '../leaf-terms.ts';
import type { Clause, Filter } from '../query.ts';
import { neighbourHash } from './neighbours.ts';
import { NO_PLACE, TermScanner } from './scan-terms.ts';
import { TERM_MASK, TermTable } from './term-table.ts';

/** A query as a volume answers it. What it finds may be a little too much: quoted and punctuated words are compared with the text. */
export type Plan =
  | { readonly as: 'and' | 'or'; readonly of: readonly Plan[] }
  | { readonly as: 'not'; readonly of: Plan }
  | Leaf
  /** Documents with an attribute whose name and value are accepted. `piece`: in small letters, what every such value has. */
  | {
      readonly as: 'attribute';
      readonly name: string;
      readonly accepts: (value: string) => boolean;
      readonly piece?: string;
    }
  /** In seconds; `to` is not included. */
  | { readonly as: 'time'; readonly from: number; readonly to: number }
  /** Documents by their numbers. */
  | { readonly as: 'docs'; readonly of: (volume: number) => Iterable<number> };

export interface Leaf {
  readonly as: 'leaf';
  /** All of them. */
  readonly terms: readonly string[];
  /** And one that begins so. */
  readonly prefix: string | null;
  /** Which of them stand beside each other. */
  readonly neighbours: readonly number[];
}

/** What depends on the store. */
export type PlanFilter = (filter: Filter) => Plan;

/** `isDropped`: what it finds is taken away from something. Too much would be missed then, so it finds nothing where it might. */
export function planOf(clause: Clause, planFilter: PlanFilter, isDropped = false): Plan {
  switch (clause.as) {
    case 'and':
    case 'or':
      return { as: clause.as, of: clause.of.map((each) => planOf(each, planFilter, isDropped)) };
    case 'not':
      return { as: 'not', of: planOf(clause.of, planFilter, !isDropped) };
    case 'word':
    case 'phrase':
      if (isDropped && termsOf(clause).isLiteral) return NOTHING;
      return leafOf(clause.text, clause.as === 'word' && clause.prefix);
    case 'filter':
      return planFilter(clause.filter);
  }
}

const NOTHING: Plan = { as: 'or', of: [] };

function leafOf(text: string, prefix: boolean): Leaf {
  const table = new TermTable();
  const scanner = new TermScanner(table);
  scanner.scan(text);
  const placed: { text: string; gap: number; hash: number }[] = [];
  const signs: string[] = [];
  for (const code of scanner.codes.subarray(0, scanner.length)) {
    const term = code & TERM_MASK;
    const text = table.text(term);
    if (code >>> 24 !== NO_PLACE) placed.push({ text, gap: code >>> 24, hash: table.hash(term) });
    else if (/[+#]$/.test(text)) signs.push(text);
  }
  const terms = placed.map((each) => each.text);
  // A character alone begins many neighbours, and is whole only at the end of its stretch.
  const isBeginning =
    prefix || (terms.length === 1 && /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]$/u.test(text));
  const beginning = isBeginning ? (terms.pop() ?? null) : null;
  const neighbours = placed
    .slice(1, terms.length)
    .map(({ gap, hash }, i) => neighbourHash((placed[i] as { hash: number }).hash, gap, hash));
  return { as: 'leaf', terms: [...new Set([...terms, ...signs])], prefix: beginning, neighbours };
}
