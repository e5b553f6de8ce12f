export { SqliteArchive } from './archive.ts';
export { lockForWriting } from './lock.ts';
export { type Salvage, salvage } from './salvage.ts';
