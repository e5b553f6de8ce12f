export { learnFrom, redactBlocks, redactContent } from './redact-content.ts';
export { Redactor } from './redactor.ts';
