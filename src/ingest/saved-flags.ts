import type { FileId } from '../model/index.ts';

/** Which files are archived, for a thread that reads them one after the other while another one archives them. */
export interface SavedFlags {
  /** For each file a number: see below. */
  readonly flags: SharedArrayBuffer;
  /** Where those of the files are that were not archived from the beginning. */
  readonly places: ReadonlyMap<FileId, number>;
}

const WAITING = 0;
/** It is not archived, or nobody knows how often it was replaced. */
const UNKNOWN = 1;
/** And all others: so often it was replaced, from here on. */
const SAVED = 2;

export function setSaved(flags: Int32Array, place: number, generation: number | null): void {
  Atomics.store(flags, place, generation === null ? UNKNOWN : SAVED + generation);
  Atomics.notify(flags, place);
}

/** Nobody is to wait any more. */
export function setRest(flags: Int32Array): void {
  for (let place = 0; place < flags.length; place++) {
    Atomics.compareExchange(flags, place, WAITING, UNKNOWN);
    Atomics.notify(flags, place);
  }
}

/** Waits until the file is archived, and tells how often it was replaced; undefined: it was archived before. */
export function waitUntilSaved({ flags, places }: SavedFlags, file: FileId): number | null | undefined {
  const place = places.get(file);
  if (place === undefined) return undefined;
  const all = new Int32Array(flags);
  let state = Atomics.load(all, place);
  for (; state === WAITING; state = Atomics.load(all, place)) Atomics.wait(all, place, WAITING);
  return state === UNKNOWN ? null : state - SAVED;
}
