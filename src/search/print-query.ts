import type { Clause, Filter } from './query.ts';

/** A query as text: `parseQuery` reads it as the same clause. */
export function printQuery(clause: Clause): string {
  switch (clause.as) {
    case 'or':
      return clause.of.map(printQuery).join(' OR ');
    case 'and':
      return clause.of.map((part) => (part.as === 'or' ? `(${printQuery(part)})` : printQuery(part))).join(' ');
    case 'not': {
      const inner = printQuery(clause.of);
      const isGroup = clause.of.as === 'and' || clause.of.as === 'or' || inner.startsWith('-');
      return isGroup ? `-(${inner})` : `-${inner}`;
    }
    case 'word':
      // In a group of its own it is a word.
      if (clause.text === 'AND' && !clause.prefix) return '(AND)';
      return clause.prefix ? `${clause.text}*` : clause.text;
    case 'phrase':
      return quote(clause.text);
    case 'filter':
      return printFilter(clause.filter);
  }
}

function printFilter(filter: Filter): string {
  if ('time' in filter) return `${filter.name}:${new Date(filter.time).toISOString()}`;
  const isPlain = /^(?!:)[^\s"(),]+$/.test(filter.value);
  return `${filter.name}:${isPlain ? filter.value : quote(filter.value)}`;
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
