import type { Warning } from '../../model/index.ts';
import { type JsonObject, unexpectedKey, unexpectedValue } from './read-object.ts';

/**
 * What is known about one kind of JSON object: its keys, and for some of them the shape of the value (or of each item of a list), or
 * the values seen so far. `open`: the keys are data (a map from path to state), only their values have a shape.
 */
export interface Shape {
  readonly keys: ReadonlyMap<string, Shape | ReadonlySet<unknown> | null>;
  readonly open: Shape | null;
  /** Whether the items of a list have this shape too. */
  readonly lists: boolean;
  /** The keys of the last object without a surprise, in its order: the next one is nearly always the same. */
  readonly usual: { key: string; value: ShapeValue }[];
}

type ShapeValue = Shape | ReadonlySet<unknown> | null;

/** `shape('a b', { c: inner, d: oneOf('x', 'y') })`: plain keys first, then those whose value is looked into. */
export function shape(plain: string, inner: { readonly [key: string]: ShapeValue } = {}): Shape {
  const keys = new Map<string, ShapeValue>();
  for (const key of plain.split(/\s+/)) if (key) keys.set(key, null);
  for (const key in inner) keys.set(key, inner[key] ?? null);
  return { keys, open: null, lists: true, usual: [] };
}

export const oneOf = (...values: readonly unknown[]): ReadonlySet<unknown> => new Set(values);
/** The shape of an object; a list in its place is something else. */
export const objectOnly = (known: Shape): Shape => ({ ...known, lists: false, usual: [] });
export const mapOf = (value: Shape): Shape => ({ keys: new Map(), open: value, lists: true, usual: [] });

/** Names every key and value that the shape does not know, as `path.key`. Returns the same `found` when there is none. */
export function compareShape(
  object: JsonObject,
  known: Shape,
  path: string,
  found: Warning[] | null,
): Warning[] | null {
  const { usual } = known;
  let at = 0;
  for (const key in object) {
    const guess = usual[at];
    const expected = guess?.key === key ? guess.value : known.keys.get(key);
    if (guess?.key !== key && expected !== undefined) usual[at] = { key, value: expected };
    at++;
    if (expected === null) continue;
    const value = object[key];
    if (expected === undefined) {
      if (known.open) found = compareValue(value, known.open, `${path}.*`, found);
      else {
        found ??= [];
        found.push(unexpectedKey(`${path}.${key}`));
      }
    } else if (value !== null && value !== undefined) found = compareValue(value, expected, key, found, path);
  }
  return found;
}

function compareValue(
  value: unknown,
  expected: Shape | ReadonlySet<unknown>,
  key: string,
  found: Warning[] | null,
  path = '',
): Warning[] | null {
  if (expected instanceof Set) {
    if (expected.has(value)) return found;
    found ??= [];
    found.push(unexpectedValue(path ? `${path}.${key}` : key, value));
    return found;
  }
  const known = expected as Shape;
  if (typeof value !== 'object' || value === null) return found;
  const inner = path ? `${path}.${key}` : key;
  if (!Array.isArray(value)) return compareShape(value as JsonObject, known, inner, found);
  if (!known.lists) return found;
  for (const item of value)
    if (typeof item === 'object' && item !== null) found = compareShape(item as JsonObject, known, inner, found);
  return found;
}
