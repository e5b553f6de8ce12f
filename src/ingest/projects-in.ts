import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { findCwd, type LogFile, logFacts, type ProjectFolder } from '../sources/index.ts';
import type { Archivable, FoundFile } from './find-archivable.ts';

/** The projects as `findProjects` finds them, without another walk; null where something was left out: it may be what tells a working folder. */
export function projectsIn({ files, places, isAll }: Archivable): ProjectFolder[] | null {
  if (!isAll) return null;
  const logs = files.filter(({ kind }) => kind === 'log');
  const folders = Map.groupBy(logs, (file) => `${file.agent}\n${folderOf(file)}`);
  return [...folders.values()].map((found) => {
    const [first] = found as [FoundFile, ...FoundFile[]];
    const format = formats.find(({ name }) => name === first.agent) as Format;
    const folder = folderOf(first);
    const files = found
      .flatMap((file) => logIn(format, folder, file))
      .sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
    const project = { format, id: first.project, folder, cwd: null, files };
    return places.has(folder) ? { ...project, cwd: findCwd(project) } : project;
  });
}

const folderOf = ({ full, path }: FoundFile): string => full.slice(0, -path.length - 1);

function logIn(format: Format, folder: string, { path, full, size, modified }: FoundFile): LogFile[] {
  const facts = logFacts(format, folder, path);
  return facts ? [{ facts, path: full, size, modified }] : [];
}
