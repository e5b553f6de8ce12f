import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SessionManager } from '../../src/journal/index.ts';
import { assistant, COST, Folder, HEADER, line, linesIn, user, wordOf } from '../kit/journal.ts';

const folder = new Folder();
const create = () => SessionManager.create('/p', folder.dir());
const open = (...lines: object[]) => SessionManager.open(folder.file([HEADER, ...lines]));
const words = (session: SessionManager) => session.buildSessionContext().messages.map(wordOf);
const bytes = (session: SessionManager) => readFileSync(session.getSessionFile() ?? '', 'utf8');

describe('J1: an append-only file', () => {
  test('check 1: an entry hangs on the leaf and becomes the leaf', () => {
    const session = SessionManager.inMemory();
    const ids = [user('1'), assistant('2'), user('3')].map((message) => session.appendMessage(message));
    expect(session.getEntries().map(({ id, parentId }) => [id, parentId])).toEqual([
      [ids[0], null],
      [ids[1], ids[0]],
      [ids[2], ids[1]],
    ]);
    expect(session.getLeafId()).toBe(ids[2]);
    expect(new Set(ids).size).toBe(3);
  });

  test('every line is there as soon as append returns, the header with the session', () => {
    const session = create();
    expect(linesIn(session.getSessionFile())).toMatchObject([{ type: 'session', version: 3, cwd: '/p' }]);
    session.appendMessage(user('1'));
    expect(linesIn(session.getSessionFile())).toHaveLength(2);
  });

  test('check 2: branching only lets the file grow', () => {
    const session = create();
    const [, a1] = [session.appendMessage(user('u1')), session.appendMessage(assistant('a1'))];
    const u2 = session.appendMessage(user('u2'));
    session.appendMessage(assistant('a2'));
    const before = bytes(session);
    session.branch(a1);
    expect(bytes(session)).toBe(before);
    const u3 = session.appendMessage(user('u3'));
    expect(bytes(session).startsWith(before)).toBe(true);
    expect(session.getChildren(a1).map(({ id }) => id)).toEqual([u2, u3]);
    expect(words(session)).toEqual(['u1', 'a1', 'u3']);
  });
});

