import { createHash } from 'node:crypto';
import type { FilePlace } from '../model/index.ts';
import type { Archive, ArchivedFile } from '../stores/store.ts';

/** What a file belongs to: `<session>.jsonl` and everything in `<session>/` go together. */
export const unitOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.jsonl$/, '');

/** Remembers that something was forgotten without remembering its name. */
export const tombstoneOf = (agent: string, unit: string): string =>
  createHash('sha256').update(`${agent}\n${unit}`).digest('hex');

export const isForgotten = (tombstones: ReadonlySet<string>, { agent, project, path }: FilePlace): boolean =>
  tombstones.size > 0 && project !== '' && tombstones.has(tombstoneOf(agent, unitOf(path)));

/** Removes files for good, and keeps them from coming back. */
export async function forgetFiles(archive: Archive, files: readonly ArchivedFile[]): Promise<void> {
  const tombstones = new Set(files.map(({ agent, path }) => tombstoneOf(agent, unitOf(path))));
  await archive.forget(
    files.map(({ id }) => id),
    [...tombstones],
  );
}
