import { parseDay, SkeinError } from '../model/index.ts';
import type { Clause, Filter } from './query.ts';

const NAMES = ['project', 'agent', 'type', 'tool', 'model', 'file', 'branch', 'session'] as const;

/** In the order they are told in. */
export const FILTERS: readonly string[] = [...NAMES, 'is', 'has', 'after', 'before'];

/** Words of the glossary stand for the types of M1. */
const TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['user', ['user']],
  ['prompt', ['user']],
  ['assistant', ['assistant']],
  ['answer', ['assistant']],
  ['tool_use', ['tool_use']],
  ['call', ['tool_use']],
  ['tool_result', ['tool_result']],
  ['result', ['tool_result']],
  ['tool', ['tool_use', 'tool_result']],
]);
const STATES = ['error', 'sidechain', 'subagent'] as const;

/** What a filter means; a text says what is wrong with its value. */
export function readFilter(name: string, value: string, now: Date): Clause | string {
  const clause = (filter: Filter): Clause => ({ as: 'filter', filter });
  const lower = value.trim().toLowerCase();
  if (name === 'after' || name === 'before') {
    const day = readDay(value, now);
    return typeof day === 'string' ? day : clause({ name, time: day });
  }
  if (name === 'is') {
    const state = STATES.find((each) => each === lower);
    return state ? clause({ name, value: state }) : `is: takes ${oneOf(STATES)}`;
  }
  if (name === 'has') return lower === 'image' ? clause({ name, value: 'image' }) : 'has: takes image';
  if (name === 'type') {
    const types = TYPES.get(lower)?.map((type) => clause({ name: 'type', value: type })) ?? [];
    const [only] = types;
    if (!only) return `type: takes ${oneOf([...TYPES.keys()])}`;
    return types.length === 1 ? only : { as: 'or', of: types };
  }
  const known = NAMES.find((each) => each === name);
  return known ? clause({ name: known, value: value.trim() }) : `There is no filter ${name}:`;
}

/** The day begins, or the moment is. */
function readDay(value: string, now: Date): number | string {
  try {
    return parseDay(value, now).from;
  } catch (error) {
    if (error instanceof SkeinError) return error.message;
    throw error;
  }
}

const oneOf = (values: readonly string[]): string => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/**
 * What somebody meant who wrote `proj:x`, `projet:x`, `tools:x` or `since:monday`; null: `node:fs`, `a:b` and `pool:5` are text. `value` is
 * what follows.
 */
export function closestFilter(name: string, value: string, now: Date): string | null {
  const other = OTHER_WORDS.get(name);
  if (other) return other === 'file' || typeof readDay(value, now) === 'number' ? other : null;
  return FILTERS.find((each) => each.length > 3 && isSlip(each, name)) ?? null;
}

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['since', 'after'],
  ['until', 'before'],
  ['path', 'file'],
  ['date', 'after'],
  ['on', 'after'],
]);

/** The first letters, or one letter is another, missing, or too many, or two are exchanged. Nobody gets the first one wrong. */
function isSlip(filter: string, name: string): boolean {
  if (name[0] !== filter[0]) return false;
  if (name === `${filter}es` || (name.length > 3 && filter.startsWith(name))) return true;
  let start = 0;
  while (start < Math.min(filter.length, name.length) && filter[start] === name[start]) start++;
  let end = 0;
  while (end < Math.min(filter.length, name.length) - start && filter.at(-1 - end) === name.at(-1 - end)) end++;
  const [left, right] = [filter.slice(start, filter.length - end), name.slice(start, name.length - end)];
  // Of four letters another one makes another word: `fire`, `took`, `typo`.
  if (left.length === 1 && right.length === 1) return filter.length > 4;
  if (left.length + right.length === 1) return true;
  return left.length === 2 && right === `${left[1]}${left[0]}`;
}