describe('J2: the session manager', () => {
  test('appends every type of entry', () => {
    const session = create();
    const usage = assistant('').usage;
    const first = session.appendMessage(user('u'));
    session.appendThinkingLevelChange('high');
    session.appendModelChange('openai', 'gpt');
    session.appendModeChange('plan');
    session.appendTtsrInjection(['no-any']);
    session.appendUsage('cache_warm', 'openai', 'gpt', usage, 'a note');
    session.appendCustomEntry('todo', { done: 1 });
    session.appendCustomMessageEntry('memo', 'remember', true);
    session.appendSessionInfo('a\nname');
    session.appendLabelChange(first, 'start');
    session.appendContextEdit(first, { content: 'edited' });
    session.branchWithSummary(session.getLeafId(), 'left');
    session.appendCompaction('short', first, 100);
    const types = linesIn(session.getSessionFile()).map(({ type }) => type);
    expect(types.slice(1)).toEqual([
      ...['message', 'thinking_level_change', 'model_change', 'mode_change', 'ttsr_injection', 'usage', 'custom'],
      ...['custom_message', 'session_info', 'label', 'context_edit', 'branch_summary', 'compaction'],
    ]);
    expect(session.getSessionName()).toBe('a name');
  });

  test('check 3: what nobody knows cannot be the target of anything, and nothing has changed', () => {
    const session = create();
    const leaf = session.appendMessage(user('1'));
    const before = bytes(session);
    expect(() => session.branch('nope')).toThrow('Entry nope not found');
    expect(() => session.branchWithSummary('nope', 's')).toThrow('Entry nope not found');
    expect(() => session.appendLabelChange('nope', 'l')).toThrow('Entry nope not found');
    expect(() => session.appendContextEdit('nope', null)).toThrow('Entry nope not found');
    expect(() => session.createBranchedSession('nope')).toThrow('Entry nope not found');
    expect([session.getLeafId(), bytes(session)]).toEqual([leaf, before]);
  });

  test('check 4: after resetLeaf the next entry is another root', () => {
    const session = SessionManager.inMemory();
    session.appendMessage(user('1'));
    session.resetLeaf();
    session.appendMessage(user('2'));
    expect(session.getTree()).toHaveLength(2);
    expect(session.getChildren(null)).toHaveLength(2);
    expect(words(session)).toEqual(['2']);
  });

  test('check 5: a branch summary before everything comes from `root`', () => {
    const session = SessionManager.inMemory();
    session.appendMessage(user('1'));
    session.branchWithSummary(null, 's');
    expect(session.getLeafEntry()).toMatchObject({ type: 'branch_summary', parentId: null, fromId: 'root' });
    expect(words(session)).toEqual(['branchSummary:s']);
  });

  test('a branch summary names the leaf that was left', () => {
    const session = SessionManager.inMemory();
    const [first, second] = [session.appendMessage(user('1')), session.appendMessage(user('2'))];
    session.branchWithSummary(first, 's', undefined, true);
    expect(session.getLeafEntry()).toMatchObject({
      parentId: first,
      fromId: second,
      fromHook: true,
      fromExtension: true,
    });
  });

  test('close keeps the leaf where it was moved to', () => {
    const session = create();
    const first = session.appendMessage(user('1'));
    session.appendMessage(assistant('2'));
    session.branch(first);
    session.close();
    const again = SessionManager.open(session.getSessionFile() ?? '');
    expect(again.getLeafEntry()).toMatchObject({ type: 'custom', customType: 'skein/leaf', parentId: first });
    expect(words(again)).toEqual(['1']);
  });

  test('close after resetLeaf leaves nothing in the context', () => {
    const session = create();
    session.appendMessage(user('1'));
    session.resetLeaf();
    session.close();
    expect(words(SessionManager.open(session.getSessionFile() ?? ''))).toEqual([]);
  });

  test('close writes nothing if the leaf is where it would be found', () => {
    const session = create();
    session.appendMessage(user('1'));
    const before = bytes(session);
    session.close();
    expect(bytes(session)).toBe(before);
    session.appendMessage(user('2'));
    expect(linesIn(session.getSessionFile())).toHaveLength(3);
  });

  test('continueRecent goes on with the file written to last, of this working folder', () => {
    const dir = folder.dir();
    const first = SessionManager.create('/p', dir);
    first.appendMessage(user('1'));
    SessionManager.create('/other', dir).appendMessage(user('2'));
    expect(SessionManager.continueRecent('/p', dir).getSessionFile()).toBe(first.getSessionFile());
    expect(SessionManager.continueRecent('/new', dir).getEntries()).toEqual([]);
  });

  test('a session may be given its id, which must fit a file name', () => {
    const session = SessionManager.create('/p', folder.dir(), { id: 'my.id' });
    expect(session.getSessionFile()).toMatch(/_my\.id\.jsonl$/);
    expect(() => session.newSession({ id: '../x' })).toThrow('Session id must be');
    expect(session.getSessionId()).toBe('my.id');
  });

  test('a session in memory may begin with entries from anywhere', () => {
    const session = SessionManager.inMemory('/p', undefined, [line('e1', null), line('e2', 'e1')]);
    expect([session.getLeafId(), session.isPersisted(), session.getSessionFile()]).toEqual(['e2', false, undefined]);
    expect(session.getHeader()).toMatchObject({ type: 'session', cwd: '/p' });
  });

  test('an edit changes what the model sees of an entry on this branch only', () => {
    const session = SessionManager.inMemory();
    const first = session.appendMessage(user('1'));
    const second = session.appendMessage(assistant('2'));
    session.appendContextEdit(second, { content: 'two' });
    expect(words(session)).toEqual(['1', 'two']);
    session.appendContextEdit(first, null);
    expect(words(session)).toEqual(['two']);
    session.branch(second);
    expect(words(session)).toEqual(['1', '2']);
    expect(() => session.appendContextEdit(session.appendThinkingLevelChange('low'), null)).toThrow('editable');
  });

  test('100,000 entries in one line are no deeper than a stack allows', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => line(`e${at}`, at === 0 ? null : `e${at - 1}`));
    const session = SessionManager.inMemory('/p', undefined, lines);
    expect(session.getBranch()).toHaveLength(100_000);
    expect(session.getTree()).toHaveLength(1);
    expect(session.buildSessionContext().messages).toHaveLength(100_000);
  });
});

