import type { Conversation } from './conversation.ts';
import { prose } from './text.ts';

/** What the human types. */
export const humanPrompt = (talk: Conversation): string => promptLine(talk, prose(talk.random, talk.size(180, 1.2)));

export function promptLine(talk: Conversation, content: unknown, source = 'typed'): string {
  talk.beforePrompt = talk.leaf;
  // Somebody read the answer first.
  talk.clock += talk.random.between(10_000, 900_000);
  const about = talk.lean ? {} : { promptId: talk.random.uuid(), permissionMode: 'default', promptSource: source };
  return talk.chain({ type: 'user', message: { role: 'user', content }, ...about });
}
