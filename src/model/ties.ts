import type { CallId, Key } from './ids.ts';

/** What a line hangs on, told without reading what it says. */
export interface Ties {
  /** Its own id; null outside the chain, where nothing hangs on it and it hangs on nothing. */
  readonly key: Key | null;
  /** null: it begins a conversation. */
  readonly parent: Key | null;
  /** Of a sub-agent. */
  readonly aside: boolean;
  /** One answer with every line of the main conversation that names the same. */
  readonly part: string | null;
  /** Calls that it may bring a result of. */
  readonly results: readonly CallId[];
  /** The line it names as the active one. */
  readonly leaf: Key | null;
}

export const NO_TIES: Ties = { key: null, parent: null, aside: false, part: null, results: [], leaf: null };
