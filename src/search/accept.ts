import type { Filter, NameFilter } from './query.ts';
import { secondOf } from './score.ts';
import type { Searched } from './searched.ts';

/** Whether a message passes a filter. */
export function accepts(filter: Filter): (message: Omit<Searched, 'text'>) => boolean {
  if ('time' in filter) {
    const isAfter = filter.name === 'after';
    const second = Math.ceil(filter.time / 1000);
    return ({ time }) => time !== null && secondOf(time) >= second === isAfter;
  }
  if (filter.name === 'is' || filter.name === 'has') {
    const read = STATES[filter.value];
    return (message) => read(message);
  }
  const test = valueTest(filter.name, filter.value);
  const read = VALUES[filter.name];
  return (message) => read(message).some(test);
}

type Attributes = Omit<Searched, 'text'>;

const STATES: Readonly<Record<'error' | 'sidechain' | 'subagent' | 'image', (message: Attributes) => boolean>> = {
  error: ({ isError }) => isError,
  sidechain: ({ isSidechain }) => isSidechain,
  subagent: ({ isSubagent }) => isSubagent,
  image: ({ hasImage }) => hasImage,
};

const listOf = (value: string | null): readonly string[] => (value === null ? [] : [value]);

const VALUES: Readonly<Record<NameFilter, (message: Attributes) => readonly string[]>> = {
  project: ({ project }) => project,
  session: ({ session }) => session,
  agent: ({ agent }) => [agent],
  type: ({ type }) => [type],
  tool: ({ tool }) => listOf(tool),
  model: ({ model }) => listOf(model),
  branch: ({ branch }) => listOf(branch),
  file: ({ files }) => files,
};

/** Whether the value of a message is one that a filter with a name means; case is ignored. */
export function valueTest(name: NameFilter, wanted: string): (value: string) => boolean {
  const lower = wanted.toLowerCase();
  switch (name) {
    case 'project':
    case 'tool':
    case 'model':
      return (value) => value.toLowerCase().includes(lower);
    case 'session':
    case 'agent':
      return (value) => value.toLowerCase().startsWith(lower);
    case 'file':
      return acceptsPath(wanted);
    default:
      return (value) => value.toLowerCase() === lower;
  }
}

/**
 * Whether whole segments of a path are those that are wanted: `a.ts` and `src/a.ts` of `/r/src/a.ts`, also `src`; `*` stands for
 * anything but `/`. What begins with `/` (or `C:`) begins there.
 */
export function acceptsPath(wanted: string): (path: string) => boolean {
  const clean = wanted.replace(/^(?:\.[/\\])+/, '');
  const isWhole = /^(?:[/\\]|[a-z]:)/i.test(clean);
  const segments = segmentsOf(clean);
  return (path) => {
    const given = segmentsOf(path);
    const last = isWhole ? 0 : given.length - segments.length;
    for (let at = 0; at <= Math.min(last, given.length - segments.length); at++)
      if (segments.every((segment, i) => acceptsSegment(segment, given[at + i] ?? ''))) return true;
    return false;
  };
}

/** A piece that every path has, in small letters, for which `acceptsPath` holds; the longest. */
export const pieceOfPath = (wanted: string): string =>
  segmentsOf(wanted.replace(/^(?:\.[/\\])+/, ''))
    .flatMap((segment) => segment.split('*'))
    .reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');

function segmentsOf(path: string): string[] {
  const lower = path.toLowerCase();
  return lower.split(lower.includes('\\') ? /[/\\]/ : '/').filter((segment) => segment !== '');
}

/** Without a regular expression: with many stars one would take for ever. */
function acceptsSegment(pattern: string, segment: string): boolean {
  let [at, read] = [0, 0];
  /** After the last star, and where it is tried to end. */
  let [star, end] = [-1, 0];
  while (read < segment.length) {
    if (pattern[at] === '*') {
      star = ++at;
      end = read;
    } else if (pattern[at] === segment[read]) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star;
      read = ++end;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
