import { join } from 'node:path';
import { dataFolder } from '../ingest/data-home.ts';

export { dataFolder };

export const indexPath = (): string => join(dataFolder(), 'index.db');
export const archivePath = (): string => join(dataFolder(), 'archive.db');
export const notesPath = (): string => join(dataFolder(), 'notes.db');
export const notesCopyPath = (): string => join(dataFolder(), 'notes.copy');
