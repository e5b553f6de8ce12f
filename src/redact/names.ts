import { isOrdinary } from './ordinary-words.ts';
import type { Span } from './span.ts';

/** A name as a path says it; one with a space only where that is quoted, or known. */
const SEGMENT = String.raw`[^\s\\/:"'${'`'}<>|*?,;()[\]{}%&=$!#@+~]{1,64}`;
const ABOVE = String.raw`(?:\/(?:mnt(?:\/[A-Za-z])?|[A-Za-z]|var|export|usr|private|data|nfs|host|rootfs|System\/Volumes\/Data))?`;
/** The folder of homes, where a path begins. */
const HOMES = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_.)\]}~@\\/-])${ABOVE}[\\/]{1,4}(?:home|Users)[\\/]{1,4}|(?<=:\/\/)[\\/]{1,2}(?:home|Users)\/|(?<![\p{L}\p{N}])[A-Za-z]:(?:[\\/]{1,4})[Uu][Ss][Ee][Rr][Ss][\\/]{1,4})(?=(${SEGMENT}))`,
  'gu',
);
/** The same as agents write it in names of folders. */
const FOLDERS = /(?<![A-Za-z0-9])-(?:home|Users)-(?=([^\s\\/:"'`<>|*?,;()[\]{}-]{1,64}))/g;
const ROOT = /(?<![\p{L}\p{N}_.)\]}~\\/-])\/(?=(root)(?![\w.-]))/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** `/home/index.html`: a page, or a file of a program. */
const IS_FILE =
  /\.(?:[cm]?[jt]sx?|html?|css|png|jpe?g|gif|svg|json|md|txt|php|py|vue|svelte|xml|ya?ml|sh|rb|go|rs|java|map|log|aspx?|jsp)$/i;
/** Words that a name may have. */
const WORDS = 6;
/** What is put in place of a name. */
const PSEUDONYM = /^user\d+$/;

/** The names of the people whose homes are told of. They are replaced wherever they stand as a word. */
export class Names {
  /** What a name is written like → the name. */
  readonly #forms = new Map<string, string>();
  /** Their first words: most words of a text are none. */
  readonly #firsts = new Set<string>();
  readonly #ordinary = new Set<string>();

  /** From a path that is one, such as a working folder: a name may have a space. */
  learnPath(path: string): void {
    const [, name = ''] =
      /^(?:[A-Za-z]:|\/mnt\/[A-Za-z]|\/[A-Za-z])?[\\/](?:home|[Uu]sers|var\/home)[\\/]([^\\/\n]{1,64})(?:[\\/]|$)/.exec(
        path,
      ) ?? [];
    this.#learn(name.trim());
  }

  /** From the folder of a project, where nothing better tells: `-home-anna-app`. */
  learnFolder(folder: string): void {
    for (const { 1: rest = '', index, 0: homes } of folder.matchAll(FOLDERS))
      if (this.#knownAt(folder, index + homes.length) === null) this.#learn(rest);
  }

  /** From anything that was said. What may be a page of a web site (`/home/about`) is no name. */
  learnText(text: string): void {
    if (!MAYBE.test(text)) return;
    for (const match of text.matchAll(HOMES)) {
      const name = match[1] ?? '';
      const next = text[match.index + match[0].length + name.length];
      if (
        (next === '/' || next === '\\') &&
        !IS_FILE.test(name) &&
        this.#knownAt(text, match.index + match[0].length) === null
      )
        this.#learn(name);
    }
  }

  /** Names that are words, too. */
  get ordinary(): number {
    return this.#ordinary.size;
  }

  *find(text: string): Generator<Span> {
    if (MAYBE.test(text)) yield* this.#inPaths(text);
    if (this.#forms.size > 0) yield* this.#asWords(text);
  }

  *#inPaths(text: string): Generator<Span> {
    for (const regex of [HOMES, FOLDERS, ROOT])
      for (const match of text.matchAll(regex)) {
        const start = match.index + match[0].length;
        const value = this.#knownAt(text, start) ?? (match[1] ?? '').replace(/[.]+$/, '');
        if (value === '' || PSEUDONYM.test(value) || IS_FILE.test(value)) continue;
        const name = this.#forms.get(value.toLowerCase()) ?? value;
        if (isOrdinary(name)) this.#ordinary.add(name);
        yield { start, end: start + value.length, kind: 'user', value: name };
      }
  }

  *#asWords(text: string): Generator<Span> {
    let done = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const found = index < done || !this.#firsts.has(word.toLowerCase()) ? null : this.#knownAt(text, index);
      if (found === null) continue;
      done = index + found.length;
      yield { start: index, end: done, kind: 'user', value: this.#forms.get(found.toLowerCase()) ?? found };
    }
  }

  /** The longest known name that stands there as a word, as it is written there. */
  #knownAt(text: string, start: number): string | null {
    let best: string | null = null;
    if (this.#forms.size === 0) return best;
    const near = text.slice(start, start + 80);
    let count = 0;
    for (const { 0: word, index } of near.matchAll(WORD)) {
      if (count++ === WORDS || index + word.length > 64) break;
      const form = near.slice(0, index + word.length);
      if (this.#forms.has(form.toLowerCase())) best = form;
    }
    return best;
  }

  #learn(raw: string): void {
    const name = raw.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (name === '') return;
    if (isOrdinary(name)) return void (PSEUDONYM.test(name) || this.#ordinary.add(name));
    // `anna.b` is `anna-b` in the names of folders.
    for (const form of [name, name.replace(/[^\p{L}\p{N}]/gu, '-')])
      if (!this.#forms.has(form.toLowerCase())) this.#forms.set(form.toLowerCase(), name);
    this.#firsts.add(name.toLowerCase().match(WORD)?.[0] ?? '');
  }
}

const MAYBE = /[hH]ome|[uU]sers|USERS|root/;
export const mayNameHome = (text: string): boolean => MAYBE.test(text);
