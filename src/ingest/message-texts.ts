import type { Logs } from '../history/index.ts';
import { type Clause, type Matcher, matcherOf, NO_ATTRIBUTES, plainTitled, withTitle } from '../search/index.ts';
import type { FoundPlace } from '../stores/index.ts';
import { RawPhrase } from './raw-phrase.ts';
import { StoredText } from './stored-text.ts';

/** The title of a session. */
export type ReadTitle = (tree: string, session: string) => Promise<string | null>;

/** What messages say, compared with what a clause looks for. */
export class MessageTexts {
  readonly #readTitle: ReadTitle;
  readonly #texts: StoredText;
  readonly #matcher: Matcher;
  /** Any of what is looked for. */
  readonly #anything: Matcher | null;
  readonly #phrase: RawPhrase | null;
  readonly #titles = new Map<string, Title>();

  /** `logs`: by the key of their tree. */
  constructor(readTitle: ReadTitle, logs: ReadonlyMap<string, Logs>, clause: Clause | null) {
    this.#readTitle = readTitle;
    this.#texts = new StoredText(logs);
    const words = clause && withoutFilters(clause);
    this.#matcher = matcherOf({ clause: words });
    this.#phrase = RawPhrase.of(words);
    this.#anything = words && matcherOf({ clause: { as: 'or', of: leavesOf(words) } });
  }

  /** With the title of its session where only that makes it a hit; null: it is none. */
  async textOf(message: FoundPlace): Promise<string | null> {
    const text = this.#phrase && this.#texts.lacks(message, this.#phrase) ? null : this.#texts.textOf(message);
    if (text !== null && this.#matches(text)) return text;
    const { title, mayMatch } = await this.#titleOf(message);
    if (!mayMatch) return null;
    const titled = withTitle(text ?? this.#texts.textOf(message), title);
    return this.#matches(titled) ? plainTitled(titled) : null;
  }

  spans(text: string): ReturnType<Matcher['spans']> {
    return this.#matcher.spans(text);
  }

  async titleOf(message: FoundPlace): Promise<string | null> {
    return (await this.#titleOf(message)).title;
  }

  close(): void {
    this.#texts.close();
  }

  #matches(text: string): boolean {
    return this.#matcher.matches({ ...NO_ATTRIBUTES, text });
  }

  async #titleOf({ tree, session }: FoundPlace): Promise<Title> {
    const key = `${tree}\n${session}`;
    const known = this.#titles.get(key);
    if (known) return known;
    const title = await this.#readTitle(tree, session);
    // A title without any of it changes nothing: the text need not be looked through again.
    const mayMatch = title !== null && this.#anything?.matches({ ...NO_ATTRIBUTES, text: title }) === true;
    this.#titles.set(key, { title, mayMatch });
    return { title, mayMatch };
  }
}

interface Title {
  readonly title: string | null;
  readonly mayMatch: boolean;
}

/** A clause as far as texts decide it; null: they do not. */
export function withoutFilters(clause: Clause): Clause | null {
  if (clause.as === 'filter') return null;
  if (clause.as === 'not') {
    const of = withoutFilters(clause.of);
    return of && { as: 'not', of };
  }
  if (clause.as !== 'and' && clause.as !== 'or') return clause;
  const parts = clause.of.map(withoutFilters);
  // Where a filter is enough, no word is needed.
  if (clause.as === 'or' && parts.includes(null)) return null;
  const of = parts.filter((part) => part !== null);
  return of.length > 0 ? { as: clause.as, of } : null;
}

function leavesOf(clause: Clause): Clause[] {
  if (clause.as === 'not') return leavesOf(clause.of);
  return clause.as === 'and' || clause.as === 'or' ? clause.of.flatMap(leavesOf) : [clause];
}
