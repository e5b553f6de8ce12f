import { type Folded, foldWithPlaces } from './fold.ts';

/** A text that is searched, folded once for all that is looked for in it. */
export class SearchedText {
  readonly raw: string;
  #folded: Folded | null = null;
  #even: Folded | null = null;

  constructor(raw: string) {
    this.raw = raw;
  }

  get folded(): Folded {
    this.#folded ??= foldWithPlaces(this.raw);
    return this.#folded;
  }

  /** With one space for every run of white space. */
  get even(): Folded {
    this.#even ??= foldWithPlaces(this.raw, 'one');
    return this.#even;
  }
}
