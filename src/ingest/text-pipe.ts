import type { MessagePort } from 'node:worker_threads';
import type { SentRows } from './send-rows.ts';

/** From a thread that reads logs to the one that makes the full text of them. One fills a slot while the other empties those before. */
export interface TextPipe {
  readonly slots: SharedArrayBuffer;
  /** Numbers of `PipeState`, which mostly the one that empties writes. */
  readonly state: SharedArrayBuffer;
}

/** An end of it. Through the port goes how far a slot is filled, what is larger than a slot, rows, that most of them came, and that there is no more. */
export interface PipeEnd extends TextPipe {
  readonly port: MessagePort;
}

export type PipeMessage = number | Uint8Array | SentRows | 'most rows' | 'rows over' | 'over';

export const SLOT_BYTES = 256 * 1024;
export const SLOTS = 16;

export const PipeState = {
  /** So many slots were emptied. */
  emptied: 0,
  /** So many volumes were ended. */
  ended: 1,
  /** What the volume under construction has. */
  terms: 2,
  vocabulary: 3,
  /** So many `SentRows` were written. */
  written: 4,
  /** 1: somebody else writes into the store. */
  isTaken: 5,
  /** 1: other threads need the cores, and will for a while. */
  isBusy: 6,
} as const;

/** Waits while so many or more were sent than the other end is done with. */
export function waitForRoom(state: Int32Array, done: number, sent: number, most: number): void {
  for (let count = Atomics.load(state, done); sent - count >= most; ) {
    Atomics.wait(state, done, count);
    count = Atomics.load(state, done);
  }
}

/**
 * Nobody else writes meanwhile. Who waits for a lock of SQLite looks for it now and then only, and sleeps up to a tenth of a second in
 * between.
 */
export async function alone(states: readonly Int32Array[], run: () => Promise<void>): Promise<void> {
  for (const state of states) Atomics.store(state, PipeState.isTaken, 1);
  try {
    await run();
  } finally {
    for (const state of states) {
      Atomics.store(state, PipeState.isTaken, 0);
      Atomics.notify(state, PipeState.isTaken);
    }
  }
}

export function waitForTurn(state: Int32Array): void {
  while (Atomics.load(state, PipeState.isTaken) === 1) Atomics.wait(state, PipeState.isTaken, 1);
}

/** Until the other threads need the cores no more. Meanwhile this one does something else. */
export async function whenIdle(state: Int32Array): Promise<void> {
  await Atomics.waitAsync(state, PipeState.isBusy, 1).value;
}

export function setBusy(state: Int32Array, isBusy: boolean): void {
  Atomics.store(state, PipeState.isBusy, isBusy ? 1 : 0);
  Atomics.notify(state, PipeState.isBusy);
}

export const newPipe = (): TextPipe => ({
  slots: new SharedArrayBuffer(SLOTS * SLOT_BYTES),
  state: new SharedArrayBuffer(Object.keys(PipeState).length * Int32Array.BYTES_PER_ELEMENT),
});

/** Numbers have so many bytes, also the size of a text before it; ids and times have more. */
export const NUMBER_BYTES = 4;
export const ID_BYTES = 8;

/** What goes through it: a byte that says what it is, and then numbers, texts and pieces of texts. */
export const PipeSign = {
  /** Pieces of the text of a span, the first of a text and others. */
  firstPiece: 1,
  piece: 2,
  endSpan: 3,
  beginDocument: 4,
  addSpan: 5,
  /** A new attribute: it gets the next number. */
  name: 6,
  addAttribute: 7,
  endDocument: 8,
  forgetSpans: 9,
  endVolume: 10,
  /** New attributes that many documents have together: they get the next number of such sets. */
  nameSet: 11,
  addAttributes: 12,
} as const;
