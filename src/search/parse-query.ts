import { closestFilter, FILTERS, readFilter } from './filters.ts';
import type { Clause } from './query.ts';
import { QueryError } from './query-error.ts';
import { runsIn } from './words.ts';

/**
 * Words and "phrases" all of which must be there, prefix*, OR, -not, (groups), name:value filters; null for an empty query.
 * Whatever is wrong is a `QueryError` that points at the place.
 */
export function parseQuery(query: string, now: Date = new Date()): Clause | null {
  if (query.length > LONGEST)
    throw new QueryError(query, LONGEST, LONGEST + 1, `A query has at most ${LONGEST} characters`);
  return new Parser(query, now).parse();
}

const LONGEST = 4000;
const DEEPEST = 50;
/** For who looks for text that looks like a filter. */
const AS_TEXT = 'in quotes it is text';

class Parser {
  readonly #text: string;
  readonly #now: Date;
  #at = 0;
  /** Where the groups begin that are open. */
  readonly #open: number[] = [];

  constructor(text: string, now: Date) {
    this.#text = text;
    this.#now = now;
  }

  parse(): Clause | null {
    this.#skipSpace();
    if (this.#at === this.#text.length) return null;
    return this.#either();
  }

  #either(): Clause {
    const parts = [this.#all()];
    for (let or = this.#keyword('OR'); or !== null; or = this.#keyword('OR')) {
      this.#at += 2;
      this.#skipSpace();
      if (this.#isAtEnd()) this.#fail(or, or + 2, 'OR stands between two things to look for');
      parts.push(this.#all());
    }
    return join('or', parts);
  }

  #all(): Clause {
    const parts: Clause[] = [];
    for (;;) {
      this.#skipSpace();
      const isOr = this.#keyword('OR') !== null;
      if (parts.length === 0 && isOr) this.#fail(this.#at, this.#at + 2, 'OR stands between two things to look for');
      if (isOr || this.#isAtEnd()) break;
      if (parts.length > 0 && this.#keyword('AND') !== null) this.#skipAnd();
      parts.push(this.#one());
    }
    return join('and', parts);
  }

  /** Everything is joined by AND anyway. */
  #skipAnd(): void {
    const start = this.#at;
    this.#at += 3;
    this.#skipSpace();
    if (this.#isAtEnd() || this.#keyword('OR') !== null)
      this.#fail(start, start + 3, 'AND stands between two things to look for');
  }

  #one(): Clause {
    const start = this.#at;
    const text = this.#text;
    // `--flag` is looked for, `-flag` must not be there.
    if (text[start] === '-' && text[start + 1] !== '-') {
      this.#at++;
      if (/^(?:[\s)]|$)/.test(text.slice(this.#at, this.#at + 1)))
        this.#fail(
          start,
          start + 1,
          'Nothing follows the "-": -word leaves out what has the word, "-" in quotes is text',
        );
      return { as: 'not', of: this.#one() };
    }
    if (text[start] === '(') return this.#group();
    if (text[start] === ')') this.#fail(start, start + 1, 'No "(" is open here; put quotes around text with brackets');
    if (text[start] === '"') return this.#phrase();
    return this.#filter() ?? this.#word();
  }

  #group(): Clause {
    const start = this.#at;
    if (this.#open.length >= DEEPEST) this.#fail(start, start + 1, `Groups go at most ${DEEPEST} deep`);
    this.#open.push(start);
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === ')') this.#fail(start, this.#at + 1, 'There is nothing in the brackets');
    if (this.#at === this.#text.length) this.#failOpen(start);
    const inside = this.#either();
    if (this.#text[this.#at] !== ')') this.#failOpen(start);
    this.#at++;
    this.#open.pop();
    return inside;
  }

  #failOpen(start: number): never {
    return this.#fail(start, start + 1, 'This "(" is not closed; put quotes around text with brackets');
  }

  #phrase(): Clause {
    const start = this.#at;
    const text = this.#quoted();
    this.#needLetters(text, start);
    return { as: 'phrase', text: text.trim().replace(/\s+/g, ' ') };
  }

  /** A backslash before a quote or a backslash takes it as it is. */
  #quoted(): string {
    const start = this.#at++;
    let text = '';
    for (; ; this.#at++) {
      const char = this.#text[this.#at];
      if (char === undefined) this.#fail(start, start + 1, 'This quote is not closed');
      if (char === '"') break;
      const next = this.#text[this.#at + 1];
      if (char === '\\' && (next === '"' || next === '\\')) {
        text += next;
        this.#at++;
      } else text += char;
    }
    this.#at++;
    return text;
  }

  #filter(): Clause | null {
    const start = this.#at;
    const named = /^([a-z]+):/i.exec(this.#text.slice(start, start + 32));
    if (!named) return null;
    const name = (named[1] ?? '').toLowerCase();
    const after = start + named[0].length;
    // `file::open`, `session::new`
    if (this.#text[after] === ':') return null;
    if (!FILTERS.includes(name)) {
      const meant = this.#meantBy(name, after);
      if (meant === null) return null;
      return this.#fail(start, after, `There is no filter ${name}: – did you mean ${meant}:? In quotes it is text`);
    }
    this.#at = after;
    const values = [this.#value(name, start)];
    while (this.#text[this.#at] === ',') {
      this.#at++;
      values.push(this.#value(name, start));
    }
    return join('or', values);
  }

  /** What has a colon is text, unless it is nearly a filter: `node:fs`, `http://`, `TODO:`. */
  #meantBy(name: string, after: number): string | null {
    const value = /^(?:"[^"]*|[^\s"()/\\,]*)/.exec(this.#text.slice(after))?.[0] ?? '';
    return value === '' ? null : closestFilter(name, value.replace(/^"/, ''), this.#now);
  }

  #value(name: string, from: number): Clause {
    const start = this.#at;
    const isQuoted = this.#text[start] === '"';
    const value = isQuoted ? this.#quoted() : this.#bare(/[\s",]/);
    if (value.trim() === '') this.#fail(from, Math.max(this.#at, from + 1), `${name}: needs a value; ${AS_TEXT}`);
    const read = readFilter(name, value, this.#now);
    if (typeof read !== 'string') return read;
    const isDay = name === 'after' || name === 'before';
    return this.#fail(start, this.#at, isDay ? read : `${read}; ${AS_TEXT}`);
  }

  #word(): Clause {
    const start = this.#at;
    const found = this.#bare(/[\s"]/);
    const prefix = found.endsWith('*');
    const text = prefix ? found.slice(0, -1) : found;
    this.#needLetters(text, start);
    return { as: 'word', text, prefix };
  }

  /** Up to a space, or to the bracket that closes a group; brackets opened inside are part of it. */
  #bare(end: RegExp): string {
    const start = this.#at;
    let inside = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? '';
      if (end.test(char)) break;
      if (char === '(') inside++;
      if (char === ')' && --inside < 0) break;
    }
    return this.#text.slice(start, this.#at);
  }

  #needLetters(text: string, start: number): void {
    if (runsIn(text).length > 0) return;
    this.#fail(start, this.#at, 'There is no letter or digit in this; --substring finds signs alone');
  }

  #keyword(word: string): number | null {
    const end = this.#at + word.length;
    const isIt = this.#text.startsWith(word, this.#at) && /^[\s()"]?$/.test(this.#text.slice(end, end + 1));
    return isIt ? this.#at : null;
  }

  #isAtEnd(): boolean {
    return this.#at === this.#text.length || (this.#text[this.#at] === ')' && this.#open.length > 0);
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #fail(start: number, end: number, message: string): never {
    throw new QueryError(this.#text, start, end, message);
  }
}

function join(as: 'and' | 'or', parts: readonly Clause[]): Clause {
  const flat = parts.flatMap((part) => (part.as === as ? part.of : [part]));
  const [only] = flat;
  return flat.length === 1 && only ? only : { as, of: flat };
}
