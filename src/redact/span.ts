/** A part of a text that must not leave the machine. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** What it says: the same value gets the same name, however it is written. */
  readonly value: string;
}

/** Finds such parts; knows of a text nothing but the text. */
export type Find = (text: string) => Iterable<Span>;

/** What overlaps is one, and as secret as the longest of them. */
export function unite(spans: readonly Span[]): Span[] {
  const united: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = united.at(-1);
    if (!last || span.start >= last.end) {
      united.push(span);
      continue;
    }
    const { kind, value } = span.end - span.start > last.end - last.start ? span : last;
    united[united.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind, value };
  }
  return united;
}
