export { jsonContext } from './json-context.ts';
export { jsonSession, jsonThread } from './json-lists.ts';
export { isoTime, jsonAnnotations, jsonUsageSum } from './json-record.ts';
export { jsonText } from './json-text.ts';
export { jsonThreadDocument } from './json-thread.ts';
export { endWithWarnings, jsonWarnings } from './json-warnings.ts';
