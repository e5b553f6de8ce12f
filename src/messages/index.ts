export { checkMessages } from './check-messages.ts';
export { countMessages, extractMessages } from './extract.ts';
export type { CostOf, Message } from './message.ts';
export { buildMessages, eachRecord, type MessageList, updateMessages } from './message-list.ts';
export { callOf, hasImage, joinTexts, type LineText, lineTexts, resultText, searchText } from './message-text.ts';
export { type ResultsAt, type StrayResult, strayResults } from './stray-results.ts';
export { type TouchedFile, touchedFiles } from './touched-files.ts';
export { type MessageFinding, validateMessages } from './validate.ts';
