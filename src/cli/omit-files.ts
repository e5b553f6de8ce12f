import type { History } from '../history/index.ts';
import { type Indexable, isExcluded, readExclude } from '../ingest/index.ts';
import { isForgotten } from '../ingest/tombstone.ts';
import { openArchive } from './data-folder.ts';
import { dataFolder } from './data-place.ts';

/** Paths of files that were forgotten or are excluded: what is in them is not kept in the data folder, neither in the index nor as pages. */
export async function omitFiles({ projects }: Pick<History, 'projects'>): Promise<Set<string>> {
  const exclude = readExclude(dataFolder());
  const archive = openArchive();
  const tombstones = (await archive?.tombstones()) ?? new Set<string>();
  await archive?.close();
  const omitted = new Set<string>();
  for (const { path: cwd, files } of projects)
    for (const { facts, path: full } of files) {
      const { project, format: agent } = facts;
      const path = facts.id.slice(project.length + 1);
      const isOut =
        isExcluded(exclude, { cwd, project, path, full }) ||
        isForgotten(tombstones, { root: '', agent, project, path });
      if (isOut) omitted.add(full);
    }
  return omitted;
}

/** What may be indexed. */
export async function withoutOmitted({ projects }: Pick<History, 'projects'>): Promise<Indexable> {
  const omitted = await omitFiles({ projects });
  if (omitted.size === 0) return { projects };
  return {
    projects: projects.flatMap(({ id, path, names, logs }) => {
      const left = logs.map(({ format, files }) => ({
        format,
        files: files.filter((file) => !omitted.has(file.path)),
      }));
      const kept = left.filter(({ files }) => files.length > 0);
      return kept.length > 0 ? [{ id, path, names, logs: kept }] : [];
    }),
  };
}
