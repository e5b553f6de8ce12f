/** What happened, counted, and what must not. */
export class Figures {
  readonly #counts = new Map<string, number>();
  readonly #violations = new Map<string, { first: string; count: number }>();

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** `kind` says what law was broken, `place` where it can be seen again. */
  violation(kind: string, place: string): void {
    const known = this.#violations.get(kind);
    if (known) known.count++;
    else this.#violations.set(kind, { first: place, count: 1 });
  }

  get violations(): string[] {
    return [...this.#violations].map(([kind, { first, count }]) => `${count} × ${kind}; first: ${first}`);
  }

  print(): void {
    for (const [what, count] of this.#counts) console.log(`${String(count).padStart(6)}  ${what}`);
    for (const violation of this.violations) console.log(`VIOLATION  ${violation}`);
    console.log(this.#violations.size === 0 ? 'No violation.' : `${this.#violations.size} kinds of violations.`);
  }
}
