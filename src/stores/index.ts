import type { IndexStore } from './index-store.ts';
import { SqliteArchive } from './sqlite/archive.ts';
import { SqliteIndex } from './sqlite/index-db.ts';
import type { Archive, StoreShare } from './store.ts';

export * from './index-store.ts';
export { MessageKeys } from './message-keys.ts';
export {
  MessagePacker,
  movableOf,
  type PackedMessages,
  type PackedRows,
  packMessages,
  packUsages,
} from './packed-rows.ts';

const OPENERS = { sqlite: { index: SqliteIndex.openShared, archive: SqliteArchive.openShared } };

/** Stores that another thread has open. */
export const openSharedIndex = ({ store, path }: StoreShare): IndexStore => OPENERS[store].index(path);
export const openSharedArchive = ({ store, path }: StoreShare): Archive => OPENERS[store].archive(path);
