import { parseDay, SkeinError } from '../model/index.ts';
import type { Clause, Filter } from './query.ts';

const NAMES = ['project', 'agent', 'type', 'tool', 'model', 'file', 'branch', 'session'] as const;

/** In the order they are told in. */
export const FILTERS: readonly string[] = [...NAMES, 'is', 'has', 'after', 'before'];

/** Words of the glossary stand for the types of M1. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  user: ['user'],
  prompt: ['user'],
  assistant: ['assistant'],
  answer: ['assistant'],
  tool_use: ['tool_use'],
  call: ['tool_use'],
  tool_result: ['tool_result'],
  result: ['tool_result'],
  tool: ['tool_use', 'tool_result'],
};
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
    const types = TYPES[lower]?.map((type) => clause({ name: 'type', value: type })) ?? [];
    const [only] = types;
    if (!only) return `type: takes ${oneOf(Object.keys(TYPES))}`;
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

/** What somebody meant who wrote `proj:` or `projet:`. */
export function closestFilter(name: string): string | null {
  const begins = FILTERS.filter((each) => each.startsWith(name) || name.startsWith(each));
  if (begins.length === 1) return begins[0] ?? null;
  return FILTERS.find((each) => each.length > 3 && isOneApart(each, name)) ?? OTHER_WORDS[name] ?? null;
}

const OTHER_WORDS: Readonly<Record<string, string>> = {
  since: 'after',
  until: 'before',
  path: 'file',
  date: 'after',
  on: 'after',
};

/** One letter is another, missing, or too many. */
function isOneApart(a: string, b: string): boolean {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
