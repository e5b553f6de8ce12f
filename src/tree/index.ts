export { Tree } from './tree.ts';
