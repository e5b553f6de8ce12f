import { describe, expect, test } from 'vitest';
import type { OutlineNode } from '../../src/outline/index.ts';
import {
  assistant,
  bashEscape,
  command,
  type Files,
  type Json,
  stdout,
  system,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';
import { claudeOutline, nodesOf, shapeOf } from './view.ts';

const thinking = (text: string): Json => ({ type: 'thinking', thinking: text });
const said = (text: string): Json => ({ type: 'text', text });

describe('O2 ids', () => {
  const lines = [
    user('u1', null),
    assistant('a1', 'u1', [thinking('hm'), said('first'), toolUse('T1'), said('second'), toolUse('T2')]),
    user('r1', 'a1', [toolResult('T1')]),
    user('r2', 'r1', [toolResult('T2')]),
  ];

  test("a record's first block has its id, the others say which they are", () => {
    const { outline, at } = claudeOutline(lines);
    expect(shapeOf(outline.root)).toBe('session-s(u1(a1(a1_tool_0) a1_text_1(a1_tool_1)))');
    expect(at('a1').aliases).toContain('a1_text_0');
    expect(at('a1_tool_1').aliases).toContain('a1_result_1');
  });

  test('they stay the same whatever is appended', () => {
    const ids = (count: number) => claudeOutline(lines.slice(0, count)).all.map(({ id }) => id);
    const last = ids(lines.length);
    for (let count = 1; count <= lines.length; count++) expect(last).toEqual(expect.arrayContaining(ids(count)));
  });

  test('ancestry leads from the session to the parent', () => {
    const { all } = claudeOutline(lines);
    const byId = new Map(all.map((node) => [node.id, node]));
    for (const node of all)
      for (const child of node.children) {
        expect(child.ancestry).toEqual([...node.ancestry, node.id]);
        expect(byId.get(child.ancestry.at(-1) ?? '')).toBe(node);
      }
  });
});

describe('O3 pairs are one node', () => {
  test('a call and its result, with the time between them', () => {
    const { at, all } = claudeOutline([
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'ls' })], { timestamp: '2026-01-01T00:00:01.000Z' }),
      user('r1', 'a1', [toolResult('T', 'a\nb')], { timestamp: '2026-01-01T00:00:03.500Z' }),
    ]);
    expect(at('a1').pair).toMatchObject({ id: 'a1_result_0', type: 'result', text: 'a\nb', durationMs: 2500 });
    expect(all.map(({ id }) => id)).toEqual(['session-s', 'u1', 'a1']);
  });

  test('a thought and the answer behind it', () => {
    const { at } = claudeOutline([user('u1', null), assistant('a1', 'u1', [thinking('hm'), said('so')])]);
    expect(at('a1')).toMatchObject({ type: 'thinking', text: 'hm', pair: { type: 'assistant', text: 'so' } });
    expect(at('u1').immediateByType).toEqual({ assistant: 1 });
  });

  test('a thought in front of a tool stands alone', () => {
    const { at } = claudeOutline([user('u1', null), assistant('a1', 'u1', [thinking('hm'), toolUse('T')])]);
    expect(at('a1').pair).toBeUndefined();
    expect(at('u1').immediateByType).toEqual({ thinking: 1 });
  });

  test('a command and its output, a shell command and its output', () => {
    const { at, all } = claudeOutline([
      user('u1', null),
      command('c1', 'u1', '/model'),
      stdout('o1', 'c1', 'set'),
      bashEscape('b1', 'o1'),
      user('b2', 'b1', '<bash-stdout>file</bash-stdout><bash-stderr></bash-stderr>'),
    ]);
    expect(at('c1').pair).toMatchObject({ type: 'output', text: 'set' });
    expect(at('b1').pair).toMatchObject({ type: 'output', text: 'file' });
    expect(all).toHaveLength(4);
  });

  test('O3 what a command and a shell command printed has its own time, and how long it took', () => {
    const { at } = claudeOutline([
      user('u1', null),
      { ...command('c1', 'u1', '/model'), timestamp: '2026-01-01T00:00:01.000Z' },
      { ...stdout('o1', 'c1', 'set'), timestamp: '2026-01-01T00:00:21.000Z' },
      { ...bashEscape('b1', 'o1'), timestamp: '2026-01-01T00:01:00.000Z' },
      user('b2', 'b1', '<bash-stdout>file</bash-stdout>', { timestamp: '2026-01-01T00:01:30.000Z' }),
    ]);
    expect(at('c1').pair).toMatchObject({ time: Date.UTC(2026, 0, 1, 0, 0, 21), durationMs: 20_000 });
    expect(at('b1').pair).toMatchObject({ durationMs: 30_000 });
  });

  test('a failed call says so', () => {
    const { at } = claudeOutline([
      assistant('a1', null, [toolUse('T')]),
      user('r1', 'a1', [toolResult('T', 'x', true)]),
    ]);
    expect(at('a1')).toMatchObject({ isError: true, tool: { isError: true } });
  });
});

const spawn = (id: string, prompt: string): Json => toolUse(id, 'Task', { description: prompt, prompt });
const inAgent = (agentId: string, line: Json): Json => ({ ...line, isSidechain: true, agentId });

