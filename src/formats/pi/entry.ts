import type { CallName, Fact, Key, Kind, LineRef, More, Origin, Place, Usage } from '../../model/index.ts';
import type { JsonObject } from '../lines/index.ts';
import type { Scope } from './scope.ts';

/** One entry of a session, on its way to a line. */
export interface Entry {
  readonly object: JsonObject;
  readonly ref: LineRef;
  readonly scope: Scope;
  /** Its id inside the session; the key is that id in the session's scope. */
  readonly id: string;
  readonly key: Key;
}

/** What an entry is, beyond what all entries have. */
export interface Meaning {
  readonly kind: Kind;
  readonly place: Place;
  readonly origin?: Origin;
  readonly calls?: readonly CallName[];
  readonly usage?: Usage | null;
  readonly more?: More | null;
}

export const RECORD: Place = { as: 'record' };
export const SKIPPED: Place = { as: 'annotation', joins: true, gathers: false };

export const factOf = (entry: Entry, type: string, about: Key | null, value: unknown): Fact => ({
  type,
  about,
  value,
  ref: entry.ref,
});

/** oh-my-pi renamed the flag and kept the version. */
export const isFromHook = (object: JsonObject): boolean => object.fromHook === true || object.fromExtension === true;
