import { findEncoded } from './find-encoded.ts';
import { findInJson } from './find-json.ts';
import { findLogins } from './find-logins.ts';
import { findPeople } from './find-people.ts';
import { findSettings } from './find-settings.ts';
import { mayNameHome, Names } from './names.ts';
import { type Redactable, redactValue } from './redact-value.ts';
import { findShapes } from './shapes.ts';
import { type Span, unite } from './span.ts';
import { placeIn, viewsOf } from './view.ts';

/** One thing that was replaced, without what it was. */
export interface Replacement {
  readonly kind: string;
  readonly pseudonym: string;
  readonly count: number;
  /** Where it stood first. */
  readonly places: readonly string[];
}

/** What nobody looked into. */
export interface Unseen {
  /** Long runs of base64 that are neither text nor a known sort of picture or document. */
  readonly blobs: number;
  /** Names of home folders that are ordinary words, too: they stay where they are no home. */
  readonly names: number;
}

const PLACES = 20;
/** Of a picture its beginning and its end are enough to tell it from others. */
const LONG = 500;
/** Base64 of base64 of base64. */
const LAYERS = 3;

/** Replaces what must not leave the machine. The same thing gets the same name everywhere, so that a text still makes sense. */
export class Redactor {
  readonly names = new Names();
  readonly #known = new Map<string, { kind: string; pseudonym: string; count: number; places: Set<string> }>();
  readonly #numbers = new Map<string, number>();
  readonly #told = new Set<string>();
  #place = '';
  #blobs = 0;

  /** Whether it was not told of something before. */
  isNew(what: string): boolean {
    const isNew = !this.#told.has(what);
    this.#told.add(what);
    return isNew;
  }

  /** Where the texts that follow stand, for the report. */
  at(place: string): void {
    this.#place = place;
  }

  /** Names that a text tells of are known from then on: who writes several texts tells of them all before the first is written. */
  learn(text: string): void {
    if (mayNameHome(text)) for (const view of viewsOf(text)) this.names.learnText(view.text);
  }

  redact(text: string): string {
    this.learn(text);
    const spans = this.#spans(text, LAYERS);
    if (spans.length === 0) return text;
    let clean = '';
    let done = 0;
    for (const { start, end, kind, value } of spans) {
      clean += text.slice(done, start) + this.name(kind, value);
      done = end;
    }
    return clean + text.slice(done);
  }

  /** What goes over several lines is replaced in the first of them, and gone from the others. */
  redactLines(lines: readonly string[]): readonly string[] {
    const text = lines.join('\n');
    this.learn(text);
    const spans = this.#spans(text, LAYERS);
    if (spans.length === 0) return lines;
    let start = 0;
    let next = 0;
    return lines.map((line) => {
      const end = start + line.length;
      let [clean, done] = ['', start];
      for (let span = spans[next]; span && span.start <= end; span = spans[next]) {
        clean += text.slice(done, Math.max(done, span.start));
        if (span.start >= start) clean += this.name(span.kind, span.value);
        done = Math.min(span.end, end);
        if (span.end > end) break;
        next++;
      }
      clean += text.slice(done, end);
      start = end + 1;
      return clean;
    });
  }

  /** Every text in a JSON value, with what its name and its neighbours say about it; what holds nothing to replace stays the same object. */
  redactJson<T>(value: T): T {
    return redactValue(this as Redactable, value) as T;
  }

  /** What stands in place of a value. */
  name(kind: string, found: string): string {
    const key = keyOf(kind, found);
    let known = this.#known.get(key);
    if (!known) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      known = { kind, pseudonym: pseudonymOf(kind, number), count: 0, places: new Set() };
      this.#known.set(key, known);
    }
    known.count++;
    if (this.#place !== '' && known.places.size < PLACES) known.places.add(this.#place);
    return known.pseudonym;
  }

  /** What was replaced, most often first. */
  get report(): Replacement[] {
    return [...this.#known.values()]
      .map(({ places, ...rest }) => ({ ...rest, places: [...places].map((place) => this.#concealPlace(place)) }))
      .sort((a, b) => b.count - a.count || (a.pseudonym < b.pseudonym ? -1 : 1));
  }

  /** A place is an id, and ids are made of the names of files. */
  #concealPlace(place: string): string {
    const spans = this.#spans(place, 0);
    const named = spans.map(({ start, end, kind, value }) => ({
      start,
      end,
      to: this.#known.get(keyOf(kind, value))?.pseudonym ?? kind,
    }));
    return named.reduceRight((text, { start, end, to }) => text.slice(0, start) + to + text.slice(end), place);
  }

  get unseen(): Unseen {
    return { blobs: this.#blobs, names: this.names.ordinary };
  }

  #spans(text: string, layers: number): Span[] {
    const [secrets, people]: [Span[], Span[]] = [[], []];
    for (const view of viewsOf(text)) {
      const take = (spans: Span[], found: Iterable<Span>): void => {
        for (const span of found)
          spans.push({ ...span, start: placeIn(view, span.start), end: placeIn(view, span.end) });
      };
      take(secrets, findShapes(view.text));
      take(secrets, findSettings(view.text));
      take(secrets, findInJson(view.text));
      take(secrets, findLogins(view.text));
      if (layers > 0)
        take(
          secrets,
          findEncoded(view.text, {
            find: (decoded) => this.#spans(decoded, layers - 1),
            onUnseen: () => void this.#blobs++,
          }),
        );
      take(people, findPeople(view.text));
      take(people, this.names.find(view.text));
    }
    const united = unite(secrets);
    return [...united, ...outside(united, unite(people))].sort((a, b) => a.start - b.start);
  }
}

function keyOf(kind: string, found: string): string {
  const value = kind === 'user' ? found.toLowerCase() : found;
  return `${kind}\n${value.length < LONG ? value : `${value.length} ${value.slice(0, LONG)}${value.slice(-LONG)}`}`;
}

/** Who is named inside a secret is gone with it. */
function outside(secrets: readonly Span[], people: readonly Span[]): Span[] {
  let at = 0;
  return people.filter(({ start, end }) => {
    while (at < secrets.length && (secrets[at] as Span).end <= start) at++;
    const next = secrets[at];
    return !next || next.start >= end;
  });
}

function pseudonymOf(kind: string, number: number): string {
  if (kind === 'email') return `person-${number}@example.invalid`;
  return kind === 'user' ? `user${number}` : kind === 'person' ? `Person ${number}` : `[${kind}-${number}]`;
}
