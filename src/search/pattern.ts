import { SkeinError } from '../model/index.ts';
import type { Find } from './find-leaf.ts';

/** Text looked for as it stands, without words. */
export interface Pattern {
  /** `substring` ignores case; in a `regex` case counts unless it begins with `(?i)`, and `^` and `$` mean lines. */
  readonly as: 'substring' | 'regex';
  readonly text: string;
}

const LONGEST = 1000;

/** Everywhere a text has it. A bad expression is a `SkeinError`. */
export function findPattern(pattern: Pattern): Find {
  const matcher = compilePattern(pattern);
  return function* ({ raw }) {
    for (const { 0: found, index } of raw.matchAll(matcher))
      if (found !== '') yield { start: index, end: index + found.length };
  };
}

export function compilePattern({ as, text }: Pattern): RegExp {
  if (text === '') throw new SkeinError('bad_input', 'There is nothing to look for');
  if (text.length > LONGEST)
    throw new SkeinError('bad_input', `What is looked for has ${text.length} characters; at most ${LONGEST} go`);
  // Without `u`: then ASCII letters are equal to no others, which the search in bytes relies on.
  if (as === 'substring') return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
  const ignoresCase = text.startsWith('(?i)');
  const source = ignoresCase ? text.slice(4) : text;
  const flags = ignoresCase ? 'gim' : 'gm';
  try {
    return new RegExp(source, `${flags}u`);
  } catch (error) {
    return compileLoosely(source, flags, error);
  }
}

/** `\-` and `a{` are fine without `u`. */
function compileLoosely(source: string, flags: string, first: unknown): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    const why = first instanceof Error ? first.message.replace(/^.*\/[a-z]*: /s, '') : 'it cannot be read';
    throw new SkeinError('bad_input', `Bad regular expression: ${why}: ${source}`, first);
  }
}
