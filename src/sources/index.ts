export type { LogFile } from './find-files.ts';
export { findLoneFile, findProjects, type ProjectFolder } from './find-projects.ts';
export { discoverRoots, type FoundRoots, openRoots, type Root, type Surroundings } from './find-roots.ts';
export type { Problem } from './problem.ts';
export { type ReadLog, readLog } from './read-log.ts';
