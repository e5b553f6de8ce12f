import { createHash } from 'node:crypto';

/** Names come from logs: nothing in them may lead out of the folder. A name that had to be changed is told from others that became the same. */
export function safeName(name: string): string {
  const safe = name
    .replace(/[^\w.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 150);
  return safe === name && safe !== '' ? safe : withDigest(safe, name);
}

/** Lists and reports lie beside pages; on Windows some names are devices, whatever they end with. */
const TAKEN = /^(?:index|redaction|con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name for the file of a page, without its ending. */
export function pageName(id: string): string {
  const safe = safeName(id);
  return TAKEN.test(safe) ? withDigest(safe, id) : safe;
}

const withDigest = (safe: string, of: string): string => `${safe}-${digest(of).slice(0, 6)}`;

/**
 * A name for each, that no other has where case does not count. A name in small letters stays as it is, whatever comes beside it.
 * `more`: tells those apart that are called the same.
 */
export function distinctNames<T>(
  all: readonly T[],
  nameOf: (each: T) => string,
  more: (each: T) => string,
): Map<T, string> {
  const groups = Map.groupBy(all, (each) => nameOf(each).toLowerCase());
  const names = new Map<T, string>();
  for (const group of groups.values()) {
    const keeper = group.length === 1 ? group[0] : group.find((each) => nameOf(each) === nameOf(each).toLowerCase());
    for (const each of group) names.set(each, each === keeper ? nameOf(each) : withDigest(nameOf(each), more(each)));
  }
  return names;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
