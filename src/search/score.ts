/** What a score is made of; everything is told by counts. */
export interface Scored {
  /** How often each thing that is looked for stands in the message. */
  readonly counts: readonly number[];
  /** Of the message's text, in terms (`TextMeasure`). */
  readonly length: number;
  readonly time: number | null;
  readonly type: string;
}

/** Of all hits that are ranked together. */
export interface Field {
  /** How many of them have each thing. */
  readonly having: readonly number[];
  readonly hits: number;
  readonly averageLength: number;
  /** When the newest was, in seconds: the same hits have the same scores tomorrow. */
  readonly newest: number;
}

/** BM25 as usual; long outputs are common, and a word at their end is worth little. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** A hit that is so much older than the newest has lost half of what being new is worth. */
const HALF_LIFE = 30 * 24 * 3600;
const RECENCY = 1;
/** What people and models said is what they remember; outputs repeat whole files. */
const WEIGHT: Readonly<Record<string, number>> = { user: 1.6, assistant: 1.3, tool_use: 1.1, tool_result: 1 };

/** An index knows seconds, 0 where nobody knows. Who reads everything counts so too: then both say the same. */
export const secondOf = (time: number | null): number =>
  time === null ? 0 : Math.max(0, Math.min(0xffffffff, Math.floor(time / 1000)));

export function fieldOf(hits: readonly Scored[]): Field {
  const having: number[] = [];
  let length = 0;
  let newest = 0;
  for (const hit of hits) {
    for (const [i, count] of hit.counts.entries()) having[i] = (having[i] ?? 0) + (count > 0 ? 1 : 0);
    length += hit.length;
    newest = Math.max(newest, secondOf(hit.time));
  }
  return { having, hits: hits.length, averageLength: length / Math.max(1, hits.length), newest };
}

/** Relevance and recency; more is better. */
export function scoreOf({ counts, length, time, type }: Scored, field: Field): number {
  const stretch = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(1, field.averageLength);
  let relevance = 0;
  for (const [i, count] of counts.entries()) {
    const having = field.having[i] ?? 0;
    const rarity = Math.log(1 + (field.hits - having + 0.5) / (having + 0.5)) + 0.5;
    relevance += (rarity * count * (SATURATION + 1)) / (count + SATURATION * stretch);
  }
  const age = Math.max(0, field.newest - secondOf(time));
  return relevance * (WEIGHT[type] ?? 1) + RECENCY * 2 ** (-age / HALF_LIFE);
}
