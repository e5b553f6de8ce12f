import type { Format } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';
import type { Tree } from '../tree/index.ts';

/** The logs of one agent in one project. */
export interface TreePlace {
  readonly format: Format;
  /** The working folder. */
  readonly path: string;
  readonly files: readonly LogFile[];
}

/** What an index on this machine knows, as `history/` asks it: synchronous, like reading a file. */
export interface StoredTrees {
  /** The tree of these files as they are now, put together without reading them; null when it has to be read. */
  tree(place: TreePlace): Tree | null;
  /** The names of its sessions; null when they have to be read. */
  names(place: TreePlace): readonly SessionNames[] | null;
}

export interface SessionNames {
  readonly id: string;
  readonly aliases: readonly string[];
}
