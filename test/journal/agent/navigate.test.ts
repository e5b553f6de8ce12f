import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentSession, collectEntriesForBranchSummary, SessionManager } from '../../../src/journal/index.ts';
import { listen, startModel } from '../../kit/agent.ts';
import { assistant, Folder, HEADER, line, user, wordOf } from '../../kit/journal.ts';
import { type Operation, operations, perform } from '../../kit/random-journal.ts';

const folder = new Folder();
const { server, summarizer } = await startModel();
const words = (agent: AgentSession) => agent.context.messages.map(wordOf);

/** u1 a2 u3 a4, the leaf at a4. */
function talk(options: { withModel?: boolean } = {}) {
  const session = SessionManager.create('/p', folder.dir());
  const ids = [user('u1'), assistant('a2'), user('u3'), assistant('a4')].map((each) => session.appendMessage(each));
  const [u1 = '', a2 = '', u3 = '', a4 = ''] = ids;
  const agent = new AgentSession(session, { summarizer: options.withModel ? summarizer : null });
  return { session, agent, u1, a2, u3, a4, heard: listen(agent) };
}

const bytesOf = (session: SessionManager) => readFileSync(session.getSessionFile() ?? '', 'utf8');

describe('J12: check 17: where a navigation lands', () => {
  test('a user message at the root: before everything, with its text for the editor', async () => {
    const { agent, session, u1, a4, heard } = talk();
    expect(await agent.navigateTree(u1)).toEqual({ cancelled: false, editorText: 'u1' });
    expect([session.getLeafId(), words(agent)]).toEqual([null, []]);
    expect(heard.at(-1)).toEqual({ type: 'session_tree', newLeafId: null, oldLeafId: a4 });
  });

  test('a nested user message: its parent, with its text', async () => {
    const { agent, session, a2, u3 } = talk();
    expect(await agent.navigateTree(u3)).toEqual({ cancelled: false, editorText: 'u3' });
    expect([session.getLeafId(), words(agent)]).toEqual([a2, ['u1', 'a2']]);
  });

  test('a custom message: its parent, with its text', async () => {
    const { agent, session, a4 } = talk();
    const custom = session.appendCustomMessageEntry('x', [{ type: 'text', text: 'said' }], true);
    session.appendMessage(assistant('a6'));
    expect(await agent.navigateTree(custom)).toEqual({ cancelled: false, editorText: 'said' });
    expect(session.getLeafId()).toBe(a4);
  });

  test.each(['assistant', 'bash', 'role custom'])('%s: the entry itself, without a text', async (kind) => {
    const { agent, session } = talk();
    const bash = { command: 'ls', output: '', exitCode: 0, cancelled: false, truncated: false };
    const message = {
      assistant: assistant('x'),
      bash: { role: 'bashExecution', ...bash, timestamp: 1 } as const,
      'role custom': { role: 'custom', customType: 'x', content: 'x', display: true, timestamp: 1 } as const,
    }[kind];
    const id = session.appendMessage(message ?? assistant('x'));
    session.appendMessage(user('on'));
    expect(await agent.navigateTree(id)).toEqual({ cancelled: false });
    expect(session.getLeafId()).toBe(id);
  });

  test('the leaf itself: nothing happens, and nobody is told', async () => {
    const { agent, session, a4, heard } = talk();
    const bytes = bytesOf(session);
    expect(await agent.navigateTree(a4, { summarize: true, label: 'x' })).toEqual({ cancelled: false });
    expect([heard, session.getLeafId(), bytesOf(session)]).toEqual([[], a4, bytes]);
  });

  test('a user message whose parent is missing, or in a ring: before everything', async () => {
    const path = folder.file([HEADER, line('u1', 'gone'), line('u2', 'u3'), line('u3', 'u2'), line('u4', null)]);
    const agent = new AgentSession(SessionManager.open(path));
    for (const id of ['u1', 'u2']) {
      expect(await agent.navigateTree(id)).toMatchObject({ editorText: id });
      expect(agent.session.getLeafId()).toBeNull();
    }
  });

  test('an entry that nobody knows is an error, and nobody is told', async () => {
    const { agent, heard } = talk();
    await expect(agent.navigateTree('nope')).rejects.toThrow('Entry nope not found');
    expect([heard, agent.isBusy]).toEqual([[], false]);
  });
});

