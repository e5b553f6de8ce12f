/** The thing from before if the new one says the same, so that whoever holds it sees that nothing changed (C18). */
export const keepEqual = <Thing>(before: Thing | null, made: Thing): Thing =>
  before !== null && isEqual(before, made, 0) ? before : made;

/** Deeper things are taken for different: making one anew is only slower. */
const DEEPEST = 100;

function isEqual(a: unknown, b: unknown, depth: number): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > DEEPEST) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && hasEqualItems(a, b, depth);
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof Map || b instanceof Map)
    return a instanceof Map && b instanceof Map && hasEqualItems([...a].flat(), [...b].flat(), depth);
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key as keyof typeof a], b[key as keyof typeof b], depth + 1))
  );
}

const hasEqualItems = (a: readonly unknown[], b: readonly unknown[], depth: number): boolean =>
  a.length === b.length && a.every((item, i) => isEqual(item, b[i], depth + 1));
