import { type Pattern, patterns } from './patterns.ts';

/** One thing that was replaced, without what it was. */
export interface Replacement {
  readonly kind: string;
  readonly pseudonym: string;
  readonly count: number;
  /** Where it stood first. */
  readonly places: readonly string[];
}

const PLACES = 20;

/** Replaces what must not leave the machine. The same thing gets the same name everywhere, so that a text still makes sense. */
export class Redactor {
  readonly #names = new Map<string, { kind: string; pseudonym: string; count: number; places: Set<string> }>();
  readonly #numbers = new Map<string, number>();
  #place = '';

  /** Where the texts that follow stand, for the report. */
  at(place: string): void {
    this.#place = place;
  }

  redact(text: string): string {
    let clean = text;
    for (const pattern of patterns)
      if (pattern.signs.some((sign) => clean.includes(sign))) clean = this.#replace(clean, pattern);
    return clean;
  }

  /** Every text in a JSON value; what holds nothing to replace stays the same object. */
  redactJson<T>(value: T, depth = 0): T {
    if (typeof value === 'string') return this.redact(value) as T;
    if (value === null || typeof value !== 'object' || depth > DEEPEST) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.redactJson(item, depth + 1));
      return items.some((item, i) => item !== value[i]) ? (items as T) : value;
    }
    let changed = false;
    const entries = Object.entries(value).map(([key, each]) => {
      const [name, clean] = [this.redact(key), this.redactJson(each, depth + 1)];
      changed ||= name !== key || clean !== each;
      return [name, clean] as const;
    });
    return changed ? (Object.fromEntries(entries) as T) : value;
  }

  /** What was replaced, most often first. */
  get report(): Replacement[] {
    return [...this.#names.values()]
      .map(({ places, ...rest }) => ({ ...rest, places: [...places] }))
      .sort((a, b) => b.count - a.count || (a.pseudonym < b.pseudonym ? -1 : 1));
  }

  #replace(text: string, { kind, regex, part, pseudonym }: Pattern): string {
    return text.replace(regex, (match: string, ...groups: unknown[]) => {
      const found = part === 0 ? match : groups[part - 1];
      if (typeof found !== 'string' || isPseudonym(found)) return match;
      const name = this.#name(kind, found, pseudonym);
      return part === 0
        ? name
        : match.slice(0, match.lastIndexOf(found)) + name + match.slice(match.lastIndexOf(found) + found.length);
    });
  }

  #name(kind: string, found: string, pseudonym: Pattern['pseudonym']): string {
    const key = `${kind}\n${found}`;
    let known = this.#names.get(key);
    if (!known) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      known = { kind, pseudonym: pseudonym(number), count: 0, places: new Set() };
      this.#names.set(key, known);
    }
    known.count++;
    if (this.#place !== '' && known.places.size < PLACES) known.places.add(this.#place);
    return known.pseudonym;
  }
}

const DEEPEST = 200;

/** What an earlier pattern put there. */
const isPseudonym = (text: string): boolean => /^(?:\[[a-z-]+-\d+\]?|user\d+$|person-\d+@example\.invalid$)/.test(text);
