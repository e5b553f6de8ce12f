import { addAll, type FileId, type Format } from '../model/index.ts';
import { BEGINNING, type LogFile, readLog, readTail, TAIL_PIECE } from '../sources/index.ts';
import type { Chunk, FileEntry } from '../stores/index.ts';
import { TiedFiles } from '../tree/index.ts';
import type { WaitFor } from './file-changes.ts';
import { unpackLines } from './pack-lines.ts';

/**
 * The files of a tree that is too large for memory, in islands that nothing ties: each can be read as a tree of its own. To know what ties
 * them, all of them are read before.
 */
export class FileIslands {
  readonly #format: Format;
  readonly #waitFor: WaitFor;
  readonly #tied = new TiedFiles();
  /** How far each was read. */
  readonly #cursors = new Map<FileId, typeof BEGINNING>();

  constructor(format: Format, waitFor: WaitFor = () => undefined) {
    this.#format = format;
    this.#waitFor = waitFor;
  }

  /** What a store kept of lines that were read before. */
  recall(known: readonly FileEntry[], chunks: readonly Chunk[]): void {
    const byFile = Map.groupBy(chunks, ({ file }) => file);
    for (const { id, facts, offset, line, state } of known) {
      this.#tied.enter(facts);
      for (const { bytes } of byFile.get(id) ?? []) for (const each of unpackLines(bytes, id)) this.#tied.add(each);
      this.#cursors.set(id, { offset, line, state });
    }
  }

  /** Reads what was not read yet. False: it ties nothing that was not tied before. */
  read(files: readonly LogFile[]): boolean {
    const before = this.#tied.islandCount;
    const isFirst = this.#cursors.size === 0;
    for (const file of files) this.#read(file);
    return isFirst || this.#tied.islandCount !== before;
  }

  /** Small ones together, as long as they have no more than so many bytes. */
  islands(files: readonly LogFile[], most: number): LogFile[][] {
    const byId = new Map(files.map((file) => [file.facts.id, file]));
    const islands: LogFile[][] = [];
    let size = Infinity;
    for (const ids of this.#tied.islands()) {
      const island = ids.flatMap((id) => byId.get(id) ?? []);
      const own = island.reduce((sum, file) => sum + file.size, 0);
      size += own;
      const last = size <= most ? islands.at(-1) : undefined;
      if (last) addAll(last, island);
      else {
        islands.push(island);
        size = own;
      }
    }
    return islands;
  }

  tiedTo(files: readonly LogFile[]): FileId[] {
    return this.#tied.tiedTo(files.map(({ facts }) => facts.id));
  }

  #read(file: LogFile): void {
    const format = this.#format;
    const { id, role } = file.facts;
    const tied = this.#tied;
    tied.enter(file.facts);
    if (role === 'sidecar') {
      this.#waitFor(file, Infinity);
      readLog(format, file, (lines) => {
        for (const line of lines) tied.add(line);
      });
      this.#cursors.set(id, BEGINNING);
      return;
    }
    const from = this.#cursors.get(id) ?? BEGINNING;
    const pieces = readTail(format, file, from, ({ line }) => tied.add(line), { blocks: false });
    for (let end = from.offset + TAIL_PIECE; ; end += TAIL_PIECE) {
      this.#waitFor(file, end);
      const { value, done } = pieces.next();
      if (!done) continue;
      // What cannot be read is told by who reads it again.
      this.#cursors.set(id, value.cursor);
      return;
    }
  }
}
