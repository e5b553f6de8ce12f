import { basename, dirname, join } from 'node:path';
import { formats } from '../formats/index.ts';
import type { ArchiveReader, Format, KeptFile } from '../model/index.ts';
import { realpath } from './byte-names.ts';
import { type KeptBytes, type LogFile, logFacts } from './find-files.ts';
import { findCwd, type ProjectFolder } from './find-projects.ts';
import { isUnknown, recogniseFile } from './sniff-format.ts';

/** The logs an archive holds, as project folders. `isWanted` is asked with the place of a folder. */
export function findArchived(
  archive: ArchiveReader,
  isWanted: (folder: string) => boolean = () => true,
): ProjectFolder[] {
  const folders = new Map<
    string,
    { readonly format: Format; readonly folder: string; readonly files: Map<string, KeptFile> }
  >();
  for (const file of archive.keptFiles()) {
    const format = formats.find(({ name }) => name === file.agent);
    if (!format || file.project === '') continue;
    const folder = join(file.root, file.project);
    const key = `${format.name}\n${folder}`;
    const known = folders.get(key);
    if (known) known.files.set(file.path, file);
    else if (isWanted(folder)) folders.set(key, { format, folder, files: new Map([[file.path, file]]) });
  }
  return [...folders.values()].flatMap(({ format, folder, files }) => {
    const logs = [...files.values()].flatMap((file) => logOf(archive, format, folder, file, files));
    const project = { format, id: basename(folder), folder, cwd: null, files: logs };
    return logs.length > 0 ? [project] : [];
  });
}

/** What lies on disk is read there; archived files fill the gaps. */
export function fillGaps(found: readonly ProjectFolder[], archived: readonly ProjectFolder[]): ProjectFolder[] {
  const left = new Map(archived.map((project) => [keyOf(project), project]));
  const filled = found.map((project) => {
    const kept = left.get(keyOf(project));
    left.delete(keyOf(project));
    const present = new Set(project.files.map(({ facts }) => facts.id));
    const gone = (kept?.files ?? []).filter((file) => !present.has(file.facts.id) && !isOthers(project.format, file));
    if (gone.length === 0) return project;
    const files = [...project.files, ...gone].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
    return { ...project, files, cwd: project.cwd ?? findCwd({ ...project, files }) };
  });
  const gone = [...left.values()].flatMap((project) => {
    const files = project.files.filter((file) => !isOthers(project.format, file));
    return files.length > 0 ? [{ ...project, files, cwd: findCwd({ ...project, files }) }] : [];
  });
  return [...filled, ...gone];
}

/** It lies on disk, and was archived when it was still taken for one of these logs. */
const isOthers = (format: Format, { path }: LogFile): boolean => {
  const found = recogniseFile(path);
  return !isUnknown(found) && found.format !== format;
};

/** Archived places begin with a real path, found ones with the path that was given. */
const keyOf = ({ format, id, folder }: ProjectFolder): string =>
  `${format.name}\n${join(realpath(dirname(folder)) ?? dirname(folder), id)}`;

function logOf(
  archive: ArchiveReader,
  format: Format,
  folder: string,
  file: KeptFile,
  siblings: ReadonlyMap<string, KeptFile>,
): LogFile[] {
  const facts = logFacts(format, folder, file.path);
  const { size, modified } = file;
  return facts ? [{ facts, path: facts.path, size, modified, kept: keptBytes(archive, file, siblings) }] : [];
}

function keptBytes(
  archive: ArchiveReader,
  { id, path, size }: KeptFile,
  siblings: ReadonlyMap<string, KeptFile>,
): KeptBytes & { readonly size: number } {
  return {
    id,
    path,
    size,
    read: (offset, length) => archive.readKept(id, offset, length),
    pieces: () => archive.passKept(id),
    sibling: (other) => {
      const found = siblings.get(other);
      return found ? keptBytes(archive, found, siblings) : null;
    },
    names: (folder) =>
      [...siblings.keys()].flatMap((other) =>
        other.startsWith(`${folder}/`) && !other.includes('/', folder.length + 1)
          ? [other.slice(folder.length + 1)]
          : [],
      ),
  };
}
