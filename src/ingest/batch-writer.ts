import type { FilePlace } from '../model/index.ts';
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

/** Gathers appends into batches. They are read into one room, which is used again when they are written. */
export class BatchWriter {
  /** Bytes per batch. */
  readonly size: number;
  readonly #archive: Archive;
  readonly #onSaved: (files: readonly ArchivedFile[]) => void;
  #appends: Append[] = [];
  #room: Uint8Array<ArrayBuffer> | null = null;
  #taken = 0;

  constructor(archive: Archive, { batchBytes = BATCH, onSaved }: BatchOptions = {}) {
    this.#archive = archive;
    this.#onSaved = onSaved ?? (() => undefined);
    this.size = batchBytes;
  }

  /** Room for the bytes of the next append, which has to be of that file. */
  async room(file: FilePlace, length: number): Promise<Uint8Array> {
    // A place stands in a batch once: the rest of a long file comes with the next.
    if (this.#taken + length > this.size || this.#appends.length >= APPENDS || this.#has(file)) await this.flush();
    if (length > this.size) return Buffer.allocUnsafeSlow(length);
    this.#room ??= Buffer.allocUnsafeSlow(this.size);
    this.#taken += length;
    return this.#room.subarray(this.#taken - length, this.#taken);
  }

  add(append: Append): void {
    this.#appends.push(append);
  }

  /** Everything that was added is in the archive afterwards. */
  async flush(): Promise<void> {
    if (this.#appends.length === 0) return;
    const appends = this.#appends;
    this.#appends = [];
    this.#taken = 0;
    this.#onSaved(await this.#archive.apply({ at: Date.now(), appends }));
  }

  /** Gives its room back at once: the garbage collector would let many of them wait. */
  end(): void {
    this.#room?.buffer.transfer(0);
    this.#room = null;
  }

  #has({ root, agent, project, path }: FilePlace): boolean {
    const last = this.#appends.at(-1);
    return last?.path === path && last.project === project && last.root === root && last.agent === agent;
  }
}
