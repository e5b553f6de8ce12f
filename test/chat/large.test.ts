import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { ContentOf } from '../../src/model/index.ts';
import { chatOf, defaultChat, groupOf, shapeOf } from '../kit/chat.ts';
import { contentFrom } from '../kit/content.ts';
import { assistant, claudeTree, type Json, toolResult, toolUse, user } from '../kit/transcript.ts';

const textOf = (lines: readonly Json[]): string[] => lines.map((line) => JSON.stringify(line));

describe('C19: long logs and damaged ones', () => {
  test('C19 check 20: in a turn of 8,000 calls each record is read once, and each call listed once', () => {
    const lines: Json[] = [user('u', null)];
    for (let i = 0; i < 8000; i++)
      lines.push(
        assistant(`a${i}`, lines.at(-1)?.uuid as string, [toolUse(`t${i}`)]),
        user(`r${i}`, `a${i}`, [toolResult(`t${i}`)]),
      );
    const read = contentFrom(claudeCode, { 's.jsonl': lines });
    let asked = 0;
    const content: ContentOf = (record) => {
      asked++;
      return read(record);
    };
    const view = defaultChat(claudeTree(lines), content);
    // Of what nobody has looked at nothing is read.
    expect(asked).toBe(1);
    expect(groupOf(view).itemsSummary).toBe('8000 tool calls');
    expect(groupOf(view).stepGroups).toHaveLength(8000);
    expect(asked).toBe(8001);
  });

  test('C19 check 20: a line that is still being written is not there, a broken one in the middle is skipped', () => {
    const [first = '', second = '', third = ''] = textOf([user('u1', null), assistant('a1', 'u1'), user('u2', 'a1')]);
    expect(shapeOf(chatOf({ 's.jsonl': `${first}\n{"type":"us\n${second}\n${third.slice(0, 40)}` }))).toEqual([
      'user u1',
      'ai a1',
    ]);
    const tree = claudeTree({ 's.jsonl': `${first}\n{"type":"us\n${second}\n` });
    expect(tree.accounting().reported).toBe(1);
  });

  test('C19 a value nested 20,000 deep is shown', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const line = JSON.stringify(assistant('a1', null, [toolUse('T', 'Odd', { deep: 'DEEP' })])).replace('"DEEP"', deep);
    const view = chatOf({ 's.jsonl': `${line}\n` });
    expect(groupOf(view).linkedTools.get('T')?.inputPreview).toMatch(/^\{"deep":\[\[/);
  });
});
