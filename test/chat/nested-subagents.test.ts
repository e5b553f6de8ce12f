import { expect, test } from 'vitest';
import { updateConversation } from '../../src/chat/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { ContentOf } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { jsonConversation } from '../../src/views/json/json-chat.ts';
import { chatOf, defaultChat, groupOf, IDLE } from '../kit/chat.ts';
import { contentFrom } from '../kit/content.ts';
import { assistant, type Files, factsOf, type Json, linesOf, toolResult, toolUse, user } from '../kit/transcript.ts';

const pathOf = (level: number): string => (level === 0 ? 's.jsonl' : `s/subagents/agent-x${level}.jsonl`);

/** A session whose agent starts another one, which starts another one. */
function nested(depth: number): Files {
  const levels = Array.from({ length: depth + 1 }, (_, level): [string, Json[]] => {
    const side = level === 0 ? {} : { isSidechain: true, agentId: `x${level}` };
    const [prompt, answer, result] = [`u${level}`, `a${level}`, `r${level}`];
    const lines = [user(prompt, null, `look ${level}`, side)];
    if (level === depth) lines.push(assistant(answer, prompt, 'seen', side));
    else {
      const call = toolUse(`T${level}`, 'Task', { prompt: `look ${level + 1}` });
      const told = { toolUseResult: { agentId: `x${level + 1}` } };
      lines.push(assistant(answer, prompt, [call], side));
      lines.push(user(result, answer, [toolResult(`T${level}`)], { ...side, ...told }));
    }
    return [pathOf(level), lines];
  });
  return Object.fromEntries(levels);
}

const written = (depth: number): string => [...jsonConversation(chatOf(nested(depth)))].join('');

test('attack D1: sub-agents nested twice as deep take twice as many characters', () => {
  const [once, twice] = [written(16).length, written(32).length];
  expect(twice).toBeLessThan(2.1 * once);
});

test('attack D1: what a sub-agent said is written where its group lists it, and referred to by its id elsewhere', () => {
  const group = JSON.parse(written(2)).items[1].group;
  const [outer] = group.processes;
  const [inner] = outer.conversation.items[1].group.processes;
  expect([outer.conversation.items.length, inner.conversation.items.length]).toEqual([2, 2]);
  const item = group.display_items.find(({ type }: { type: string }) => type === 'subagent');
  expect(item.subagent).toEqual({ ...outer, conversation: { session_id: 'x1' } });
});

test('attack D1: in the library it is one object in both places', () => {
  const { processes, displayItems } = groupOf(chatOf(nested(1)));
  const [item] = displayItems;
  expect(item?.type === 'subagent' && item.subagent).toBe(processes[0]);
});

test.each([8, 32])(
  'attack D1, law 4: below %i sub-agents one more line costs the content of a few records',
  (depth) => {
    const last = pathOf(depth);
    const prompt = user('more', `a${depth}`, 'and now?', { isSidechain: true, agentId: `x${depth}` });
    const files = nested(depth);
    const grown: Files = { ...files, [last]: [...(files[last] as Json[]), prompt] };
    const tree = new Tree();
    for (const path of Object.keys(files))
      tree.add(factsOf(claudeCode, path), linesOf(claudeCode, path, files[path] ?? []));
    const read = contentFrom(claudeCode, grown);
    let asked = 0;
    const content: ContentOf = (record) => {
      asked++;
      return read(record);
    };
    const before = defaultChat(tree, content);
    asked = 0;
    const change = tree.add(factsOf(claudeCode, last), linesOf(claudeCode, last, grown[last] ?? []).slice(-1));
    const after = updateConversation(before, tree, change, content, IDLE);
    expect(asked).toBe(1);
    expect([...jsonConversation(after)].join('')).toBe([...jsonConversation(defaultChat(tree, read))].join(''));
  },
);
