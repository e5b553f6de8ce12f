import { describe, expect, test } from 'vitest';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { listStoredSessions } from '../../src/ingest/stored-lists.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { assistant, attachment, command, type Json, meta, piHeader, piUser, queue, user } from '../kit/transcript.ts';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1n' } };
const answer = (id: string, parent: string): Json => assistant(id, parent, 'ok');

/** What a session is called, by its files and by the index, which must be the same. */
async function titleOf(lines: readonly Json[], kind: 'projects' | 'sessions' = 'projects', name = 's.jsonl') {
  const folder = new IndexFolder(kind);
  const store = SqliteIndex.open(folder.db());
  try {
    folder.write('-r', { [name]: lines });
    const titles = folder.history().projects.flatMap((project) => project.sessions().map(({ title }) => title));
    await indexProjects(folder.history(), store, { workers: 0 });
    expect((await listStoredSessions(store)).map(({ title }) => title)).toEqual(titles);
    return titles[0] ?? null;
  } finally {
    await store.close();
    folder.remove();
  }
}

const review = [command('c', null, '/review', 'the parser'), meta('m', 'c', 'Review the code: the parser')];

describe('U1, peers D5: what a session is called', () => {
  test('a command of the human’s own with what it was given, as any first prompt', async () => {
    expect(await titleOf([...review, answer('a', 'm'), user('u', 'a', 'Thanks!')])).toBe('/review the parser');
  });

  test('a bare command of the agent is passed over', async () => {
    expect(await titleOf([command('c', null, '/model'), user('u', 'c', 'fix it')])).toBe('fix it');
  });

  test('when nothing else says anything, the command does', async () => {
    expect(await titleOf([command('c', null, '/model')])).toBe('/model');
  });

  test.each([
    ['blank', '  \n'],
    ['of an image only', [image]],
  ])('a first prompt that is %s is passed over', async (_what, content) => {
    expect(await titleOf([user('u1', null, content), answer('a', 'u1'), user('u2', 'a', 'now fix it')])).toBe(
      'now fix it',
    );
  });

  test('with an image only, what was answered', async () => {
    expect(await titleOf([user('u1', null, [image]), assistant('a', 'u1', 'A cat')])).toBe('A cat');
  });

  test('a session of which only sub-agents are left by what the first was asked', async () => {
    const aside = { isSidechain: true, agentId: 'k' };
    const lines = [user('u', null, 'look around', aside), assistant('a', 'u', 'done', aside)];
    expect(await titleOf(lines, 'projects', 'agent-k.jsonl')).toBe('look around');
  });

  test('Pi: a mistyped command is not the title when a prompt follows, and is when none does', async () => {
    const typed = [piHeader(), piUser('e1', null, '/mode')];
    const name = '2026-01-01T00-00-00-000Z_S.jsonl';
    expect(await titleOf([...typed, piUser('e2', 'e1', 'fix it')], 'sessions', name)).toBe('fix it');
    expect(await titleOf(typed, 'sessions', name)).toBe('/mode');
  });

  test('what a command printed, or the editor told, is never the title', async () => {
    const noise = [
      user('n1', null, '<local-command-result>done</local-command-result>'),
      user('n2', 'n1', '<ide_opened_file>a.ts</ide_opened_file>'),
    ];
    expect(await titleOf([...noise, user('u', 'n2', 'fix it')])).toBe('fix it');
  });

  test('peers D6 a title with a uuid, as the official SDK writes it into forks', async () => {
    const title = {
      type: 'custom-title',
      customTitle: 'My fork',
      sessionId: 's',
      uuid: 't1',
      timestamp: '2026-01-01T00:00:00Z',
    };
    expect(await titleOf([user('u', null, 'hello'), title])).toBe('My fork');
  });
});

describe('peers D10: what waits in the queue and was not typed', () => {
  test.each(['<system-reminder>be brief</system-reminder>', 'Stop hook feedback:\nlint failed', '   '])(
    'is no title and no prompt: %j',
    async (prompt) => {
      const waiting = attachment('q', 'a0', { type: 'queued_command', commandMode: 'prompt', prompt });
      expect(
        await titleOf([
          assistant('a0', null, 'hi'),
          queue('enqueue', prompt),
          queue('remove', prompt),
          waiting,
          user('u', 'q', 'go on'),
        ]),
      ).toBe('go on');
    },
  );
});
