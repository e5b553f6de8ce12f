import type { IndexStore, StoreShare } from './index-store.ts';
import { SqliteIndex } from './sqlite/index-db.ts';

export * from './index-store.ts';
export { MessageKeys } from './message-keys.ts';

const OPENERS: Readonly<Record<StoreShare['store'], (path: string) => IndexStore>> = {
  sqlite: (path) => SqliteIndex.openShared(path),
};

/** A store that another thread has open. */
export const openShared = ({ store, path }: StoreShare): IndexStore => OPENERS[store](path);