describe('J12: check 18: summaries of what is left', () => {
  /** A-B-C-D-E-F with the leaf at F, and H under C. */
  async function branches() {
    const session = SessionManager.create('/p', folder.dir());
    const [a = '', b = '', c = ''] = ['A', 'B', 'C'].map((text) => session.appendMessage(assistant(text)));
    const h = session.appendMessage(assistant('H'));
    session.branch(c);
    const [d = '', e = '', f = ''] = ['D', 'E', 'F'].map((text) => session.appendMessage(assistant(text)));
    const agent = new AgentSession(session, { summarizer });
    return { session, agent, a, b, c, d, e, f, h };
  }

  test('D, E, F are told, C is above both, and the summary hangs on H', async () => {
    const { session, agent, c, d, e, f, h } = await branches();
    const heard = listen(agent);
    server.says = ({ prompt }) => `About ${[...prompt.matchAll(/\[Assistant\]: (\w)/g)].map((match) => match[1])}`;
    const result = await agent.navigateTree(h, { summarize: true });
    expect(heard[0]).toMatchObject({
      preparation: { targetId: h, oldLeafId: f, commonAncestorId: c, userWantsSummary: true },
    });
    expect(
      (
        heard[0] as never as { preparation: { entriesToSummarize: { id: string }[] } }
      ).preparation.entriesToSummarize.map(({ id }) => id),
    ).toEqual([d, e, f]);
    const summary = result.summaryEntry;
    expect(summary).toMatchObject({ parentId: h, fromId: f, details: { readFiles: [], modifiedFiles: [] } });
    expect(summary?.summary).toMatch(/Summary of that branch:\n\nAbout D,E,F$/);
    expect(heard.at(-1)).toMatchObject({
      newLeafId: summary?.id,
      oldLeafId: f,
      fromExtension: false,
      summaryEntry: summary,
    });
    expect(words(agent).slice(0, -1)).toEqual(['A', 'B', 'C', 'H']);
    expect(SessionManager.open(session.getSessionFile() ?? '').getLeafId()).toBe(summary?.id);
  });

  test('aborted: the leaf is at F, nothing was written, and it is not busy any more', async () => {
    const { session, agent, f, h } = await branches();
    const before = bytesOf(session);
    const heard = listen(agent);
    server.reply = () => {
      expect(agent.isBusy).toBe(true);
      agent.abort();
    };
    expect(await agent.navigateTree(h, { summarize: true, label: 'x' })).toEqual({ cancelled: true, aborted: true });
    server.reply = null;
    expect([session.getLeafId(), bytesOf(session), agent.isBusy]).toEqual([f, before, false]);
    expect(heard.map(({ type }) => type)).toEqual(['session_before_tree']);
    expect(words(agent)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  });

  test('aborted while a handler or a summarizer does not listen: it ends at once, and nothing has changed', async () => {
    const { session, agent, f, h } = await branches();
    const off = agent.on('session_before_tree', () => new Promise<undefined>(() => setImmediate(() => agent.abort())));
    expect(await agent.navigateTree(h)).toEqual({ cancelled: true, aborted: true });
    off();
    agent.summarizer = { summarize: () => new Promise(() => setImmediate(() => agent.abort())) };
    expect(await agent.navigateTree(h, { summarize: true })).toEqual({ cancelled: true, aborted: true });
    expect([session.getLeafId(), agent.isBusy]).toEqual([f, false]);
  });

  test('a handler cancels: the same', async () => {
    const { session, agent, f, h } = await branches();
    const before = bytesOf(session);
    agent.on('session_before_tree', () => ({ cancel: true }));
    const heard = listen(agent);
    expect(await agent.navigateTree(h, { summarize: true })).toEqual({ cancelled: true });
    expect([heard, session.getLeafId(), bytesOf(session), agent.isBusy]).toEqual([[], f, before, false]);
  });

  test('the model fails: an error, nothing has changed, and it is not busy any more', async () => {
    const { session, agent, f, h } = await branches();
    const before = bytesOf(session);
    server.reply = (_asked, response) => void response.writeHead(529).end('{"error":{"message":"Overloaded"}}');
    await expect(agent.navigateTree(h, { summarize: true })).rejects.toThrow(/answered 529: Overloaded$/);
    server.reply = null;
    expect([session.getLeafId(), bytesOf(session), agent.isBusy]).toEqual([f, before, false]);
    agent.summarizer = { summarize: async () => ' ' };
    await expect(agent.navigateTree(h, { summarize: true })).rejects.toThrow('The summarizer wrote nothing');
    expect([session.getLeafId(), bytesOf(session), agent.isBusy]).toEqual([f, before, false]);
  });

  test('no model: it fails before anybody is asked', async () => {
    const { agent, session, u1, a4, heard } = talk();
    await expect(agent.navigateTree(u1, { summarize: true })).rejects.toThrow('No model available for summarization');
    await expect(agent.navigateTree('nope', { summarize: true })).rejects.toThrow('No model available');
    expect([heard, session.getLeafId(), agent.isBusy]).toEqual([[], a4, false]);
  });

  test('the session goes on meanwhile: an error, and what was said stays the leaf', async () => {
    const { session, agent, h } = await branches();
    let said = '';
    agent.summarizer = {
      async summarize() {
        said = session.appendMessage(user('meanwhile'));
        return 'text';
      },
    };
    await expect(agent.navigateTree(h, { summarize: true })).rejects.toThrow('The session went on meanwhile');
    expect([session.getLeafId(), agent.isBusy]).toEqual([said, false]);
  });

  test('one change at a time', async () => {
    const { agent, a, h } = await branches();
    const others = Promise.allSettled([agent.navigateTree(h), agent.navigateTree(a), agent.compact(), agent.branch(a)]);
    const [first, ...refused] = await others;
    expect(first).toMatchObject({ value: { cancelled: false } });
    for (const each of refused)
      expect(each).toMatchObject({
        reason: { code: 'busy', message: expect.stringMatching(/^Wait until the current/) },
      });
  });

  test('going back to a user message tells what followed it, not the message; going on below tells nothing', async () => {
    const { agent, session, u3, a4 } = talk({ withModel: true });
    expect(collectEntriesForBranchSummary(session, a4, u3)).toMatchObject({
      entries: [{ id: a4 }],
      commonAncestorId: u3,
    });
    expect(collectEntriesForBranchSummary(session, u3, a4).entries).toEqual([]);
    expect(collectEntriesForBranchSummary(session, null, a4)).toEqual({ entries: [], commonAncestorId: null });
    session.branch(u3);
    const asked = server.asked.length;
    expect(await agent.navigateTree(a4, { summarize: true })).toEqual({ cancelled: false });
    expect(server.asked).toHaveLength(asked);
  });

  test('where only settings are left there is nothing to tell', async () => {
    const { agent, session, a4 } = talk({ withModel: true });
    session.appendThinkingLevelChange('high');
    expect(await agent.navigateTree(a4, { summarize: true })).toEqual({ cancelled: false });
  });

  test('own instructions go after the usual ones, or in their place; a label goes to the summary', async () => {
    const { agent, session, u1, a2 } = talk({ withModel: true });
    server.says = () => 'text';
    const { summaryEntry } = await agent.navigateTree(a2, {
      summarize: true,
      customInstructions: 'Names!',
      label: 'here',
    });
    expect(server.asked.at(-1)?.prompt).toMatch(/## Goal.*Additional focus: Names!$/s);
    expect(session.getLabel(summaryEntry?.id ?? '')).toBe('here');
    await agent.navigateTree(u1, { summarize: true, customInstructions: 'Only names!', replaceInstructions: true });
    expect(server.asked.at(-1)?.prompt).toMatch(/<\/conversation>\n\nOnly names!$/);
  });

  test('without a summary a label goes to the target, and hangs on the new leaf', async () => {
    const { agent, session, a2, heard } = talk();
    await agent.navigateTree(a2, { label: 'here' });
    expect([session.getLabel(a2), session.getLeafEntry()]).toMatchObject(['here', { type: 'label', parentId: a2 }]);
    expect(heard.at(-1)).toMatchObject({ newLeafId: session.getLeafId() });
  });

  test('the end of a long branch is told, results are not; files that were read and changed are listed', async () => {
    const session = SessionManager.inMemory('/p');
    const root = session.appendMessage(user('root'));
    session.branchWithSummary(root, 'of before', { readFiles: ['old.ts'], modifiedFiles: [] });
    session.appendMessage(user(`early ${'x'.repeat(400)}`));
    const call = (name: string, path: string) => ({ type: 'toolCall', id: path, name, arguments: { path } }) as const;
    session.appendMessage({
      ...assistant(''),
      content: [call('read', 'a.ts'), call('edit', 'b.ts'), call('read', 'b.ts')],
    });
    const result = { role: 'toolResult', toolCallId: 'a.ts', toolName: 'read', isError: false, timestamp: 1 } as const;
    session.appendMessage({ ...result, content: [{ type: 'text', text: 'the content' }] });
    const secret = session.appendMessage(user('a secret'));
    session.appendContextEdit(secret, null);
    const agent = new AgentSession(session, { summarizer, contextWindow: 60, compaction: { reserveTokens: 10 } });
    const { summaryEntry } = await agent.navigateTree(root, { summarize: true });
    const { prompt = '' } = server.asked.at(-1) ?? {};
    expect(prompt).toContain('read({"path":"a.ts"})');
    expect(prompt).not.toMatch(/early|the content|a secret/);
    expect(summaryEntry?.details).toEqual({ readFiles: ['a.ts', 'old.ts'], modifiedFiles: ['b.ts'] });
    expect(summaryEntry?.summary).toMatch(
      /<read-files>\na.ts\nold.ts\n<\/read-files>\n\n<modified-files>\nb.ts\n<\/modified-files>$/,
    );
  });
});

test('J12: fault 6: navigate, close and open again: the leaf is where it was', async () => {
  const { agent, session, a2 } = talk();
  await agent.navigateTree(a2);
  await agent.close();
  expect(
    SessionManager.open(session.getSessionFile() ?? '')
      .getBranch()
      .map(({ id }) => id),
  ).toContain(a2);
  expect(
    SessionManager.open(session.getSessionFile() ?? '')
      .buildSessionContext()
      .messages.map(wordOf),
  ).toEqual(['u1', 'a2']);
});

test('J12: whatever was done, any entry can be navigated to, and what is told is exactly what is left', async () => {
  await fc.assert(
    fc.asyncProperty(operations, fc.nat(), async (steps: Operation[], pick) => {
      let session = SessionManager.inMemory('/p');
      for (const step of steps) session = perform(session, step, (old) => old);
      const entries = session.getEntries();
      const target = entries[pick % Math.max(1, entries.length)];
      if (!target) return;
      const before = session.getBranch().map(({ id }) => id);
      const agent = new AgentSession(session);
      let left: string[] = [];
      agent.on('session_before_tree', ({ preparation }) => {
        left = preparation.entriesToSummarize.map(({ id }) => id);
      });
      await agent.navigateTree(target.id);
      const above = new Set(session.getBranch(target.id).map(({ id }) => id));
      expect(left).toEqual(before.filter((id) => !above.has(id)));
      const expected =
        target.type === 'custom_message' || (target.type === 'message' && target.message.role === 'user');
      if (before.at(-1) !== target.id) expect(session.getLeafId()).toBe(expected ? target.parentId : target.id);
      expect(agent.isBusy).toBe(false);
    }),
    { numRuns: 200 },
  );
});
