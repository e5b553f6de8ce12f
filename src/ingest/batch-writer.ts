import type { Append, Archive, ArchivedFile } from '../stores/store.ts';

/** A multiple of a block, so that a long file is cut where a block ends. */
const BATCH = 8 * 1024 * 1024;
const APPENDS = 500;

export interface BatchOptions {
  /** Bytes per transaction, a multiple of a block. */
  readonly batchBytes?: number;
  /** Told when files are in the archive, as they are there. */
  readonly onSaved?: (files: readonly ArchivedFile[]) => void;
}

/** Gathers appends into batches. While one is compressed and written, the next is read; memory holds two. */
export class BatchWriter {
  /** Bytes per batch. */
  readonly size: number;
  readonly #archive: Archive;
  readonly #onSaved: (files: readonly ArchivedFile[]) => void;
  #appends: Append[] = [];
  #bytes = 0;
  #written: Promise<unknown> = Promise.resolve();

  constructor(archive: Archive, { batchBytes = BATCH, onSaved }: BatchOptions = {}) {
    this.#archive = archive;
    this.#onSaved = onSaved ?? (() => undefined);
    this.size = batchBytes;
  }

  async add(append: Append): Promise<void> {
    // A place stands in a batch once: the rest of a long file comes with the next.
    if (this.#bytes + append.bytes.length > this.size || this.#appends.length >= APPENDS || this.#has(append))
      await this.#send();
    this.#appends.push(append);
    this.#bytes += append.bytes.length;
  }

  /** Everything that was added is in the archive afterwards. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#written;
  }

  #has({ root, agent, project, path }: Append): boolean {
    const last = this.#appends.at(-1);
    return last?.path === path && last.project === project && last.root === root && last.agent === agent;
  }

  async #send(): Promise<void> {
    await this.#written;
    if (this.#appends.length === 0) return;
    const appends = this.#appends;
    this.#appends = [];
    this.#bytes = 0;
    this.#written = this.#archive.apply({ at: Date.now(), appends }).then(this.#onSaved);
    // It is awaited before the next batch; until then a failure is not "unhandled".
    this.#written.catch(() => undefined);
  }
}
