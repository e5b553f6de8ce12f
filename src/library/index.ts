export * from '../history/index.ts';
export { type ScanOptions, ScanSearch } from '../history/scan/scan-search.ts';
export { readRows } from './read-rows.ts';
