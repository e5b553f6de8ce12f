export { SeamFinder, type Seams } from './find-seams.ts';
export { Tree } from './tree.ts';
