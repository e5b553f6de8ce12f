import { formats } from '../formats/index.ts';
import type { Archive, ArchivedFile } from '../stores/store.ts';
import { nothingExcluded } from './exclude.ts';
import { promptFilter } from './prompt-history.ts';
import { tombstoneOf, unitOf } from './tombstone.ts';

/** Removes files for good, with the blobs that only they name and their prompts in the history, and keeps them from coming back. */
export async function forgetFiles(archive: Archive, files: readonly ArchivedFile[]): Promise<void> {
  const all = await archive.files({ older: true });
  const gone = [...files, ...(await blobsOnlyIn(archive, files, all))];
  const tombstones = new Set(gone.map((file) => tombstoneOf(file.agent, nativeOf(file))));
  for (const file of gone) tombstones.add(tombstoneOf(file.agent, unitOf(file)));
  const histories = await removePrompts(archive, all, tombstones);
  await archive.forget([...gone.map(({ id }) => id), ...histories], [...tombstones]);
}

/** Of a session that was never archived itself. */
export async function forgetPrompts(archive: Archive, agent: string, session: string): Promise<void> {
  const tombstones = [tombstoneOf(agent, session)];
  const histories = await removePrompts(archive, await archive.files({ older: true }), new Set(tombstones));
  await archive.forget(histories, tombstones);
}

/** Does what is left to do of what was remembered already. Gives how many files that were. */
export async function finishForgetting(archive: Archive): Promise<number> {
  const unfinished = await archive.unfinished();
  if (unfinished.size === 0) return 0;
  const all = await archive.files({ older: true });
  const isMeant = (file: ArchivedFile): boolean =>
    [nativeOf(file), unitOf(file)].some((unit) => unfinished.has(tombstoneOf(file.agent, unit)));
  const gone = all.filter(isMeant).map(({ id }) => id);
  const histories = await removePrompts(archive, all, unfinished);
  await archive.forget([...gone, ...histories], [...unfinished]);
  return gone.length;
}

/** The id of its session as prompts and notes name it. */
export function nativeOf(file: ArchivedFile): string {
  const role = formats.find(({ name }) => name === file.agent)?.roleOf(file.path);
  return role?.session ?? role?.native ?? unitOf(file);
}

/**
 * A history that has some is written anew without them, before what held them is removed. Gives the contents that are to be removed: of older
 * ones those that have some. The others may be all that is left of other sessions.
 */
async function removePrompts(
  archive: Archive,
  all: readonly ArchivedFile[],
  tombstones: ReadonlySet<string>,
): Promise<number[]> {
  const removed: number[] = [];
  for (const file of all) {
    const filter = promptFilter(file, { tombstones, exclude: nothingExcluded });
    if (!filter) continue;
    const bytes = filter(await archive.read(file.id, 0, file.size));
    if (bytes.length === file.size) continue;
    removed.push(file.id);
    if (file.replacedAt !== null) continue;
    const { root, agent, project, path, kind, inode, modified } = file;
    const place = { root, agent, project, path, kind, inode, modified };
    await archive.apply({ at: Date.now(), appends: [{ ...place, offset: 0, bytes }] });
  }
  return removed;
}

const DIGEST = /[0-9a-f]{64}/g;

async function blobsOnlyIn(
  archive: Archive,
  files: readonly ArchivedFile[],
  all: readonly ArchivedFile[],
): Promise<ArchivedFile[]> {
  const blobs = all.filter(({ project, path }) => project === '' && path.startsWith('blobs/'));
  if (blobs.length === 0) return [];
  const forgotten = new Set(files.map(({ id }) => id));
  const named = await digestsIn(archive, files);
  const elsewhere = await digestsIn(
    archive,
    all.filter(
      ({ id, kind, agent }) => kind === 'log' && !forgotten.has(id) && blobs.some((blob) => blob.agent === agent),
    ),
  );
  return blobs.filter(({ path }) => {
    const digest = path.match(DIGEST)?.[0] ?? '';
    return named.has(digest) && !elsewhere.has(digest);
  });
}

const PIECE = 1024 * 1024;
const DIGEST_LENGTH = 64;

async function digestsIn(archive: Archive, files: readonly ArchivedFile[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { id, size } of files) {
    // Pieces overlap: a digest may lie on the border.
    for (let at = 0; at < size; at += PIECE - DIGEST_LENGTH) {
      const text = Buffer.from(await archive.read(id, at, PIECE)).toString('latin1');
      for (const digest of text.match(DIGEST) ?? []) found.add(digest);
    }
  }
  return found;
}
