const DEPTH = 200;

/** The same JSON value without lone surrogates (H19); the same object where there are none. What is nested absurdly deep stays as it is. */
export function wellFormed(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => wellFormed(item, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value);
  const copies = entries.map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)] as const);
  const same = copies.every(([key, item], i) => key === entries[i]?.[0] && item === entries[i]?.[1]);
  return same ? value : Object.fromEntries(copies);
}
