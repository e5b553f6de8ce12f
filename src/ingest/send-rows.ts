import type { Written } from './index-jobs.ts';
import { movable, packBatch, type SentBatch, unpackBatch } from './pack-rows.ts';
import { type PipeEnd, PipeState, waitForRoom } from './text-pipe.ts';

/** So many may be on their way. */
const AHEAD = 16;

export type SentRows = { readonly batch: SentBatch } | Exclude<Written, { readonly batch: unknown }>;

/** What another thread writes. This one waits when it is too far ahead. */
export class RowSender {
  readonly #pipe: PipeEnd;
  readonly #state: Int32Array;
  #sent = 0;

  constructor(pipe: PipeEnd) {
    this.#pipe = pipe;
    this.#state = new Int32Array(pipe.state);
  }

  send(written: Written): void {
    const { port } = this.#pipe;
    if ('batch' in written) {
      const batch = packBatch(written.batch);
      port.postMessage({ batch }, movable(batch));
    } else port.postMessage(written);
    waitForRoom(this.#state, PipeState.written, ++this.#sent, AHEAD);
  }

  /** Few rows of messages are left. */
  endMost(): void {
    this.#pipe.port.postMessage('most rows');
  }

  /** No rows of messages come any more. */
  end(): void {
    this.#pipe.port.postMessage('rows over');
  }
}

export const receivedRows = (sent: SentRows): Written => ('batch' in sent ? { batch: unpackBatch(sent.batch) } : sent);
