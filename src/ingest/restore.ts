import { closeSync, lstatSync, openSync, renameSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { SkeinError } from '../model/index.ts';
import { holds, onDisk, realpath } from '../sources/index.ts';
import type { Archive, ArchivedFile } from '../stores/store.ts';

const PIECE = 1024 * 1024;

/**
 * Writes archived files as they were to `<folder>/<project>/<path>` and nowhere else; gives those it wrote. One that is there with all that
 * is archived of it is left alone; when one is there with something else, nothing is written.
 */
export async function restoreFiles(
  archive: Archive,
  files: readonly ArchivedFile[],
  folder: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<string[]> {
  const places = files.map((file) => ({ file, path: targetOf(file, folder) }));
  const seen = new Set<string>();
  const twice = places.find(({ path }) => seen.has(path) || !seen.add(path));
  if (twice)
    throw new SkeinError('ambiguous', `Two roots have a ${twice.path}; restore them one after the other with --root`);
  const targets = force ? places : places.filter((place) => !isThere(place));
  const taken = force ? undefined : targets.find(({ path }) => lstatSync(onDisk(path), { throwIfNoEntry: false }));
  if (taken) throw new SkeinError('bad_input', `${taken.path} is there already, and differs; --force writes over it`);
  const failures: string[] = [];
  for (const { file, path } of targets) {
    try {
      await restoreFile(archive, file, path, resolve(folder));
    } catch (error) {
      // One bad file does not keep the others from coming back.
      if (!(error instanceof SkeinError) || error.code !== 'damaged') throw error;
      failures.push(`${path} (${error.message})`);
    }
  }
  if (failures.length > 0)
    throw new SkeinError(
      'damaged',
      `${targets.length - failures.length} of ${targets.length} files are restored; not ${failures.join(', ')}`,
    );
  return targets.map(({ path }) => path);
}

/** Where the agent went on with it, there is more. */
function isThere({ file, path }: { readonly file: ArchivedFile; readonly path: string }): boolean {
  if (!lstatSync(onDisk(path), { throwIfNoEntry: false })?.isFile()) return false;
  let handle: number | null = null;
  try {
    handle = openSync(onDisk(path), 'r');
    return holds(handle, file, 'compare', () => undefined);
  } catch {
    // What may not be read may not be written over either.
    return false;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** An older generation is told by its number: `<path>~0`. */
function targetOf({ project, path, generation, replacedAt }: ArchivedFile, folder: string): string {
  const parts = [...(project === '' ? [] : [project]), ...path.split('/')];
  // Names in an archive may come from anywhere.
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0') || part.includes(sep)))
    throw new SkeinError(
      'bad_input',
      `${JSON.stringify(`${project}/${path}`)} is no name for a file; it is not restored`,
    );
  return join(resolve(folder), ...parts) + (replacedAt === null ? '' : `~${generation}`);
}

async function restoreFile(archive: Archive, file: ArchivedFile, path: string, folder: string): Promise<void> {
  const part = `${path}.restoring`;
  try {
    makeFolder(folder);
    checkInside(dirname(path), folder);
    makeFolder(dirname(path), onDisk);
    checkInside(dirname(path), folder);
    rmSync(onDisk(part), { force: true });
    await writeContent(archive, file, part);
    // What was there stays until all of it is written.
    renameSync(onDisk(part), onDisk(path));
    utimesSync(onDisk(path), file.modified / 1000, file.modified / 1000);
  } catch (error) {
    rmSync(onDisk(part), { force: true });
    if (error instanceof SkeinError) throw error;
    throw new SkeinError('unwritable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  }
}

/** A link that lies in the folder must not lead out of it. */
function checkInside(path: string, folder: string): void {
  let existing = path;
  while (!lstatSync(onDisk(existing), { throwIfNoEntry: false })) existing = dirname(existing);
  const [real, bound] = [realpath(existing), realpath(folder)];
  if (real === null || (real !== bound && !real.startsWith(bound + sep)))
    throw new SkeinError('bad_input', `${existing} leads out of ${folder}; nothing is written there`);
}

async function writeContent(archive: Archive, file: ArchivedFile, path: string): Promise<void> {
  const handle = openSync(onDisk(path), 'wx', 0o600);
  try {
    for (let at = 0; at < file.size; ) {
      const bytes = await archive.read(file.id, at, PIECE);
      if (bytes.length === 0) throw new SkeinError('damaged', `the archive ends at byte ${at} of ${file.size}`);
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      at += bytes.length;
    }
  } finally {
    closeSync(handle);
  }
}
