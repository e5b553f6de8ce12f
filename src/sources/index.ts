export { fillGaps, findArchived } from './find-archived.ts';
export { isBelow, type LogFile, realpath, walkFiles } from './find-files.ts';
export { type FolderPlace, findFolders, findLoneFile, findProjects, type ProjectFolder } from './find-projects.ts';
export { discoverRoots, type FoundRoots, openRoots, type Root } from './find-roots.ts';
export { FollowedLog } from './follow-log.ts';
export { type Problem, reasonOf } from './problem.ts';
export { type Extent, piecesOf, readBatches, readLines, readLog, skimLog } from './read-log.ts';
export { BEGINNING, readTail } from './read-tail.ts';
export { firstLines } from './sniff-format.ts';
