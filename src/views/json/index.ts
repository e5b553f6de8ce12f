export { jsonContext } from './json-context.ts';
export { jsonSession, jsonThread } from './json-lists.ts';
export { isoTime, jsonUsageSum } from './json-record.ts';
export { jsonThreadDocument } from './json-thread.ts';
