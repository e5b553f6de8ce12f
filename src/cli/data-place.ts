import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataHome } from '../ingest/data-home.ts';

/** The folder that holds what Skein stores. */
export const dataFolder = (): string =>
  resolve(dataHome({ env: process.env, home: homedir(), platform: process.platform }));

export const indexPath = (): string => join(dataFolder(), 'index.db');
export const archivePath = (): string => join(dataFolder(), 'archive.db');
export const notesPath = (): string => join(dataFolder(), 'notes.db');
