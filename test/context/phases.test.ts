import { describe, expect, test } from 'vitest';
import { assistant, attachment, boundary, command, compactSummary, user } from '../kit/transcript.ts';
import { claudeContext, tell } from './view.ts';

const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 15 } });

describe('C14: phases', () => {
  const compacted = [
    user('u1', null, 'first'),
    assistant('a1', 'u1', 'one', used(150_000)),
    boundary('b1', 'a1'),
    compactSummary('s1', 'b1'),
    user('u2', 's1', 'second'),
    assistant('a2', 'u2', 'two', used(20_000)),
  ];

  test('C14 a compaction begins phase 2, with the usage before and after it (check 17)', () => {
    const { view } = claudeContext(compacted);
    expect(view.phases).toMatchObject([
      { number: 1, begins: 'start', record: 'u1', before: null, after: null },
      { number: 2, begins: 'compaction', record: 'b1', before: 150_015, after: 20_015 },
    ]);
  });

  test('C14 two compactions begin phases 2 and 3 (check 17)', () => {
    const { view } = claudeContext([
      ...compacted,
      boundary('b2', 'a2'),
      compactSummary('s2', 'b2'),
      assistant('a3', 's2', 'three'),
    ]);
    expect(view.phases.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(view.responses.map(({ phase }) => phase)).toEqual([1, 2, 3]);
  });

  test('C14 what the boundary says wins over the usage around it', () => {
    const said = { compactMetadata: { trigger: 'auto', preTokens: 160_000, postTokens: 9000 } };
    const { view } = claudeContext(compacted.map((line) => (line.uuid === 'b1' ? { ...line, ...said } : line)));
    expect(view.phases[1]).toMatchObject({ before: 160_000, after: 9000 });
  });

  test('C14 the window begins anew with the summary', () => {
    const { view } = claudeContext(compacted);
    const [, second] = view.responses;
    expect(tell(second?.added ?? [])).toEqual(['b1 summary system 22', 'u2 text user_messages 2']);
    expect(second?.total).toMatchObject({ system: 22, user_messages: 2, thinking_and_text: 0 });
  });

  test('C14 the window at a record is that of its phase', () => {
    const { at } = claudeContext(compacted);
    expect(at('a1')).toMatchObject({ phase: { number: 1 }, response: { record: 'a1', reported: 150_000 } });
    expect(at('a1').messages.map(({ record }) => record)).toEqual(['u1', 'a1']);
    expect(at('u2').messages.map(({ record }) => record)).toEqual(['b1', 'u2']);
    expect(at('u2').response).toBeNull();
  });

  test('C14 a conversation that begins with a summary begins with phase 2: the first lies in another file', () => {
    const { view } = claudeContext([compactSummary('s1', null), assistant('a1', 's1')]);
    expect(view.phases.map(({ number }) => number)).toEqual([2]);
  });

  test('C14 /clear inside a file begins a phase too, at the first record after it', () => {
    const { view } = claudeContext([
      user('u1', null, 'first'),
      assistant('a1', 'u1', 'one', used(100)),
      command('c1', 'a1', '/clear'),
      user('u2', 'c1', 'second'),
      assistant('a2', 'u2', 'two', used(50)),
    ]);
    expect(view.phases[1]).toMatchObject({ number: 2, begins: 'clear', record: 'u2', before: 115, after: 65 });
    expect(tell(view.responses[1]?.added ?? [])).toEqual(['u2 text user_messages 2']);
  });

  test('C14 /clear on one thread is none on another that was forked before it', () => {
    const lines = [
      user('u1', null, 'first'),
      assistant('a1', 'u1', 'one'),
      user('u2', 'a1', 'second'),
      assistant('a2', 'u2', 'two'),
      command('c1', 'a2', '/clear'),
      user('u3', 'c1', 'third'),
      assistant('a3', 'u3', 'three'),
      user('u4', 'a1', 'another way'),
      assistant('a4', 'u4', 'four'),
    ];
    const begins = (thread: string) => claudeContext(lines, thread).view.phases.map((phase) => phase.begins);
    expect([begins('a3'), begins('a4')]).toEqual([['start', 'clear'], ['start']]);
  });

  test('C14 /clear at the beginning of a file empties nothing', () => {
    const { view } = claudeContext([command('c1', null, '/clear'), user('u1', 'c1'), assistant('a1', 'u1')]);
    expect(view.phases.map(({ begins }) => begins)).toEqual(['start']);
  });

  test('C15 what a hook said before the first prompt is in its window', () => {
    const hook = attachment('h1', null, {
      type: 'hook_success',
      hookName: 'SessionStart:startup',
      content: 'be brief',
    });
    const { view } = claudeContext([hook, user('u1', 'h1', 'go'), assistant('a1', 'u1')]);
    expect(tell(view.responses[0]?.added ?? [])).toEqual(['u1 injected system 2', 'u1 text user_messages 1']);
  });
});
