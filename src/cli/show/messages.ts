import { buildMessages, type Message } from '../../messages/index.ts';
import { costOf } from '../../usage/index.ts';
import { jsonMessage } from '../../views/json/json-message.ts';
import { type Output, writeList } from '../output.ts';
import { openPrices } from '../prices.ts';
import { askedFor, recordsOf, type Selection, type ShowOptions } from './index.ts';

/** The whole session with all branches and sub-agents; a thread or a sub-agent that was asked for narrows it (P4). */
export function showMessages(selection: Selection, output: Output, options: ShowOptions): void {
  const { session } = selection;
  const prices = openPrices(options);
  const list = buildMessages(
    session.logs.read().tree,
    session.id,
    (record) => session.content(record),
    (usage) => costOf(usage, prices),
  );
  const wanted = askedFor(selection, options) ? new Set([...recordsOf(selection)].map(({ id }) => id)) : null;
  const items = list.items.filter((message: Message) => wanted === null || wanted.has(message.record));
  writeList(output, items.map(jsonMessage), items.length, { json: true }, () => session.unreadable);
}
