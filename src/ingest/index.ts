export { readExclude } from './exclude.ts';
export { findDeletions } from './find-deletions.ts';
export { FollowedIndex, type Indexed } from './follow-index.ts';
export { forgetFiles, forgetPrompts, nativeOf } from './forget.ts';
export { type Ingested, ingest, isUpToDate, type Progress } from './ingest.ts';
export { restoreFiles } from './restore.ts';
export { filesOfProject, filesOfSession, promptsOnly } from './select-files.ts';
export { unitOf } from './tombstone.ts';
export { watch } from './watch.ts';
