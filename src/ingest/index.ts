export { readExclude } from './exclude.ts';
export { type Ingested, ingest, type Progress } from './ingest.ts';
