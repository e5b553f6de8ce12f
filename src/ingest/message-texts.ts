import type { Logs, Unread } from '../history/index.ts';
import {
  type Check,
  type Clause,
  checkOf,
  decided,
  type Matcher,
  matcherOf,
  NO_ATTRIBUTES,
  plainTitled,
  withTitle,
} from '../search/index.ts';
import type { FoundPlace } from '../stores/index.ts';
import { RawPhrase } from './raw-phrase.ts';
import { StoredText } from './stored-text.ts';

/** The title of a session. */
export type ReadTitle = (tree: string, session: string) => Promise<string | null>;

/** What an index tells of a message: whether it is found by the title of its session, and which filters of a `Check` let it through. */
export type Told = readonly boolean[];

/** What messages say, compared with what a clause looks for. */
export class MessageTexts {
  readonly #readTitle: ReadTitle;
  readonly #texts: StoredText;
  readonly #whole: Matcher;
  readonly #check: Check;
  /** By what is told of a message. */
  readonly #tests = new Map<string, TextTest>();

  /** `logs`: by the key of their tree. */
  constructor(readTitle: ReadTitle, logs: ReadonlyMap<string, Logs>, clause: Clause | null) {
    this.#readTitle = readTitle;
    this.#texts = new StoredText(logs);
    this.#whole = matcherOf({ clause });
    this.#check = checkOf(clause);
  }

  /** How often each thing that is looked for stands in a message; null: it is no hit. */
  async find(message: FoundPlace, told: Told): Promise<number[] | null> {
    const { matcher, phrase, never } = this.#testFor(told);
    if (never) return null;
    const [isTitled] = told;
    if (!isTitled && phrase && this.#texts.lacks(message, phrase)) return null;
    const own = this.#texts.textOf(message);
    const text = isTitled ? withTitle(own, await this.titleOf(message)) : own;
    return matcher.matches({ ...NO_ATTRIBUTES, text }) ? this.#whole.counts(text) : null;
  }

  /** With the title of its session where only that makes it a hit. */
  async textOf(message: FoundPlace, told: Told): Promise<string> {
    const own = this.#texts.textOf(message);
    if (!told[0] || this.#testFor(told).matcher.matches({ ...NO_ATTRIBUTES, text: own })) return own;
    return plainTitled(withTitle(own, await this.titleOf(message)));
  }

  spans(text: string): ReturnType<Matcher['spans']> {
    return this.#whole.spans(text);
  }

  titleOf({ tree, session }: FoundPlace): Promise<string | null> {
    return this.#readTitle(tree, session);
  }

  /** What could not be read so far. */
  get unread(): Unread[] {
    return this.#texts.unread;
  }

  close(): void {
    this.#texts.close();
  }

  #testFor([, ...passed]: Told): TextTest {
    const key = passed.join();
    let test = this.#tests.get(key);
    if (!test) {
      const { clause, filters } = this.#check;
      const passes = new Map(filters.map((filter, i) => [filter, passed[i] === true]));
      const left = clause === null ? true : decided(clause, (filter) => passes.get(filter) === true);
      const words = typeof left === 'boolean' ? null : left;
      test = { matcher: matcherOf({ clause: words }), phrase: RawPhrase.of(words), never: left === false };
      this.#tests.set(key, test);
    }
    return test;
  }
}

interface TextTest {
  readonly matcher: Matcher;
  readonly phrase: RawPhrase | null;
  readonly never: boolean;
}
