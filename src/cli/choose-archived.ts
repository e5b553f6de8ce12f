import { join, resolve } from 'node:path';
import { filesOfProject, filesOfSession } from '../ingest/index.ts';
import { type ArchiveReader, SkeinError } from '../model/index.ts';
import { isBelow } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';

interface Choice {
  readonly project?: string;
  readonly root?: readonly string[];
}

/** The archived files that `ID` or `-p PROJECT` means, below `--root` where one is given. */
export function chosenFiles(
  archive: ArchiveReader,
  all: readonly ArchivedFile[],
  id: string | undefined,
  { project, root }: Choice,
): ArchivedFile[] {
  if ((id === undefined) === (project === undefined))
    throw new SkeinError('bad_input', 'Name a session by its id, or a project with -p');
  if (!root) return choose(archive, all, id, project);
  const isInside = isBelow(root.map((folder) => resolve(folder)));
  const narrowed: ArchiveReader = {
    keptFiles: () => archive.keptFiles().filter((file) => isInside(join(file.root, file.project))),
    readKept: (...place) => archive.readKept(...place),
    passKept: (file) => archive.passKept(file),
    forgotten: () => archive.forgotten(),
  };
  return choose(
    narrowed,
    all.filter((file) => isInside(join(file.root, file.project))),
    id,
    project,
  );
}

const choose = (
  archive: ArchiveReader,
  all: readonly ArchivedFile[],
  id: string | undefined,
  project: string | undefined,
): ArchivedFile[] =>
  project === undefined ? filesOfSession(archive, all, id ?? '') : filesOfProject(archive, all, project);
