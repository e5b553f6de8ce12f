import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentSession, type AgentSessionOptions, SessionManager } from '../../../src/journal/index.ts';
import { listen, startModel } from '../../kit/agent.ts';
import { assistant, Folder, user, wordOf } from '../../kit/journal.ts';

const folder = new Folder();
const { server, summarizer } = await startModel();
const words = (agent: AgentSession) => agent.context.messages.map(wordOf);
const bytesOf = (session: SessionManager) => readFileSync(session.getSessionFile() ?? '', 'utf8');

/** u1 a2 u3 a4, of which the last turn is kept. */
function talk(options: AgentSessionOptions = {}) {
  const session = SessionManager.create('/p', folder.dir());
  const ids = [user('u1'), assistant('a2'), user('u3'), assistant('a4')].map((each) => session.appendMessage(each));
  const agent = new AgentSession(session, { summarizer, compaction: { keepRecentTokens: 2 }, ...options });
  return { session, agent, ids, heard: listen(agent) };
}

describe('J14: compaction', () => {
  test('the beginning becomes a summary, the end is kept; events in order', async () => {
    const { session, agent, ids, heard } = talk();
    server.says = () => 'What was said.';
    const { compactionEntry } = await agent.compact();
    expect(compactionEntry).toMatchObject({ summary: 'What was said.', firstKeptEntryId: ids[2], fromHook: false });
    expect(words(agent)).toEqual(['compactionSummary:What was said.', 'u3', 'a4']);
    expect(heard.map(({ type }) => type)).toEqual(['session_before_compact', 'session.compacting', 'session_compact']);
    expect(heard[0]).toMatchObject({
      preparation: { firstKeptEntryId: ids[2], isSplitTurn: false },
      branchEntries: ids.map((id) => ({ id })),
      signal: expect.any(AbortSignal),
    });
    expect(heard[1]).toEqual({
      type: 'session.compacting',
      sessionId: session.getSessionId(),
      messages: [user('u1'), assistant('a2')],
    });
    expect(heard[2]).toEqual({ type: 'session_compact', compactionEntry, fromExtension: false });
    expect(server.asked.at(-1)?.prompt).toMatch(/^<conversation>\n\[User\]: u1\n\n\[Assistant\]: a2\n<\/conversation>/);
    expect(SessionManager.open(session.getSessionFile() ?? '').buildSessionContext().messages).toEqual(
      agent.context.messages,
    );
  });

  test('a turn that is cut in two has a summary of its own beside that of the history', async () => {
    const { agent, ids } = talk({ compaction: { keepRecentTokens: 1 } });
    server.says = ({ prompt }) => (prompt.includes('beginning of one turn') ? 'the turn' : 'the history');
    const { compactionEntry } = await agent.compact();
    expect(compactionEntry).toMatchObject({
      firstKeptEntryId: ids[3],
      summary: 'the history\n\n---\n\n**Turn Context (split turn):**\n\nthe turn',
    });
  });

  test('fault: the entry is known by its id, also if two have the same text; the second takes in the first', async () => {
    const { agent, session } = talk();
    server.says = () => 'same';
    const first = await agent.compact('Names!');
    session.appendMessage(user('u6'));
    session.appendMessage(assistant('a7'));
    const second = await agent.compact();
    expect(second.compactionEntry?.id).not.toBe(first.compactionEntry?.id);
    const [one, two] = server.asked.slice(-2).map(({ prompt }) => prompt);
    expect(one).toMatch(/Additional focus: Names!$/);
    expect(two).toMatch(/\[User\]: u3.*<previous-summary>\nsame\n<\/previous-summary>$/s);
  });

  test('right after one, or with little said, there is nothing to do', async () => {
    const { agent, session, heard } = talk();
    await agent.compact();
    heard.length = 0;
    await expect(agent.compact()).rejects.toThrow('Already compacted');
    session.resetLeaf();
    session.appendMessage(user('u'));
    await expect(agent.compact()).rejects.toThrow('Nothing to compact');
    expect([heard, agent.isBusy]).toEqual([[], false]);
  });

  test('no model: it fails before anybody is asked', async () => {
    const { agent, heard } = talk({ summarizer: null });
    await expect(agent.compact()).rejects.toThrow('No model available for summarization');
    expect([heard, agent.isBusy]).toEqual([[], false]);
  });

  test.each(['cancelled by a handler', 'aborted', 'failed'])(
    '%s: nothing has changed, and it is not busy',
    async (how) => {
      const { session, agent, heard } = talk();
      const before = bytesOf(session);
      if (how === 'cancelled by a handler') {
        agent.on('session_before_compact', () => ({ cancel: true }));
        expect(await agent.compact()).toEqual({ cancelled: true });
      } else if (how === 'aborted') {
        server.reply = () => agent.abort();
        expect(await agent.compact()).toEqual({ cancelled: true, aborted: true });
      } else {
        server.reply = (_asked, response) => void response.writeHead(500).end();
        await expect(agent.compact()).rejects.toThrow(/answered 500/);
      }
      server.reply = null;
      expect([bytesOf(session), words(agent).length, agent.isBusy]).toEqual([before, 4, false]);
      expect(heard.map(({ type }) => type)).not.toContain('session_compact');
    },
  );

  test('a handler gives the compaction itself; one that keeps from elsewhere is refused', async () => {
    const { session, agent, ids, heard } = talk();
    const given = { summary: 'mine', firstKeptEntryId: ids[3] ?? '', tokensBefore: 7, details: { by: 'me' } };
    const off = agent.on('session_before_compact', () => ({ compaction: { ...given, firstKeptEntryId: 'nope' } }));
    const before = bytesOf(session);
    await expect(agent.compact()).rejects.toThrow(/keeps from nope on, which is not on this branch$/);
    expect([bytesOf(session), agent.isBusy]).toEqual([before, false]);
    off();
    agent.on('session_before_compact', () => ({ compaction: given }));
    const asked = server.asked.length;
    const { compactionEntry } = await agent.compact();
    expect(compactionEntry).toMatchObject({ ...given, fromHook: true, fromExtension: true });
    expect(heard.at(-1)).toEqual({ type: 'session_compact', compactionEntry, fromExtension: true });
    expect([server.asked.length, words(agent)]).toEqual([asked, ['compactionSummary:mine', 'a4']]);
  });

  test('session.compacting: context is told, a prompt stands instead of the usual one, data is kept', async () => {
    const { session, agent } = talk();
    agent.on('session.compacting', ({ messages }) => ({
      context: [`There are ${messages.length}.`, 'Mind the goat.'],
      prompt: 'In one word.',
      preserveData: { todo: [1] },
    }));
    server.says = () => 'Word.';
    const { compactionEntry } = await agent.compact();
    expect(server.asked.at(-1)?.prompt).toMatch(
      /<\/conversation>\n\nIn one word\.\n\n<additional-context>\nThere are 2\.\nMind the goat\.\n<\/additional-context>$/,
    );
    const read = SessionManager.open(session.getSessionFile() ?? '').getEntry(compactionEntry?.id ?? '');
    expect(read).toMatchObject({ preserveData: { todo: [1] } });
  });

  test('what an edit took away is not told', async () => {
    const { session, agent, ids } = talk();
    session.appendContextEdit(ids[0] ?? '', { content: 'harmless' });
    session.appendContextEdit(ids[1] ?? '', null);
    await agent.compact();
    expect(server.asked.at(-1)?.prompt).toMatch(/^<conversation>\n\[User\]: harmless\n<\/conversation>/);
  });

  test('files that were read and changed are listed, also those of the compaction before', async () => {
    const { session, agent } = talk();
    const call = (name: string, path: string) => ({ type: 'toolCall', id: path, name, arguments: { path } }) as const;
    session.appendMessage({ ...assistant(''), content: [call('read', 'a.ts'), call('write', 'b.ts')] });
    for (const text of ['u6', 'u7']) session.appendMessage(user(text));
    await agent.compact();
    for (const text of ['u8', 'u9']) session.appendMessage(user(text));
    const { compactionEntry } = await agent.compact();
    expect(compactionEntry?.details).toEqual({ readFiles: ['a.ts'], modifiedFiles: ['b.ts'] });
  });
});

test('J11: check 19: over any compactions each message is told to the model once, or still kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('user', 'assistant', 'thinking', 'compact'), { maxLength: 25 }),
      async (steps) => {
        const session = SessionManager.inMemory('/p');
        const told: string[] = [];
        const agent = new AgentSession(session, {
          compaction: { keepRecentTokens: 4 },
          summarizer: {
            async summarize(entries) {
              told.push(...entries.flatMap((entry) => (entry.type === 'message' ? [wordOf(entry.message)] : [])));
              return 's';
            },
          },
        });
        const said: string[] = [];
        for (const [at, step] of steps.entries()) {
          if (step === 'compact')
            await agent.compact().catch(({ message }) => expect(message).toMatch(/^(Already|Nothing)/));
          else if (step === 'thinking') session.appendThinkingLevelChange('high');
          else {
            said.push(`m${at}`);
            session.appendMessage(step === 'user' ? user(`m${at}`) : assistant(`m${at}`));
          }
        }
        const kept = session
          .buildSessionContext()
          .messages.map(wordOf)
          .filter((word) => word.startsWith('m'));
        expect([...told, ...kept].sort()).toEqual([...said].sort());
      },
    ),
    { numRuns: 200 },
  );
});
