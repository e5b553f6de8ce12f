import { createHash } from 'node:crypto';
import type { FilePlace } from '../model/index.ts';

/** What a file belongs to: `<session>.jsonl` and everything in `<session>/` go together; a file beside the projects is its own. */
export const unitOf = ({ project, path }: Pick<FilePlace, 'project' | 'path'>): string =>
  project === '' ? `/${path}` : (path.split('/')[0] ?? '').replace(/\.jsonl$/, '');

/** Remembers that something was forgotten without remembering its name. */
export const tombstoneOf = (agent: string, unit: string): string =>
  createHash('sha256').update(`${agent}\n${unit}`).digest('hex');

export const isForgotten = (tombstones: ReadonlySet<string>, file: FilePlace): boolean =>
  tombstones.size > 0 && tombstones.has(tombstoneOf(file.agent, unitOf(file)));
