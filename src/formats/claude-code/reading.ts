import type { CallName, ChainLine, Kind, More, Origin, Place } from '../../model/index.ts';

/** What a line is, before the fields every line has. */
export interface Reading
  extends Pick<ChainLine, 'kind' | 'place' | 'origin' | 'digest' | 'more' | 'calls' | 'usage' | 'stop'> {
  /** Where it hangs, if the type of the line knows better than the envelope. */
  readonly parent: ChainLine['parent'];
  readonly edge: ChainLine['edge'] | null;
}

/**
 * What any line but an answer is. Lines of all types are read into one form, with the same fields in the same order: the engine need not
 * look up where each field is.
 */
export const reads = (
  kind: Kind,
  place: Place,
  origin: Origin | null,
  digest: number,
  more: More | null,
  hangs: Pick<Reading, 'parent' | 'edge'> = AS_WRITTEN,
): Reading => ({
  kind,
  place,
  origin,
  digest,
  more,
  calls: NO_CALLS,
  usage: null,
  stop: null,
  parent: hangs.parent,
  edge: hangs.edge,
});

export const NO_CALLS: readonly CallName[] = [];
const AS_WRITTEN = { parent: null, edge: null } as const;
