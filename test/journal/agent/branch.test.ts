import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AgentSession, SessionManager } from '../../../src/journal/index.ts';
import { listen } from '../../kit/agent.ts';
import { assistant, Folder, linesIn, user, wordOf } from '../../kit/journal.ts';

const folder = new Folder();
const words = (agent: AgentSession) => agent.context.messages.map(wordOf);

function talk(session = SessionManager.create('/p', folder.dir())) {
  const ids = [user('u1'), assistant('a2'), user('u3'), assistant('a4')].map((each) => session.appendMessage(each));
  const [u1 = '', a2 = '', u3 = '', a4 = ''] = ids;
  const agent = new AgentSession(session);
  return { session, agent, u1, a2, u3, a4, heard: listen(agent), file: session.getSessionFile() ?? '' };
}

describe('J13: branch', () => {
  test('from a user message: a new file with the path above it, and its text for the editor', async () => {
    const { session, agent, u1, a2, u3, heard, file } = talk();
    const bytes = readFileSync(file, 'utf8');
    expect(await agent.branch(u3)).toEqual({ cancelled: false, selectedText: 'u3' });
    expect(session.getSessionFile()).not.toBe(file);
    expect(linesIn(session.getSessionFile()).map(({ id }) => id)).toEqual([session.getSessionId(), u1, a2]);
    expect(session.getHeader()).toMatchObject({ parentSession: file });
    expect([words(agent), readFileSync(file, 'utf8')]).toEqual([['u1', 'a2'], bytes]);
    expect(heard).toEqual([
      { type: 'session_before_branch', entryId: u3 },
      { type: 'session_branch', previousSessionFile: file },
    ]);
  });

  test('from the first message: an empty session that knows its parent', async () => {
    const { session, agent, u1, heard, file } = talk();
    expect(await agent.branch(u1)).toEqual({ cancelled: false, selectedText: 'u1' });
    expect(linesIn(session.getSessionFile())).toEqual([
      expect.objectContaining({ type: 'session', parentSession: file }),
    ]);
    expect([words(agent), heard.at(-1)]).toEqual([[], { type: 'session_branch', previousSessionFile: file }]);
  });

  test('in memory: the entries are replaced, and there is no file', async () => {
    const { session, agent, u3 } = talk(SessionManager.inMemory('/p'));
    expect(await agent.branch(u3)).toEqual({ cancelled: false, selectedText: 'u3' });
    expect([session.getSessionFile(), session.getEntries().length, words(agent)]).toEqual([undefined, 2, ['u1', 'a2']]);
  });

  test('from anything else is an error, and nobody is asked', async () => {
    const { session, agent, a2, heard, file } = talk();
    const custom = session.appendCustomMessageEntry('x', 'said', true);
    for (const id of [a2, custom, 'nope'])
      await expect(agent.branch(id)).rejects.toThrow(`Invalid entry ID for branching: ${id}`);
    expect([heard, session.getSessionFile(), agent.isBusy]).toEqual([[], file, false]);
  });

  test('cancelled: the session is the old one; the text is given all the same', async () => {
    const { session, agent, u3, heard, file } = talk();
    agent.on('session_before_branch', () => ({ cancel: true }));
    expect(await agent.branch(u3)).toEqual({ cancelled: true, selectedText: 'u3' });
    expect([session.getSessionFile(), heard.length, agent.isBusy]).toEqual([file, 1, false]);
  });

  test('aborted while handlers are asked: nothing has changed', async () => {
    const { session, agent, u3, file } = talk();
    agent.on('session_before_branch', () => agent.abort());
    expect(await agent.branch(u3)).toEqual({ cancelled: true, aborted: true });
    expect([session.getSessionFile(), words(agent).length, agent.isBusy]).toEqual([file, 4, false]);
  });

  test('a handler may keep the messages of the agent as they are', async () => {
    const { session, agent, u3 } = talk();
    agent.on('session_before_branch', () => ({ skipConversationRestore: true }));
    await agent.branch(u3);
    expect([words(agent).length, session.getEntries().length]).toEqual([4, 2]);
  });

  test('what is said afterwards goes to the new file and into the context', async () => {
    const { session, agent, u3, file } = talk();
    await agent.branch(u3);
    agent.append(user('another way'));
    agent.append({ role: 'custom', customType: 'x', content: 'noted', display: true, timestamp: 1 });
    expect(words(agent)).toEqual(['u1', 'a2', 'another way', 'noted']);
    expect(session.getLeafEntry()).toMatchObject({ type: 'custom_message', customType: 'x' });
    expect(new AgentSession(SessionManager.open(session.getSessionFile() ?? '')).context.messages.map(wordOf)).toEqual(
      words(agent),
    );
    expect(linesIn(file)).toHaveLength(5);
  });
});

describe('J14: other sessions', () => {
  test('a new one, and back: handlers are asked and told; the leaf is found where it was', async () => {
    const { session, agent, a2, heard, file } = talk();
    await agent.navigateTree(a2);
    heard.length = 0;
    expect(await agent.newSession()).toEqual({ cancelled: false });
    const other = session.getSessionFile();
    expect([words(agent), other === file]).toEqual([[], false]);
    expect(await agent.switchSession(file)).toEqual({ cancelled: false });
    expect([words(agent), session.getSessionFile()]).toEqual([['u1', 'a2'], file]);
    expect(heard).toEqual([
      { type: 'session_before_switch', reason: 'new' },
      { type: 'session_switch', reason: 'new', previousSessionFile: file },
      { type: 'session_before_switch', reason: 'resume', targetSessionFile: file },
      { type: 'session_switch', reason: 'resume', previousSessionFile: other },
    ]);
  });

  test('cancelled, or not to be read: it stays with the one it has', async () => {
    const { session, agent, file } = talk();
    await expect(agent.switchSession(folder.path)).rejects.toThrow(/^Cannot read/);
    agent.on('session_before_switch', () => ({ cancel: true }));
    expect([await agent.newSession(), await agent.switchSession('/x')]).toEqual([
      { cancelled: true },
      { cancelled: true },
    ]);
    expect([session.getSessionFile(), words(agent).length, agent.isBusy]).toEqual([file, 4, false]);
    session.appendMessage(user('on'));
    expect(linesIn(file)).toHaveLength(6);
  });
});
