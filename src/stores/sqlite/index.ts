export { SqliteArchive } from './archive.ts';
export { lockForWriting } from './lock.ts';
export { salvage } from './salvage.ts';
