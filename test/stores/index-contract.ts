import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FileEntry,
  type IndexStore,
  type MessageEntry,
  MessageKeys,
  openSharedIndex,
  type SessionEntry,
  type TreeEntry,
} from '../../src/stores/index.ts';

/** What every store of the index keeps to. `open` gives an empty one, and the same one again after `close`. */
export function testIndexStore(name: string, open: () => IndexStore, remove: () => void): void {
  describe(`M7: the index in ${name}`, () => {
    let store: IndexStore;
    beforeEach(() => {
      store = open();
    });
    afterEach(async () => {
      await store.close();
      remove();
    });
    const reopen = async (): Promise<void> => {
      await store.close();
      store = open();
    };

    test('gives back what was read of a file, also after it was closed', async () => {
      const chunks = [{ file: 'p/s.jsonl', index: 0, bytes: new Uint8Array([1, 2, 3]) }];
      await store.apply({ tree, files: [file], chunks });
      await reopen();
      expect(await store.trees()).toEqual([tree]);
      expect(await store.files()).toEqual([file]);
      expect(await store.files('other')).toEqual([]);
      expect((await store.chunks('t')).map(({ bytes, ...rest }) => ({ ...rest, bytes: [...bytes] }))).toEqual([
        { file: 'p/s.jsonl', index: 0, bytes: [1, 2, 3] },
      ]);
    });

    test('has full text unless it was made without, also for who has its share', async () => {
      expect(await store.hasText()).toBe(true);
      const other = openSharedIndex(await store.share());
      expect(await other.hasText()).toBe(true);
      await other.close();
    });

    test('who has its share writes to the same store, each in turn', async () => {
      const other = openSharedIndex(await store.share());
      const second: TreeEntry = { ...tree, key: 'u' };
      expect(await store.apply({ tree, files: [file] })).toBe(1);
      expect(await other.apply({ tree: second, files: [{ ...file, tree: 'u' }] })).toBe(2);
      expect(await store.apply({ tree, sessions: [session('s')] })).toBe(3);
      expect(await store.reserveVolumes(2)).not.toBe(await other.reserveVolumes(2));
      await other.apply({ tree: second, dropTrees: [tree.key] });
      await store.apply({ tree, files: [file], sessions: [session('s')] });
      await other.close();
      expect((await store.files()).map((entry) => entry.tree).sort()).toEqual(['t', 'u']);
      expect((await store.sessions({})).map(({ id }) => id)).toEqual(['s']);
      expect(await store.revision()).toBe(5);
    });

    test('a title and a summary are found where they were typed', async () => {
      await store.apply({
        tree,
        files: [file],
        prompts: [{ file: file.id, line: 1, text: ' fix\nit ' }],
        sessions: [session('s', { title: [[file.id, 1]] })],
      });
      const [found] = await store.sessions({ threads: true });
      expect(found).toMatchObject({ id: 's', title: 'fix it', agent: 'claude-code', project: tree.project });
      expect(found?.threads[0]?.summary).toEqual(['fix it', 'fix it']);
    });

    test('lists sessions by project and time, newest first', async () => {
      const other = { ...tree, key: 'u', project: { ...tree.project, path: '/other' } };
      await store.apply({
        tree,
        sessions: [session('a', { active: [0, 5] }), session('b', { endedAt: 9, active: [8, 9] })],
      });
      await store.apply({ tree: other, sessions: [session('c', { endedAt: 7, active: [] })] });
      const ids = async (query: Parameters<IndexStore['sessions']>[0]) =>
        (await store.sessions(query)).map(({ id }) => id);
      expect(await ids({})).toEqual(['b', 'c', 'a']);
      expect(await ids({ projects: ['/other'] })).toEqual(['c']);
      expect(await ids({ range: { from: 5, to: 8 } })).toEqual(['a']);
      expect(await ids({ id: 'b' })).toEqual(['b']);
      expect(
        (await store.projects()).map(({ path, sessionCount, lastActivity }) => [path, sessionCount, lastActivity]),
      ).toEqual([
        ['/r', 2, 9],
        ['/other', 1, 7],
      ]);
    });

    test('names tool messages after their record and pages through them by time', async () => {
      await store.apply({
        tree,
        files: [file],
        messages: [...toolRows].reverse(),
        sessions: [session('s', { messageCount: 3 })],
      });
      const all = await store.messages({ tree: 't', id: 's' }, { skip: 0, limit: 10 });
      expect(all.items.map(({ uuid, parentUuid, type, toolName }) => [uuid, parentUuid, type, toolName])).toEqual([
        ['a', null, 'assistant', null],
        ['a_tool_0', 'a', 'tool_use', 'Read'],
        ['a_result_0', 'a_tool_0', 'tool_result', 'Read'],
      ]);
      const page = await store.messages({ tree: 't', id: 's' }, { skip: 1, limit: 1 });
      expect(page).toMatchObject({ total: 3, items: [{ uuid: 'a_tool_0' }] });
    });

    test('says which sessions changed since a revision, and which went', async () => {
      const first = await store.apply({ tree, sessions: [session('a'), session('b')] });
      const second = await store.apply({ tree, sessions: [session('c')], goneSessions: ['a'] });
      const { revision, sessions } = await store.changesSince(first, 10);
      expect(revision).toBe(second);
      expect(sessions.map(({ id, gone }) => [id, gone]).sort()).toEqual([
        ['a', true],
        ['c', false],
      ]);
      expect(await store.changesSince(second, 10)).toEqual({ revision: second, sessions: [] });
    });

    test('M11: bears a stamp until it is written to', async () => {
      await store.apply({ tree, sessions: [session('a')] });
      expect(await store.stamp()).toBe(null);
      await store.settle();
      const before = await store.digest();
      await store.setStamp('as it was');
      await reopen();
      expect([await store.stamp(), await store.digest()]).toEqual(['as it was', before]);
      await store.apply({ tree, sessions: [session('b')] });
      expect(await store.stamp()).toBe(null);
    });

    test('M8: says the same with its indexes, made before the end or again, and on the disk', async () => {
      await store.apply({ tree, sessions: [session('a')] });
      const before = await store.digest();
      await store.addIndexes();
      await store.apply({ tree, sessions: [session('c')] });
      await store.addIndexes();
      await store.sync();
      await store.addIndexes();
      await store.apply({ tree, sessions: [session('b')] });
      await store.settle();
      const after = await store.digest();
      await reopen();
      expect(await store.digest()).toBe(after);
      expect(after).not.toBe(before);
      expect((await store.sessions()).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
    });

    test('M5: sums the findings of the trees it has', async () => {
      const other = { ...tree, key: 'u' };
      for (const each of [tree, other]) {
        await store.apply({ tree: each, sessions: [session('a')] });
        await store.setFindings(each.key, { error: 1, warning: 2, note: 3 });
      }
      expect(await store.findings()).toEqual({ error: 2, warning: 4, note: 6 });
      await store.dropTree('u');
      await store.apply({ tree: other, sessions: [session('a')] });
      await store.setFindings('t', { error: 0, warning: 0, note: 1 });
      expect(await store.findings()).toEqual({ error: 0, warning: 0, note: 1 });
    });

    test('a batch that fails writes nothing', async () => {
      await store.apply({ tree, sessions: [session('a')] });
      const before = await store.digest();
      const bad = { ...(toolRows[0] as MessageEntry), kind: null as unknown as string };
      await expect(store.apply({ tree, sessions: [session('b')], messages: [...toolRows, bad] })).rejects.toThrow();
      expect(await store.digest()).toBe(before);
      await store.apply({ tree, sessions: [session('a')] });
      expect(await store.digest()).toBe(before);
      expect(await store.changesSince(0, 10)).toMatchObject({ sessions: [{ id: 'a' }] });
    });

    test('M6: the digest tells content and not how it came', async () => {
      const rows = { files: [file], messages: toolRows, sessions: [session('s')] };
      await store.apply({ tree, ...rows });
      const whole = await store.digest();
      await store.apply({ tree, ...rows });
      expect(await store.digest()).toBe(whole);
      await store.apply({ tree, goneMessages: [(toolRows[2] as MessageEntry).id] });
      expect(await store.digest()).not.toBe(whole);
      await store.apply({ tree, messages: toolRows.slice(2) });
      expect(await store.digest()).toBe(whole);
      await store.apply({ tree, anew: true, dropFiles: [file.id] });
      await store.apply({ tree, messages: [...toolRows].reverse(), sessions: [session('s')], files: [file] });
      expect(await store.digest()).toBe(whole);
    });

    test('a tree that is dropped is as if it had never been', async () => {
      await store.apply({ tree, sessions: [session('a')] });
      const before = await store.digest();
      const other = { ...tree, key: 'u' };
      await store.apply({ tree: other, files: [{ ...file, tree: 'u' }], messages: toolRows, sessions: [session('s')] });
      await store.dropTree('u');
      expect(await store.digest()).toBe(before);
      await store.apply({ tree: other, sessions: [session('s')], dropTrees: ['t'] });
      expect((await store.trees()).map(({ key }) => key)).toEqual(['u']);
    });

    test('a session that is dropped leaves its tree to be indexed anew', async () => {
      await store.apply({ tree, files: [file], messages: toolRows, sessions: [session('s'), session('a')] });
      await store.dropSession('t', 's', [file.id]);
      expect((await store.sessions()).map(({ id }) => id)).toEqual(['a']);
      expect(await store.files()).toEqual([]);
      expect(await store.trees()).toMatchObject([{ complete: false }]);
    });

    test('a response is given back with its figures', async () => {
      const usage = {
        key: 'm',
        model: 'x',
        input: 1,
        output: 2,
        cacheRead: 3,
        cacheWrite5m: 4,
        cacheWrite1h: 5,
        costUsd: 0.5,
        fast: true,
      } as const;
      await store.apply({ tree, usages: [{ id: -5n, session: 's', usage, time: 7, isSubagent: true }] });
      const { key, ...figures } = usage;
      const [found] = await store.usages();
      expect(found).toMatchObject({ usage: figures, time: 7, session: 's', project: '/r', isSubagent: true });
      expect(found?.usage.key).not.toBe(key);
      expect(await store.usages({ range: { from: 0, to: 7 } })).toEqual([]);
    });
  });
}

const tree: TreeEntry = {
  key: 't',
  agent: 'claude-code',
  project: { id: 'p', path: '/r', names: ['p'] },
  complete: true,
};

const facts = {
  id: 'p/s.jsonl',
  path: '/x/p/s.jsonl',
  format: 'claude-code',
  role: 'session',
  project: 'p',
  native: 's',
  session: null,
  tokens: [],
  branches: 'inferred',
} as const;

const file: FileEntry = {
  tree: 't',
  id: 'p/s.jsonl',
  facts,
  path: '/x/p/s.jsonl',
  size: 100,
  modified: 1.5,
  generation: 2,
  offset: 90,
  line: 3,
  state: { cwd: '/r' },
  lines: 2,
  torn: {
    line: { in: 'report', ref: { file: 'p/s.jsonl', line: 3, offset: 90, bytes: 10 }, warnings: [] },
    prompt: 'x',
  },
};

const session = (id: string, more: Partial<SessionEntry> = {}): SessionEntry => ({
  id,
  aliases: [],
  title: null,
  cwd: '/r',
  gitBranch: null,
  startedAt: 0,
  endedAt: 5,
  recordCount: 1,
  messageCount: 1,
  files: ['p/s.jsonl'],
  usage: [],
  active: [0, 5],
  threads: [
    {
      id: 'a',
      leaf: 'a',
      resumeId: 's',
      fork: null,
      gitBranch: null,
      recordCount: 1,
      lastActivity: 5,
      isDefault: true,
      summary: [[['p/s.jsonl', 1]], [['p/s.jsonl', 1]]],
    },
  ],
  subagents: [],
  ...more,
});

const keys = new MessageKeys('t');
const row = (id: bigint, more: Partial<MessageEntry>): MessageEntry => ({
  id,
  parent: null,
  session: 's',
  uuid: null,
  type: 'assistant',
  kind: 'assistant',
  isSidechain: true,
  hidden: false,
  time: 1,
  number: 0,
  nth: 0,
  isAgain: false,
  at: { file: 'p/s.jsonl', line: 1, offset: 0, bytes: 10 },
  more: [],
  toolName: null,
  isError: null,
  agent: null,
  ...more,
});
const toolRows: MessageEntry[] = [
  row(keys.record('a'), { uuid: 'a' }),
  row(keys.toolUse('a', 0), { parent: keys.record('a'), type: 'tool_use', toolName: 'Read', time: 2 }),
  row(keys.toolResult('a', 0), {
    parent: keys.toolUse('a', 0),
    type: 'tool_result',
    toolName: 'Read',
    isError: false,
    time: 3,
  }),
];
