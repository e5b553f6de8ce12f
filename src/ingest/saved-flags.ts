import { type FileId, SkeinError } from '../model/index.ts';

/** Which files are archived, for a thread that reads them one after the other while another one archives them. */
export interface SavedFlags {
  /** For each file a number: see below. */
  readonly flags: SharedArrayBuffer;
  /** Where those of the files are that were not archived from the beginning. */
  readonly places: ReadonlyMap<FileId, number>;
}

/** Nothing of it is archived yet. Below it: so many pages are. */
const WAITING = 0;
const PAGE = 4096;
/** It will not be archived: what archives has failed. */
const FAILED = 1;
/** It could not be read when it was to be archived. */
const UNKNOWN = 2;
/** And all others: so often it was replaced, from here on. */
const SAVED = 3;

export function setSaved(flags: Int32Array, place: number, generation: number | null): void {
  Atomics.store(flags, place, generation === null ? UNKNOWN : SAVED + generation);
  Atomics.notify(flags, place);
}

/** So many bytes of it are archived, and more will be. */
export function setSavedBytes(flags: Int32Array, place: number, bytes: number): void {
  Atomics.store(flags, place, -Math.floor(bytes / PAGE));
  Atomics.notify(flags, place);
}

export const isSaved = (flags: Int32Array, place: number): boolean => Atomics.load(flags, place) > FAILED;

/** Who waits is to wait no more, and not to read either: the index never knows more than the archive. */
export function setFailed(flags: Int32Array): void {
  for (let place = 0; place < flags.length; place++) {
    if (Atomics.load(flags, place) <= WAITING) Atomics.store(flags, place, FAILED);
    Atomics.notify(flags, place);
  }
}

/** Waits until the file is archived, and tells how often it was replaced; undefined: it was archived before. Throws where it never will be. */
export function waitUntilSaved(saved: SavedFlags, file: FileId): number | null | undefined {
  const state = waitForBytes(saved, file, Infinity);
  if (state === undefined) return undefined;
  return state === UNKNOWN ? null : state - SAVED;
}

/** Waits until the file is archived up to there, or as far as it will be. */
export function waitForBytes({ flags, places }: SavedFlags, file: FileId, end: number): number | undefined {
  const place = places.get(file);
  if (place === undefined) return undefined;
  const all = new Int32Array(flags);
  let state = Atomics.load(all, place);
  for (; state <= WAITING && -state * PAGE < end; state = Atomics.load(all, place)) Atomics.wait(all, place, state);
  if (state === FAILED) throw new SkeinError('unwritable', 'The archive could not be written');
  return state;
}
