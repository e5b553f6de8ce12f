export {
  buildConversation,
  buildSubagentConversation,
  type ChatOptions,
  updateConversation,
} from './build-conversation.ts';
export type * from './types.ts';
