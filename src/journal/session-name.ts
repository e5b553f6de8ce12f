import type { SessionHeader } from './entries.ts';
import { textOf } from './values.ts';

/** `{"type":"session_info","name":"…"}` is Pi's, `{"type":"title_change","title":"…","source":"auto"}` oh-my-pi's. */
interface Naming {
  readonly type: string;
  readonly name?: unknown;
  readonly title?: unknown;
  readonly source?: unknown;
}

/** Where the name of a session may stand. */
export interface NamePlaces {
  /** On the line before the header, which oh-my-pi overwrites in place; undefined: there is none. */
  readonly slot: unknown;
  readonly header: SessionHeader | null;
  /** The last entry of this kind, on whatever branch. */
  readonly last: (test: (entry: Naming) => boolean) => Naming | undefined;
}

/** The last name given; an empty one took it away. A title that was made up gives way to one that somebody gave. */
export function sessionName({ slot, header, last }: NamePlaces): string | undefined {
  const latest = last(isNaming);
  if (latest?.type === 'session_info') return said(latest.name);
  // What oh-my-pi writes as an entry it writes there too.
  if (slot !== undefined) return said(slot);
  const given = last((entry) => isNaming(entry) && entry.source !== 'auto') ?? latest;
  return said(given ? (given.title ?? given.name) : header?.title);
}

export const isNaming = ({ type }: Naming): boolean => type === 'session_info' || type === 'title_change';

const said = (name: unknown): string | undefined => textOf(name).trim() || undefined;
