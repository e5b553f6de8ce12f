import { buildConversation, buildSubagentConversation } from '../../chat/index.ts';
import type { ContentOf } from '../../model/index.ts';
import { jsonConversation } from '../../views/json/json-chat.ts';
import { renderChat } from '../../views/text/render-chat.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import type { Selection, ShowOptions } from './index.ts';

export function showChat({ session, thread, subagent }: Selection, output: Output, options: ShowOptions): void {
  const { tree } = session.logs.read();
  const prices = openPrices(options);
  const content: ContentOf = (record) => session.content(record);
  const view = subagent
    ? buildSubagentConversation(tree, session.id, subagent.id, content, { prices })
    : buildConversation(tree, session.id, thread?.id ?? null, content, { prices });
  for (const piece of options.text ? renderChat(view) : jsonConversation(view)) output.write(piece);
}