describe('J3: the tree', () => {
  test('an entry without its parent is a root', () => {
    const session = open(line('e1', null), line('e2', 'gone'), line('e3', 'e2'));
    expect(session.getTree().map(({ entry, children }) => [entry.id, children.length])).toEqual([
      ['e1', 0],
      ['e2', 1],
    ]);
    expect(session.getBranch('e3').map(({ id }) => id)).toEqual(['e2', 'e3']);
    expect(session.getFindings()).toMatchObject([{ type: 'orphaned_record', id: 'e2', line: 3 }]);
  });

  test('children are oldest first, whatever the order of the file; a time that is none stays where it is', () => {
    const odd = { ...line('x', 'e1'), timestamp: 'never' };
    const session = open(line('e1', null), line('e9', 'e1'), odd, line('e2', 'e1'));
    expect(session.getTree()[0]?.children.map(({ entry }) => entry.id)).toEqual(['e2', 'e9', 'x']);
    expect(session.getChildren('e1').map(({ id }) => id)).toEqual(['e9', 'x', 'e2']);
  });

  test('getBranch of an unknown id is empty', () => {
    expect(open(line('e1', null)).getBranch('nope')).toEqual([]);
  });

  test('check 16: parents that go round are cut at the first in the file, and reported', () => {
    const session = open(line('a1', 'b2'), line('b2', 'a1'), line('c3', 'b2'), line('d4', 'd4'));
    expect(session.getTree().map(({ entry }) => entry.id)).toEqual(['a1', 'd4']);
    expect(session.getBranch('c3').map(({ id }) => id)).toEqual(['a1', 'b2', 'c3']);
    expect(session.getBranch('d4').map(({ id }) => id)).toEqual(['d4']);
    expect(session.getFindings()).toMatchObject([
      { type: 'parent_cycle', id: 'a1', line: 2 },
      { type: 'parent_cycle', id: 'd4', line: 5 },
    ]);
    session.appendMessage(user('on'));
    expect(session.buildSessionContext().messages).toHaveLength(2);
  });

  test('of two entries with one id the last counts, and it is shown once', () => {
    const session = open(
      line('e1', null),
      line('e2', 'e1', { message: user('first') }),
      line('e2', 'e1', { message: user('last') }),
    );
    expect(session.getEntry('e2')).toMatchObject({ message: user('last') });
    expect(session.getTree()[0]?.children).toHaveLength(1);
    expect(session.getFindings()).toMatchObject([{ type: 'duplicate_uuid', id: 'e2', line: 4 }]);
  });
});

describe('J5: labels', () => {
  test('check 8: are set, changed and cleared at once, and after a reload', () => {
    const session = create();
    const id = session.appendMessage(user('1'));
    const reloaded = () => SessionManager.open(session.getSessionFile() ?? '').getLabel(id);
    for (const label of ['one', 'two', undefined, 'three', '']) {
      session.appendLabelChange(id, label);
      expect([session.getLabel(id), reloaded()]).toEqual([label || undefined, label || undefined]);
    }
    expect(linesIn(session.getSessionFile())[4]).not.toHaveProperty('label');
    expect(words(session)).toEqual(['1']);
  });

  test('stand in the tree with the time of the last change', () => {
    const session = SessionManager.inMemory();
    const id = session.appendMessage(user('1'));
    session.appendLabelChange(id, 'here');
    const { timestamp } = session.getLeafEntry() ?? {};
    expect(session.getTree()[0]).toMatchObject({ label: 'here', labelTimestamp: timestamp });
  });

  test('a label may be put on a label', () => {
    const session = SessionManager.inMemory();
    const label = session.appendLabelChange(session.appendMessage(user('1')), 'one');
    session.appendLabelChange(label, 'two');
    expect(session.getLabel(label)).toBe('two');
  });
});

test('J2: usage keeps its cost', () => {
  const session = SessionManager.inMemory();
  const entry = session.appendUsage('cache_warm', 'p', 'm', { ...assistant('').usage, cost: { ...COST, total: 2 } });
  expect(session.getLeafEntry()).toBe(entry);
  expect(entry.usage.cost.total).toBe(2);
});
