const DEPTH = 200;

/** The same JSON value without lone surrogates (H19); the same object where there are none. What is nested absurdly deep stays as it is. */
export const wellFormed = (value: unknown): unknown => (isWellFormed(value, 0) ? value : repaired(value, 0));

function isWellFormed(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null || depth > DEPTH) return true;
  if (Array.isArray(value)) return value.every((item) => isWellFormed(item, depth + 1));
  for (const key in value)
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key], depth + 1)) return false;
  return true;
}

function repaired(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => repaired(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), repaired(item, depth + 1)]),
  );
}
