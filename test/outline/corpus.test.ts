import { describe, expect, test } from 'vitest';
import { buildConversation, type ChatItem } from '../../src/chat/index.ts';
import type { Session } from '../../src/history/index.ts';
import type { Key } from '../../src/model/index.ts';
import { corpusSessions, hasCorpus, outlineOf } from '../kit/corpus.ts';
import { nodesOf } from './view.ts';

/** What an outline names: its nodes and what else leads to them. */
function namesIn(session: Session) {
  const nodes = nodesOf(outlineOf(session).root);
  return {
    ids: nodes.map(({ id }) => id),
    anchors: new Set(nodes.flatMap(({ id, aliases }) => [id, ...aliases])),
    calls: new Set(nodes.flatMap(({ tool }) => (tool ? [tool.id] : []))),
    subagents: new Set(nodes.flatMap(({ subagent }) => (subagent === null ? [] : [subagent]))),
  };
}

describe.skipIf(!hasCorpus)('Law 5: the outline of every session of the corpus', () => {
  const sessions = corpusSessions();

  test('O2 has every id once', () => {
    for (const session of sessions) {
      const { ids } = namesIn(session);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('O2 has the records, calls and sub-agents that the tree (and so json) has', () => {
    for (const session of sessions) {
      const { tree } = session.logs.read();
      const { anchors, calls, subagents } = namesIn(session);
      const facts = tree.session(session.id);
      const expected = { records: new Set<Key>(), calls: new Set<string>(), subagents: new Set<string>() };
      const shown = facts.subagents.filter(({ hidden }) => !hidden);
      const prompts = new Set(shown.flatMap(({ id, spawn }) => (spawn ? tree.subagentRecords(id).slice(0, 1) : [])));
      for (const id of [...tree.records(session.id), ...shown.flatMap((each) => tree.subagentRecords(each.id))]) {
        const record = tree.record(id);
        if (!record || record.hidden || prompts.has(id)) continue;
        expected.records.add(id);
        for (const call of record.calls) expected.calls.add(call.id);
        if (record.subagent !== null) expected.subagents.add(record.subagent);
      }
      expect([...expected.records].filter((id) => !anchors.has(id))).toEqual([]);
      expect([...expected.calls].filter((id) => !calls.has(id))).toEqual([]);
      expect([...expected.subagents].filter((id) => !subagents.has(id))).toEqual([]);
    }
  });

  test('O2 has every record that the chat shows', () => {
    for (const session of sessions) {
      const { tree } = session.logs.read();
      const { anchors } = namesIn(session);
      for (const thread of tree.session(session.id).threads) {
        const { items } = buildConversation(tree, session.id, thread.id, (record) => session.content(record));
        expect(items.flatMap(recordsOf).filter((id) => !anchors.has(id))).toEqual([]);
      }
    }
  });
});

const recordsOf = (item: ChatItem): Key[] =>
  item.type === 'ai' ? item.group.responses.map(({ id }) => id) : [item.group.message.id];
