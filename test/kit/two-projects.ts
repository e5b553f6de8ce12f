import fc from 'fast-check';
import { projects, type RandomProject } from './random-project.ts';
import type { Files } from './transcript.ts';

const ID = /"([a-h]|[stmg][1-9]|[ABC])"|<(task-id|tool-use-id)>(\w+)</g;
const PATH = /\b(s\d|g\d|[AB](?=[./]))/g;

/** The same files with other names for everything that has an id: what they say stays. */
function rename(files: Files): Files {
  const renamed = JSON.stringify(files).replace(ID, (_, id, tag, inTag) => (tag ? `<${tag}>${inTag}z<` : `"${id}z"`));
  return Object.fromEntries(
    Object.entries(JSON.parse(renamed) as Files).map(([path, lines]) => [path.replace(PATH, '$1z'), lines]),
  );
}

/** Two in one folder that have nothing to do with each other, and each has few ids for everything. */
export const twoProjects: fc.Arbitrary<RandomProject> = fc
  .tuple(projects, projects)
  .filter(([a, b]) => a.format === b.format)
  .map(([{ format, files }, other]) => ({ format, files: { ...files, ...rename(other.files) } }));
