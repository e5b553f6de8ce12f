import { describe, expect, test, vi } from 'vitest';
import {
  AgentSession,
  type AgentSessionOptions,
  type HandlerFailure,
  SessionManager,
} from '../../../src/journal/index.ts';
import { listen, startModel } from '../../kit/agent.ts';
import { assistant, user } from '../../kit/journal.ts';

const { server, summarizer } = await startModel();

function talk(options: AgentSessionOptions = {}) {
  const session = SessionManager.inMemory('/p');
  const ids = [user('u1'), assistant('a2'), user('u3'), assistant('a4')].map((each) => session.appendMessage(each));
  const [u1 = '', a2 = '', u3 = '', a4 = ''] = ids;
  return { session, agent: new AgentSession(session, { summarizer, ...options }), u1, a2, u3, a4 };
}

describe('J14: handlers', () => {
  test('are asked one after the other, in the order they came, and waited for', async () => {
    const { agent, a2 } = talk();
    const order: string[] = [];
    agent.on('session_before_tree', async () => {
      await new Promise((go) => setImmediate(go));
      order.push('first');
    });
    agent.on('session_before_tree', () => void order.push('second'));
    agent.on('session_tree', () => void order.push('after'));
    await agent.navigateTree(a2);
    expect(order).toEqual(['first', 'second', 'after']);
  });

  test('the first that cancels is the last that is asked', async () => {
    const { agent, a2 } = talk();
    agent.on('session_before_tree', () => ({ label: 'x' }));
    agent.on('session_before_tree', () => ({ cancel: true }));
    const heard = listen(agent);
    expect(await agent.navigateTree(a2)).toEqual({ cancelled: true });
    expect(heard).toEqual([]);
  });

  test('the last answer counts, whole: answers are not mixed', async () => {
    const { agent, session, a2 } = talk();
    agent.on('session_before_tree', () => ({ summary: { summary: 'of the first' }, label: 'first' }));
    agent.on('session_before_tree', () => ({ label: 'second' }));
    agent.on('session_before_tree', () => undefined);
    server.says = () => 'of the model';
    const { summaryEntry } = await agent.navigateTree(a2, { summarize: true });
    expect(summaryEntry?.summary).toContain('of the model');
    expect(session.getLabel(summaryEntry?.id ?? '')).toBe('second');
  });

  test('one that throws is reported, and passed over; so is a report that throws', async () => {
    const failures: HandlerFailure[] = [];
    const { agent, a2, u1 } = talk({
      onHandlerError: (failure) => {
        failures.push(failure);
        throw new Error('no place to write');
      },
    });
    const error = new Error('broken');
    agent.on('session_before_tree', () => Promise.reject(error));
    agent.on('session_tree', () => {
      throw error;
    });
    const heard = listen(agent);
    expect(await agent.navigateTree(a2)).toEqual({ cancelled: false });
    expect(failures).toEqual([
      { event: 'session_before_tree', error },
      { event: 'session_tree', error },
    ]);
    expect([heard.length, agent.isBusy]).toEqual([2, false]);
    expect(await agent.navigateTree(u1)).toMatchObject({ cancelled: false });
  });

  test('where nobody takes the report, the process is warned', async () => {
    const { agent, a2 } = talk();
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    agent.on('session_tree', () => Promise.reject('a text'));
    await agent.navigateTree(a2);
    expect(warned.mock.calls).toEqual([['A handler of session_tree failed and was passed over: a text']]);
    warned.mockRestore();
  });

  test('taken off they are not asked; one that is on twice is taken off once', async () => {
    const { agent, a2, u1 } = talk();
    let asked = 0;
    const handler = () => void asked++;
    const [off] = [agent.on('session_tree', handler), agent.on('session_tree', handler)];
    off?.();
    off?.();
    await agent.navigateTree(a2);
    expect(asked).toBe(1);
    await agent.navigateTree(u1);
    expect(asked).toBe(2);
  });

  test('a handler gives the summary, if one was asked for', async () => {
    const { agent, a2, u3, session } = talk();
    agent.on('session_before_tree', () => ({ summary: { summary: 'mine', details: { by: 'me' } } }));
    const heard = listen(agent);
    expect(await agent.navigateTree(a2)).toEqual({ cancelled: false });
    const asked = server.asked.length;
    session.branch(u3);
    const { summaryEntry } = await agent.navigateTree(a2, { summarize: true });
    expect(summaryEntry).toMatchObject({ summary: 'mine', details: { by: 'me' }, fromHook: true, fromExtension: true });
    expect(heard.at(-1)).toMatchObject({ type: 'session_tree', fromExtension: true, summaryEntry });
    expect([heard[1], server.asked.length]).toEqual([
      { type: 'session_tree', newLeafId: a2, oldLeafId: expect.any(String) },
      asked,
    ]);
  });

  test('a handler changes the instructions', async () => {
    const { agent, a2 } = talk();
    agent.on('session_before_tree', () => ({ customInstructions: 'Only this.', replaceInstructions: true }));
    await agent.navigateTree(a2, { summarize: true, customInstructions: 'That.' });
    expect(server.asked.at(-1)?.prompt).toMatch(/<\/conversation>\n\nOnly this\.$/);
  });

  test('are given a context to go on from: refused while something is prepared, free afterwards', async () => {
    const failures: HandlerFailure[] = [];
    const { agent, session, u1, a2, u3 } = talk({ onHandlerError: (failure) => void failures.push(failure) });
    agent.on('session_before_tree', async (_event, context) => void (await context.branch(u3)));
    const off = agent.on('session_tree', async ({ newLeafId }, context) => {
      off();
      expect(context.sessionManager.getLeafId()).toBe(newLeafId);
      await context.navigateTree(u1, { summarize: false });
      await context.branch(u3);
    });
    expect(await agent.navigateTree(a2)).toEqual({ cancelled: false });
    expect(failures.map(({ error }) => (error as Error).message)).toEqual(
      Array(2).fill(expect.stringMatching(/^Wait until/)),
    );
    expect(session.getEntries().map(({ id }) => id)).toEqual([u1, a2]);
    expect(agent.isBusy).toBe(false);
  });

  test('are told of the end, and the end comes whatever they do', async () => {
    const { agent } = talk({ onHandlerError: () => {} });
    const heard = listen(agent);
    agent.on('session_shutdown', () => Promise.reject(new Error('no')));
    await agent.close();
    expect(heard).toEqual([{ type: 'session_shutdown' }]);
  });
});
