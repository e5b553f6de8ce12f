import { basename } from 'node:path';
import { History } from '../history/index.ts';
import { keepMemorySmall } from '../ingest/hold-memory.ts';
import { FollowedIndex, type Indexed, type Ingested, readExclude, watch } from '../ingest/index.ts';
import type { FoundRoots } from '../sources/index.ts';
import type { SqliteArchive } from '../stores/sqlite/index.ts';
import { SqliteIndex } from '../stores/sqlite/index-db.ts';
import type { ArchivedFile } from '../stores/store.ts';
import { print, warn } from '../terminal/output.ts';
import { jsonText } from '../views/json/index.ts';
import { writeArchive } from './data-folder.ts';
import { dataFolder, indexPath } from './data-place.ts';
import { withoutOmitted } from './omit-files.ts';
import type { RootOptions } from './options.ts';
import { wantsText } from './settings.ts';
import { formatSize, plural } from './table.ts';

interface Options extends RootOptions {
  readonly json?: boolean;
  readonly forgottenLost?: boolean;
}

/** Archives and indexes everything, then what is written, until the process is told to end. The archive comes first; the index follows. */
export async function watchLogs(
  options: Options,
  findRoots: () => FoundRoots,
  report: (figures: Ingested) => void,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  keepMemorySmall();
  const tell = (what: object): void => void (options.json && print(`${jsonText(what)}\n`));
  await writeArchive(
    async (archive) => {
      const index = new WatchedIndex(archive, options, (indexed) => {
        tell(indexedJson(indexed));
        if (!options.json && process.stdout.isTTY) print(`${lineOf(indexed)}\n`);
      });
      try {
        await watch({
          archive,
          signal: stop.signal,
          findRoots,
          readExclude: () => readExclude(dataFolder()),
          onSaved: (files) => {
            for (const file of files) tell(savedJson(file));
          },
          onIngested: async (figures) => {
            await index.look(figures.stamp);
            report(figures);
          },
          onChanged: (files) => index.follow(files),
        });
      } finally {
        await index.close();
      }
    },
    { forgottenLost: options.forgottenLost === true },
  );
}

interface OpenIndex {
  readonly store: SqliteIndex;
  readonly followed: FollowedIndex;
}

/** An index that fails does not keep the archive from growing: it is opened again with the next look at everything. */
class WatchedIndex {
  readonly #archive: SqliteArchive;
  readonly #options: Options;
  readonly #onIndexed: (indexed: Indexed) => void;
  #open: OpenIndex | null = null;
  #stamp: string | null = null;

  constructor(archive: SqliteArchive, options: Options, onIndexed: (indexed: Indexed) => void) {
    this.#archive = archive;
    this.#options = options;
    this.#onIndexed = onIndexed;
  }

  async look(stamp: string | null): Promise<void> {
    if (stamp !== null && stamp === this.#stamp) return;
    const isDone = await this.#attempt(async ({ store, followed }) => {
      const { root } = this.#options;
      const history = History.open({ ...(root && { roots: root }), archive: this.#archive });
      await followed.look(await withoutOmitted(history), await this.#archive.files());
      await store.settle();
    });
    this.#stamp = isDone ? stamp : null;
  }

  async follow(files: Parameters<FollowedIndex['follow']>[0]): Promise<void> {
    if (!this.#open) return;
    this.#stamp = null;
    let isPlaced = true;
    await this.#attempt(async ({ followed }) => {
      isPlaced = await followed.follow(files);
    });
    if (!isPlaced) await this.look(null);
  }

  /** What was written is on the disk afterwards. */
  async close(): Promise<void> {
    const isDone = await this.#attempt(async ({ store, followed }) => {
      await followed.close();
      await store.settle();
    });
    if (isDone) await this.#open?.store.close();
    this.#open = null;
  }

  async #attempt(run: (open: OpenIndex) => Promise<void>): Promise<boolean> {
    try {
      if (!this.#open) {
        const store = SqliteIndex.open(indexPath(), { text: await wantsText() });
        this.#open = { store, followed: new FollowedIndex(store, this.#onIndexed) };
      }
      await run(this.#open);
      return true;
    } catch (error) {
      warn(`the index is not up to date: ${(error as Error).message}`);
      await this.#open?.store.close();
      this.#open = null;
      return false;
    }
  }
}

const savedJson = ({ root, agent, project, path, size, generation }: ArchivedFile) => ({
  saved: { root, agent, project, path, size, generation },
});

const indexedJson = ({ revision, project, files, bytesRead }: Indexed) => ({
  indexed: { revision, project, files, bytes_read: bytesRead },
});

const NAMED = 3;

function lineOf({ project, files, bytesRead }: Indexed): string {
  const names = files.length > NAMED ? plural(files.length, 'file') : files.map((file) => basename(file)).join(', ');
  return `${project}  ${names}  ${formatSize(bytesRead)}`;
}