function nested(innerPrompt = 'look deeper', innerAnswer = 'inner done'): Files {
  return {
    's.jsonl': [
      user('u1', null),
      assistant('a1', 'u1', [spawn('T1', 'look')]),
      user('r1', 'a1', [toolResult('T1', [{ type: 'text', text: 'outer done' }])], {
        toolUseResult: { agentId: 'g1' },
      }),
    ],
    's/subagents/agent-g1.jsonl': [
      inAgent('g1', user('x1', null, 'look')),
      inAgent('g1', assistant('x2', 'x1', [spawn('T2', 'look deeper')])),
      inAgent('g1', user('x3', 'x2', [toolResult('T2', 'inner done')], { toolUseResult: { agentId: 'g2' } })),
      inAgent('g1', assistant('x4', 'x3', 'outer done')),
    ],
    's/subagents/agent-g2.jsonl': [
      inAgent('g2', user('y1', null, innerPrompt)),
      inAgent('g2', assistant('y2', 'y1', [toolUse('T3')])),
      inAgent('g2', user('y3', 'y2', [toolResult('T3')])),
      inAgent('g2', assistant('y4', 'y3', innerAnswer)),
    ],
  };
}

describe('O1 and O4 sub-agents', () => {
  test('each hangs on its call, two levels deeper than the one before', () => {
    const { outline, at } = claudeOutline(nested());
    expect(shapeOf(outline.root)).toBe('session-s(u1(a1(x2(y2 y4) x4)))');
    expect(['a1', 'x2', 'x4', 'y2', 'y4'].map((id) => at(id).level)).toEqual([3, 5, 4, 7, 6]);
    expect(at('y2').ancestry).toContain('x2');
    expect(at('x2').ancestry).toContain('a1');
    expect(at('y2').subagent).not.toBeNull();
  });

  test('a first prompt that is the one of the call is not said again', () => {
    const { all } = claudeOutline(nested());
    expect(all.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['x1']));
    expect(all.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['y1']));
  });

  test('another first prompt is shown, on the level of answers', () => {
    expect(claudeOutline(nested('something else')).at('y1')).toMatchObject({ type: 'user', level: 6 });
  });

  test('a last message that is the result is a link to it, another is not', () => {
    const { at } = claudeOutline(nested());
    expect(at('x4')).toMatchObject({ sameAs: 'a1_result_0', blocks: [] });
    expect(at('y4').sameAs).toBe('x2_result_0');
    expect(claudeOutline(nested('look deeper', 'other words')).at('y4').sameAs).toBeUndefined();
  });

  test('the tail that the agent adds to a result does not hide that it is the same', () => {
    const files = nested();
    const main = files['s.jsonl'] as Json[];
    const tail = 'outer done\n\nagentId: g1 (for resuming)\n<usage>total_tokens: 5</usage>';
    const result = user('r1', 'a1', [toolResult('T1', [{ type: 'text', text: tail }])], {
      toolUseResult: { agentId: 'g1' },
    });
    expect(claudeOutline({ ...files, 's.jsonl': [...main.slice(0, 2), result] }).at('x4').sameAs).toBe('a1_result_0');
  });

  test('a result of a hundred thousand empty lines is compared at once', () => {
    const files = nested();
    const main = files['s.jsonl'] as Json[];
    const result = user('r1', 'a1', [toolResult('T1', '\n'.repeat(200_000))], { toolUseResult: { agentId: 'g1' } });
    // With a pattern that looks back at every line this takes minutes.
    const { at } = claudeOutline({ ...files, 's.jsonl': [...main.slice(0, 2), result] });
    expect(at('x4').sameAs).toBeUndefined();
  });
});

describe('O5 counts', () => {
  /** What the numbers say, counted the slow way. */
  function expectCounts(node: OutlineNode): void {
    const below = nodesOf(node).slice(1);
    const typeOf = ({ type, pair }: OutlineNode) => (type === 'thinking' && pair ? 'assistant' : type);
    const byType = (nodes: readonly OutlineNode[]) => {
      const counts: Record<string, number> = {};
      for (const each of nodes) counts[typeOf(each)] = (counts[typeOf(each)] ?? 0) + 1;
      return counts;
    };
    expect(node).toMatchObject({
      hasChildren: below.length > 0,
      immediateCount: node.children.length,
      totalCount: below.length,
    });
    expect(node.immediateByType).toEqual(byType(node.children));
    expect(node.totalByType).toEqual(byType(below));
  }

  test('they are what is shown: pairs once, nothing that was left out', () => {
    for (const node of claudeOutline(nested()).all) expectCounts(node);
    const { at } = claudeOutline([
      user('u1', null),
      assistant('a1', 'u1', [thinking('hm'), said('so'), toolUse('T1'), toolUse('T2')]),
      user('r1', 'a1', [toolResult('T1')]),
      system('y1', 'r1', 'note', { content: 'x', level: 'info' }),
    ]);
    expect(at('u1').totalByType).toEqual({ assistant: 1, tool: 2, system: 1 });
    expect(at('a1').allPaired).toBe(false);
  });

  test('a hundred thousand nodes are counted in one pass: a pass per node would take minutes', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) =>
      assistant(`a${i}`, i === 0 ? null : `a${i - 1}`, [said('x'), toolUse(`T${i}`)]),
    );
    const { outline } = claudeOutline(lines);
    expect(outline.root.totalByType).toEqual({ assistant: 50_000, tool: 50_000 });
  });
});
