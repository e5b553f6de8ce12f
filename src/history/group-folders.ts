import type { Format } from '../model/index.ts';
import type { LogFile, ProjectFolder } from '../sources/index.ts';

/** Everything agents left for one working folder. */
export interface FolderGroup {
  readonly id: string;
  /** The working folder; the folder of the logs where they do not say it. */
  readonly path: string;
  /** Names that lead here. */
  readonly names: readonly string[];
  readonly logs: readonly { readonly format: Format; readonly files: readonly LogFile[] }[];
  /** Of its sessions only the prompts are left. */
  readonly recovered?: boolean;
}

/** One group per working folder, over several roots and agents. */
export function groupFolders(folders: readonly ProjectFolder[]): FolderGroup[] {
  const byPath = new Map<string, ProjectFolder[]>();
  for (const folder of folders) {
    const path = folder.cwd ?? folder.folder;
    byPath.set(path, [...(byPath.get(path) ?? []), folder]);
  }
  return [...byPath].map(([path, group]) => groupOf(path, group));
}

function groupOf(path: string, group: readonly ProjectFolder[]): FolderGroup {
  const sorted = [...group].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const byFormat = new Map<Format, LogFile[]>();
  const taken = new Set<string>();
  for (const { format, id, folder, files } of sorted) {
    const own = taken.has(`${format.name} ${id}`) ? files.map((file) => withFolder(file, id, folder)) : files;
    taken.add(`${format.name} ${id}`);
    byFormat.set(format, [...(byFormat.get(format) ?? []), ...own]);
  }
  return {
    id: sorted[0]?.id ?? path,
    path,
    names: [...new Set(sorted.map(({ id }) => id))],
    logs: [...byFormat].map(([format, files]) => ({ format, files })),
  };
}

/** Two roots may hold the same project folder with files of the same names: the second goes by its whole path. */
const withFolder = (file: LogFile, id: string, folder: string): LogFile => ({
  ...file,
  facts: { ...file.facts, id: folder + file.facts.id.slice(id.length) },
});
