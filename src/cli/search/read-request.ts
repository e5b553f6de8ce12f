import { SkeinError } from '../../model/index.ts';
import { asTyped, bothOf, type Clause, parseQuery, readFilter, type SearchRequest } from '../../search/index.ts';
import { parseRange, type RangeOptions } from '../dates.ts';

/** Filters as options, for those who do not want to learn the language, and for `--substring` and `--regex`. */
const FILTER_OPTIONS = ['project', 'agent', 'type', 'tool', 'model', 'file', 'branch', 'session', 'is', 'has'] as const;

type FilterOptions = { readonly [name in (typeof FILTER_OPTIONS)[number]]?: string };

export interface QueryOptions extends RangeOptions, FilterOptions {
  readonly substring?: boolean;
  readonly regex?: boolean;
}

/** What a query and its options mean together; null when they say nothing. `isTyping`: more of the query may come. */
export function readWanted(
  query: string,
  options: QueryOptions,
  { isTyping = false } = {},
): Pick<SearchRequest, 'clause' | 'pattern'> | null {
  const { substring = false, regex = false } = options;
  if (substring && regex) throw new SkeinError('bad_input', '--substring and --regex exclude each other');
  const filters = readFilters(options);
  if (!substring && !regex) {
    const read = parseQuery(query);
    const clause = bothOf(isTyping ? asTyped(read, query) : read, filters);
    return clause && { clause, pattern: null };
  }
  if (query === '')
    throw new SkeinError('bad_input', `--${substring ? 'substring' : 'regex'} needs a text to look for`);
  return { clause: filters, pattern: { as: substring ? 'substring' : 'regex', text: query } };
}

function readFilters(options: QueryOptions): Clause | null {
  let clause: Clause | null = null;
  for (const name of FILTER_OPTIONS) {
    const value = options[name];
    if (value === undefined) continue;
    const read = readFilter(name, value, new Date());
    if (typeof read === 'string') throw new SkeinError('bad_input', `--${name} ${value}: ${read}`);
    clause = bothOf(clause, read);
  }
  const range = parseRange(options);
  if (range && Number.isFinite(range.from))
    clause = bothOf(clause, { as: 'filter', filter: { name: 'after', time: range.from } });
  if (range && Number.isFinite(range.to))
    clause = bothOf(clause, { as: 'filter', filter: { name: 'before', time: range.to } });
  return clause;
}
