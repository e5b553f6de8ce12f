export { redactContent } from './redact-content.ts';
export { Redactor, type Replacement } from './redactor.ts';
