export {
  buildConversation,
  buildSubagentConversation,
  type ChatOptions,
  updateConversation,
} from './build-conversation.ts';
export { type GroupContext, groupContexts } from './group-context.ts';
export type * from './types.ts';
