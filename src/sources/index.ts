export { entriesOf, nameOf, onDisk, realpath } from './byte-names.ts';
export { holds, judge } from './compare-file.ts';
export { fillGaps, findArchived } from './find-archived.ts';
export { isBelow, type LogFile, logFacts, statsOf, walkFiles } from './find-files.ts';
export {
  type FolderPlace,
  findCwd,
  findFolders,
  findLoneFile,
  findProjects,
  type ProjectFolder,
} from './find-projects.ts';
export { findPrompts, type PromptFile } from './find-prompts.ts';
export { discoverRoots, type FoundRoots, openRoots, type Root } from './find-roots.ts';
export { FollowedLog } from './follow-log.ts';
export { openFile } from './open-file.ts';
export { type Problem, reasonOf } from './problem.ts';
export { piecesOf, readLines, readLog } from './read-log.ts';
export { BEGINNING, readTail, TAIL_PIECE } from './read-tail.ts';
export { fileReceiver, type SentFile, sendFile } from './sent-file.ts';
export { firstLines, recallFormat } from './sniff-format.ts';
export { type IsLog, logsIn } from './whose-files.ts';
