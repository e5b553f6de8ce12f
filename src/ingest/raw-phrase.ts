import { isAscii } from 'node:buffer';
import { type Clause, fold } from '../search/index.ts';

/**
 * Whether a line may hold a phrase, told from its bytes: most of what an index takes for one has its words apart, and to parse and fold
 * such a line takes several times as long. It says no only when it is certain.
 */
export class RawPhrase {
  readonly #pattern: RegExp;

  private constructor(words: readonly string[]) {
    this.#pattern = patternOf(words);
  }

  /** A phrase of plain words that must be there, whatever else; null: there is none. */
  static of(clause: Clause | null): RawPhrase | null {
    if (clause?.as === 'and') return clause.of.map(RawPhrase.of).find((found) => found !== null) ?? null;
    if (clause?.as !== 'phrase') return null;
    const words = fold(clause.text).trim().split(/\s+/);
    return words.length > 1 && words.every(isPlain) ? new RawPhrase(words.slice(0, MOST_WORDS)) : null;
  }

  /** `mayBeTagged`: of what the line says in tags, not all is told as it stands. */
  mayBeIn(line: Uint8Array, mayBeTagged: boolean): boolean {
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
    const isPlainText = isAscii(bytes);
    const text = bytes.toString(isPlainText ? 'latin1' : 'utf8');
    return (
      this.#pattern.test(text) ||
      // An output that lies in a file; something written as an escape, which may be a letter, or a color that does not count.
      text.includes('persisted') ||
      text.includes('\\u') ||
      (mayBeTagged && text.includes('<')) ||
      (!isPlainText && FOLDED.test(text))
    );
  }
}

/** So many tell enough; a line that repeats thousands of words of a phrase would be gone through as often. */
const MOST_WORDS = 8;

/** Others stand in JSON without quotes too, so that no end of a text is seen. */
const isPlain = (word: string): boolean => /^[a-z]+$/.test(word) && !['true', 'false', 'null'].includes(word);

/**
 * Whatever may be a letter of ASCII, white space or nothing when it is folded: all but punctuation, arrows, lines and other signs, CJK and
 * the usual emoji.
 */
const FOLDED = new RegExp(
  `[^${[
    String.raw`\u0000-\u007f`,
    String.raw`\u2010-\u2027\u2030-\u205e`,
    String.raw`\u20a0-\u20bf\u2190-\u2bff`,
    String.raw`\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3`,
    String.raw`\ud83c-\ud83e\udc00-\udfff`,
  ].join('')}]`,
);

/** White space in JSON. */
const SPACE = String.raw`(?: |\\[nrtf])`;
/** No letter stands before: that of an escape is none. */
const BEGIN = String.raw`(?:(?<![a-z0-9_])|(?<=\\[nrtfb]))`;

const patternOf = (words: readonly string[]): RegExp => new RegExp(BEGIN + words.join(`${SPACE}+`), 'i');
