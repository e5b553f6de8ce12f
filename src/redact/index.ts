export { learnFrom, redactBlocks, redactContent } from './redact-content.ts';
export { Redactor, type Replacement, type Unseen } from './redactor.ts';
