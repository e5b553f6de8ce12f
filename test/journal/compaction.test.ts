import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AgentMessage,
  DEFAULT_COMPACTION_SETTINGS,
  estimateTokens,
  findCutPoint,
  getLastAssistantUsage,
  getLatestCompactionEntry,
  prepareCompaction,
  SessionManager,
  shouldCompact,
} from '../../src/journal/index.ts';
import { assistant, line, user, wordOf } from '../kit/journal.ts';

const keep = (keepRecentTokens: number) => ({ ...DEFAULT_COMPACTION_SETTINGS, keepRecentTokens });
/** 100 tokens. */
const long = (word: string) => word.padEnd(400, '.');
const result = (text: string): AgentMessage => ({
  role: 'toolResult',
  toolCallId: 't',
  toolName: 'read',
  content: [{ type: 'text', text }],
  isError: false,
  timestamp: 1,
});
const words = (messages: readonly AgentMessage[]) => messages.map((message) => wordOf(message).replace(/\.+$/, ''));
const prepare = (session: SessionManager, tokens: number) => prepareCompaction(session.getBranch(), keep(tokens));

function talk(...said: AgentMessage[]): SessionManager {
  const session = SessionManager.inMemory();
  for (const message of said) session.appendMessage(message as never);
  return session;
}

