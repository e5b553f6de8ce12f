export { printable, printableLine } from '../printable.ts';
