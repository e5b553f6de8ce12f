export type { ResultLine } from './find-results.ts';
export type { Sketch } from './sketch-record.ts';
export { lookThrough, NO_PROMPTS, promptsOfThreads, type ThreadPrompts } from './thread-prompts.ts';
export { TiedFiles } from './tied-files.ts';
export { type ThreadPath, Tree } from './tree.ts';
