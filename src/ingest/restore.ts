import { closeSync, lstatSync, mkdirSync, openSync, realpathSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { SkeinError } from '../model/index.ts';
import type { Archive, ArchivedFile } from '../stores/store.ts';

const PIECE = 1024 * 1024;

/** Writes archived files as they were to `<folder>/<project>/<path>` and nowhere else. Nothing is written when one of them is there already. */
export async function restoreFiles(
  archive: Archive,
  files: readonly ArchivedFile[],
  folder: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<string[]> {
  const targets = files.map((file) => ({ file, path: targetOf(file, folder) }));
  const twice = targets.find(({ path }, i) => targets.findIndex((other) => other.path === path) !== i);
  if (twice)
    throw new SkeinError('ambiguous', `Two roots have a ${twice.path}; restore them one after the other with --root`);
  const taken = force ? undefined : targets.find(({ path }) => lstatSync(path, { throwIfNoEntry: false }));
  if (taken) throw new SkeinError('bad_input', `${taken.path} is there already; --force writes over it`);
  for (const { file, path } of targets) await restoreFile(archive, file, path, resolve(folder));
  return targets.map(({ path }) => path);
}

/** An older generation is told by its number: `<path>~0`. */
function targetOf({ project, path, generation, replacedAt }: ArchivedFile, folder: string): string {
  const parts = [...(project === '' ? [] : [project]), ...path.split('/')];
  // Names in an archive may come from anywhere.
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part) || part.includes(sep)))
    throw new SkeinError(
      'bad_input',
      `${JSON.stringify(`${project}/${path}`)} is no name for a file; it is not restored`,
    );
  return join(resolve(folder), ...parts) + (replacedAt === null ? '' : `~${generation}`);
}

async function restoreFile(archive: Archive, file: ArchivedFile, path: string, folder: string): Promise<void> {
  let handle: number;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const [real, bound] = [realpathSync(dirname(path)), realpathSync(folder)];
    // A link that lies in the folder must not lead out of it.
    if (real !== bound && !real.startsWith(bound + sep))
      throw new SkeinError('bad_input', `${dirname(path)} leads out of ${folder}; nothing is written there`);
    rmSync(path, { force: true });
    handle = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof SkeinError) throw error;
    throw new SkeinError('unwritable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  }
  try {
    for (let at = 0; at < file.size; ) {
      const bytes = await archive.read(file.id, at, PIECE);
      if (bytes.length === 0)
        throw new SkeinError('damaged', `${path}: the archive ends at byte ${at} of ${file.size}`);
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      at += bytes.length;
    }
  } finally {
    closeSync(handle);
  }
  utimesSync(path, file.modified / 1000, file.modified / 1000);
}