describe('J11: where a compaction cuts', () => {
  test('it keeps about as much as it is told', () => {
    const session = talk(user(long('u1')), assistant(long('a1')), user(long('u2')), assistant(long('a2')));
    const prepared = prepare(session, 200);
    expect(prepared).toMatchObject({ isSplitTurn: false, firstKeptEntryId: session.getEntries()[2]?.id });
    expect(words(prepared?.messagesToSummarize ?? [])).toEqual(['u1', 'a1']);
  });

  test('in the middle of a turn, its beginning is summarised by itself', () => {
    const session = talk(
      user(long('u1')),
      assistant(long('a1')),
      user(long('u2')),
      assistant(long('a2')),
      assistant(long('a3')),
    );
    const prepared = prepare(session, 100);
    expect(words(prepared?.messagesToSummarize ?? [])).toEqual(['u1', 'a1']);
    expect(words(prepared?.turnPrefixMessages ?? [])).toEqual(['u2', 'a2']);
    expect(prepared?.isSplitTurn).toBe(true);
  });

  test('J14 handlers are told which files were read, written and edited in what is summarised', () => {
    const call = (name: string, path: string) =>
      ({ ...assistant(''), content: [{ type: 'toolCall', id: name, name, arguments: { path } }] }) as AgentMessage;
    const session = talk(user(long('u1')), call('read', 'a.ts'), call('write', 'b.ts'), user(long('u2')));
    const details = { readFiles: ['old.ts'], modifiedFiles: ['changed.ts'] };
    session.appendCompaction('s', session.getEntries()[1]?.id ?? '', 1, details);
    for (const message of [call('edit', 'c.ts'), user(long('u3')), call('read', 'kept.ts')])
      session.appendMessage(message as never);
    expect(prepare(session, 90)?.fileOps).toEqual({
      read: new Set(['old.ts', 'a.ts']),
      written: new Set(['b.ts']),
      edited: new Set(['changed.ts', 'c.ts']),
    });
  });

  test('never between a call and its result', () => {
    const session = talk(user(long('u1')), assistant(long('a1')), result(long('r1')), assistant(long('a2')));
    expect(session.getEntry(prepare(session, 150)?.firstKeptEntryId ?? '')).toMatchObject({
      message: { role: 'assistant', content: [{ text: long('a2') }] },
    });
    const ending = talk(user(long('u1')), assistant(long('a1')), result(long('r1')));
    expect(ending.getEntry(prepare(ending, 50)?.firstKeptEntryId ?? '')).toMatchObject({
      message: { role: 'assistant' },
    });
  });

  test('fault: settings before a prompt do not make it the middle of a turn; they are kept with it', () => {
    const session = talk(user(long('u1')), assistant(long('a1')));
    const settings = session.appendThinkingLevelChange('high');
    session.appendModelChange('a', 'b');
    session.appendMessage(user(long('u2')));
    session.appendMessage(assistant(long('a2')));
    const prepared = prepare(session, 200);
    expect([prepared?.isSplitTurn, prepared?.firstKeptEntryId]).toEqual([false, settings]);
    expect(findCutPoint(session.getEntries(), 0, 6, 200)).toEqual({
      firstKeptEntryIndex: 2,
      turnStartIndex: -1,
      isSplitTurn: false,
    });
  });

  test('fault: what the first compaction kept is summarised by the second', () => {
    const session = talk(user(long('u1')), assistant(long('a1')), user(long('u2')), assistant(long('a2')));
    session.appendCompaction('first', prepare(session, 200)?.firstKeptEntryId ?? null, 400);
    session.appendMessage(user(long('u3')));
    session.appendMessage(assistant(long('a3')));
    const prepared = prepare(session, 200);
    expect(words(prepared?.messagesToSummarize ?? [])).toEqual(['u2', 'a2']);
    expect(prepared?.previousSummary).toBe('first');
  });

  test('fault: of two compactions with one text each is known by its id', () => {
    const session = talk(user('1'));
    const first = session.appendCompaction('same', null, 1);
    session.appendMessage(user('2'));
    const second = session.appendCompaction('same', null, 1);
    expect(getLatestCompactionEntry(session.getBranch())?.id).toBe(second);
    expect(session.getEntry(first)).not.toBe(session.getEntry(second));
  });

  test('fault: what extensions and branch summaries say counts', () => {
    const session = talk(user(long('u1')));
    session.appendCustomMessageEntry('c', long('c1'), true);
    session.branchWithSummary(session.getLeafId(), long('b1'));
    session.appendMessage(user('u2'));
    expect(words(prepare(session, 102)?.messagesToSummarize ?? [])).toEqual(['u1']);
    expect(words(prepare(session, 50)?.messagesToSummarize ?? [])).toEqual(['u1', 'c1']);
  });

  test('there is nothing to do right after a compaction, or if everything is kept', () => {
    const session = talk(user('u1'), assistant('a1'));
    expect(prepare(session, 1000)).toBeUndefined();
    session.appendCompaction('s', null, 1);
    expect(prepare(session, 0)).toBeUndefined();
    expect(prepare(SessionManager.inMemory(), 0)).toBeUndefined();
  });

  test('the tokens before are those the provider counted, and a guess at what came later', () => {
    const answer = { ...assistant('a1'), usage: { ...assistant('').usage, totalTokens: 5000 } };
    const session = talk(user(long('u1')), answer, user(long('u2')));
    expect(prepare(session, 50)?.tokensBefore).toBe(5100);
    session.appendContextEdit(session.getEntries()[0]?.id ?? '', { content: long('u0') });
    expect(prepare(session, 50)?.tokensBefore).toBe(100 + 1 + 100);
    expect(getLastAssistantUsage(session.getEntries())?.totalTokens).toBe(5000);
  });

  test('it is time when the answer would not fit', () => {
    expect([
      shouldCompact(90, 100, { ...keep(1), reserveTokens: 11 }),
      shouldCompact(89, 100, { ...keep(1), reserveTokens: 11 }),
    ]).toEqual([true, false]);
    expect(shouldCompact(1000, 100, { ...keep(1), enabled: false })).toBe(false);
  });

  test.each<[AgentMessage, number]>([
    [user('12345'), 2],
    [{ ...user(''), content: [{ type: 'image', data: 'x', mimeType: 'image/png' }] }, 1200],
    [
      {
        ...assistant(''),
        content: [
          { type: 'thinking', thinking: '1234' },
          { type: 'toolCall', id: 't', name: 'read', arguments: {} },
        ],
      },
      3,
    ],
    [{ role: 'compactionSummary', summary: '12345678', tokensBefore: 1, timestamp: 1 }, 2],
    [{ role: 'dream' } as unknown as AgentMessage, 0],
  ])('tokens of %j: %i', (message, tokens) => {
    expect(estimateTokens(message)).toBe(tokens);
  });

  test('every message is kept or summarised, and summarised once, however many compactions there are', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('user', 'assistant', 'result', 'custom') },
      fc.constantFrom('label', 'thinking'),
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const session = SessionManager.inMemory();
        const said: string[] = [];
        const summarised: string[] = [];
        for (const [at, each] of steps.entries()) {
          const word = `${at}`;
          if (typeof each === 'number') {
            const prepared = prepare(session, each);
            if (!prepared) continue;
            summarised.push(...words([...prepared.messagesToSummarize, ...prepared.turnPrefixMessages]));
            session.appendCompaction('s', prepared.firstKeptEntryId, prepared.tokensBefore);
          } else if (each === 'thinking') session.appendThinkingLevelChange('high');
          else if (each === 'label') {
            const leaf = session.getLeafId();
            if (leaf !== null) session.appendLabelChange(leaf, 'x');
          } else {
            said.push(word);
            if (each === 'custom') session.appendCustomMessageEntry('c', long(word), true);
            else
              session.appendMessage(
                (each === 'user'
                  ? user(long(word))
                  : each === 'result'
                    ? result(long(word))
                    : assistant(long(word))) as never,
              );
          }
        }
        const kept = words(session.buildSessionContext().messages.filter(({ role }) => role !== 'compactionSummary'));
        expect([...summarised, ...kept]).toEqual(said);
      }),
      { numRuns: 500 },
    );
  });
});

test('J11: findTurnStartIndex and findCutPoint see no turn where there is none', () => {
  expect(findCutPoint([line('l1', null, { type: 'label', targetId: 'x' })], 0, 1, 10)).toEqual({
    firstKeptEntryIndex: 0,
    turnStartIndex: -1,
    isSplitTurn: false,
  });
});
