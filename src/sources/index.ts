export type { LogFile } from './find-files.ts';
export { findLoneFile, findProjects, type ProjectFolder } from './find-projects.ts';
export { discoverRoots, openRoots } from './find-roots.ts';
export { FollowedLog } from './follow-log.ts';
export type { Problem } from './problem.ts';
export { readLines, readLog } from './read-log.ts';
export { BEGINNING, readTail } from './read-tail.ts';
