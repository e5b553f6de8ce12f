import {
  buildConversation,
  buildSubagentConversation,
  type GroupContext,
  groupContexts,
  type SessionConversation,
} from '../../chat/index.ts';
import type { ContentOf } from '../../model/index.ts';
import { jsonConversation } from '../../views/json/json-chat.ts';
import { renderChat } from '../../views/text/render-chat.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { threadContext } from '../thread-context.ts';
import type { Selection, ShowOptions } from './index.ts';

export function showChat(selection: Selection, output: Output, options: ShowOptions): void {
  const { session, thread, subagent } = selection;
  const { tree } = session.logs.read();
  const prices = openPrices(options);
  const content: ContentOf = (record) => session.content(record);
  const view = subagent
    ? buildSubagentConversation(tree, session.id, subagent.id, content, { prices })
    : buildConversation(tree, session.id, thread?.id ?? null, content, { prices });
  if (options.text) for (const piece of renderChat(view)) output.write(piece);
  else for (const piece of jsonConversation(view, contextsOf(selection, view), session.unreadable)) output.write(piece);
}

/** What each group found in the model's window. The window of a sub-agent is not told. */
function contextsOf({ session, thread, subagent }: Selection, view: SessionConversation): Map<string, GroupContext> {
  if (subagent || !thread) return new Map();
  return groupContexts(view, threadContext(session, thread));
}
