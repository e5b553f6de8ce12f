export { buildConversation, buildSubagentConversation, type ChatOptions, updateConversation } from './conversation.ts';
export type * from './types.ts';
