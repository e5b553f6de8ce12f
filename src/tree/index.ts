export { type ThreadPath, Tree } from './tree.ts';
