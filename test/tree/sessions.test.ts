import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { Change, Finding, Format, WarningType } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import {
  assistant,
  attachment,
  boundary,
  caveat,
  claudeTree,
  command,
  compactSummary,
  dialects,
  digestOf,
  type Files,
  factsOf,
  inEveryOrder,
  type Json,
  linesOf,
  meta,
  onlySession,
  piAssistant,
  piHeader,
  piTree,
  piUser,
  progress,
  queue,
  recordOf,
  stdout,
  summary,
  system,
  threadOf,
  threadsOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const sessionIds = (tree: Tree): string[] => tree.sessionIds().sort();
const found = (tree: Tree, type: WarningType): Finding[] => tree.findings().filter((finding) => finding.type === type);
const addFile = (tree: Tree, path: string, lines: readonly object[], format: Format = claudeCode): Change =>
  tree.add(factsOf(format, path), linesOf(format, path, lines));
/** The same line as a resumed or forked session repeats it. */
const copy = (line: Json, more: Json = {}): Json => ({ ...line, sessionId: 'copy', ...more });
const FORKED = { forkedFrom: { sessionId: 'main', messageUuid: 'u1' } };
const at = (time: string): Json => ({ timestamp: `2026-02-01T${time}:00.000Z` });
/** Everything that some thread shows. */
const reachable = (tree: Tree): string[] => [...new Set(Object.values(threadsOf(tree)).flat())].sort();

const SKIPPED: readonly (readonly [string, (uuid: string) => Json])[] = [
  ['a caveat', (uuid) => caveat(uuid, null)],
  ['an injected text', (uuid) => meta(uuid, null, 'Base directory: /r')],
  ['a reminder', (uuid) => user(uuid, null, '<system-reminder>be kind</system-reminder>')],
  ['a system line', (uuid) => system(uuid, null, 'turn_duration')],
  ['an attachment', (uuid) => attachment(uuid, null, { type: 'hook_success' })],
  ['a progress line', (uuid) => progress(uuid, null)],
  ['/clear', (uuid) => command(uuid, null, '/clear')],
  ['an output', (uuid) => stdout(uuid, null, 'done')],
];

test.each(SKIPPED)('H7 %s that two files share does not join their sessions', (_name, line) => {
  const shared = line('x');
  const tree = claudeTree({
    'a.jsonl': [shared, user('u1', 'x'), assistant('a1', 'u1')],
    'b.jsonl': [copy(shared), user('u2', 'x'), assistant('a2', 'u2')],
  });
  expect(sessionIds(tree)).toEqual(['a', 'b']);
});

test('H7 a skipped line that two files share does not join them when only one of them knows its parent', () => {
  const shared = system('x', 'a1', 'turn_duration');
  const tree = claudeTree({
    'a.jsonl': [user('u1', null), assistant('a1', 'u1'), shared, user('u2', 'x')],
    'b.jsonl': [copy(shared), user('u3', 'x')],
  });
  expect(sessionIds(tree)).toEqual(['a', 'b']);
});

test('H7 a skipped line that two files share warns of nothing', () => {
  const shared = caveat('x', null);
  const tree = claudeTree({ 'a.jsonl': [shared, user('u1', 'x')], 'b.jsonl': [copy(shared), user('u2', 'x')] });
  expect(tree.findings()).toEqual([]);
});

test.each(dialects)('H8 one file is one session with all its records ($name)', ({ prompt, answer, tree, key }) => {
  const built = tree([prompt('u1', null), answer('a2', 'u1'), prompt('u3', 'a2')]);
  expect(onlySession(built).recordCount).toBe(3);
  expect(onlySession(built).roots).toEqual([key('u1')]);
});

test('H8 a session has the name of the file that holds its root, whatever id its lines name', () => {
  expect(sessionIds(claudeTree({ 'main.jsonl': [user('u1', null, 'hi', { sessionId: 'other' })] }))).toEqual(['main']);
});

test('H8 files that share nothing are sessions of their own', () => {
  const tree = claudeTree({ 'a.jsonl': [user('u1', null)], 'b.jsonl': [user('u2', null)] });
  expect(sessionIds(tree)).toEqual(['a', 'b']);
});

test('H8 a file without a root of its own is part of the session it continues', () => {
  const tree = claudeTree({
    'main.jsonl': [user('root', null), assistant('a1', 'root')],
    'cont.jsonl': [user('u2', 'a1')],
  });
  expect(onlySession(tree)).toMatchObject({ id: 'main', aliases: ['cont'], recordCount: 3 });
  expect(threadOf(tree)).toEqual(['root', 'a1', 'u2']);
});

test('H8 a session runs over as many files as continue each other', () => {
  const tree = claudeTree({
    'z.jsonl': [user('u1', null), assistant('a1', 'u1')],
    'm.jsonl': [user('u2', 'a1'), assistant('a2', 'u2')],
    'a.jsonl': [user('u3', 'a2')],
  });
  expect(onlySession(tree).id).toBe('z');
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3']);
});

test('H8 a file may continue another one after a tool result', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null), assistant('a1', 'u1', [toolUse('T')]), user('r1', 'a1', [toolResult('T')])],
    'cont.jsonl': [assistant('a2', 'r1')],
  });
  expect(onlySession(tree).id).toBe('main');
  expect(recordOf(tree, 'a2').parent).toBe('a1');
});

test('H8 a file may continue another one after a skipped line that only the other one has', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null), assistant('a1', 'u1'), system('x', 'a1', 'turn_duration')],
    'cont.jsonl': [user('u2', 'x')],
  });
  expect(onlySession(tree).id).toBe('main');
  expect(recordOf(tree, 'u2').parent).toBe('a1');
});

test('H8 a copied root gives its name to the file that has it without forkedFrom', () => {
  const root = user('u1', null);
  const tree = claudeTree({
    'a.jsonl': [copy(root, FORKED), user('u2', 'u1', 'early', at('09:00'))],
    'b.jsonl': [root, user('u3', 'u1', 'late', at('10:00'))],
  });
  expect(onlySession(tree).id).toBe('b');
});

test('H8 of files that hold the root the one whose first own record is earliest names the session', () => {
  const root = user('u1', null);
  const tree = claudeTree({
    'a.jsonl': [root, user('u2', 'u1', 'late', at('10:00'))],
    'b.jsonl': [copy(root), user('u3', 'u1', 'early', at('09:00'))],
  });
  expect(onlySession(tree).id).toBe('b');
});

test('H8 only the first own record counts, not the last', () => {
  const root = user('u1', null);
  const tree = claudeTree({
    'a.jsonl': [root, user('u2', 'u1', 'x', at('09:30')), user('u3', 'u2', 'y', at('09:40'))],
    'b.jsonl': [copy(root), user('u4', 'u1', 'z', at('09:00')), user('u5', 'u4', 'q', at('11:00'))],
  });
  expect(onlySession(tree).id).toBe('b');
});

test('H8 a file with nothing of its own counts as earliest', () => {
  const root = user('u1', null);
  const tree = claudeTree({ 'a.jsonl': [root, user('u2', 'u1')], 'b.jsonl': [copy(root)] });
  expect(onlySession(tree).id).toBe('b');
});

test('H8 when own records begin at one time the path decides', () => {
  const root = user('u1', null);
  const tree = claudeTree({
    'b.jsonl': [root, user('u2', 'u1', 'x', at('09:00'))],
    'a.jsonl': [copy(root), user('u3', 'u1', 'y', at('09:00'))],
  });
  expect(onlySession(tree).id).toBe('a');
});

test('H8 of two files without anything of their own the path decides', () => {
  const root = user('u1', null);
  expect(onlySession(claudeTree({ 'b.jsonl': [root], 'a.jsonl': [copy(root)] })).id).toBe('a');
});

test('H8 a file that does not hold the root never names the session', () => {
  const tree = claudeTree({
    'a.jsonl': [user('u2', 'u1', 'early', at('08:00'))],
    'b.jsonl': [user('u1', null, 'late', at('09:00'))],
  });
  expect(onlySession(tree)).toMatchObject({ id: 'b', aliases: ['a'] });
});

test('H8 every file stem of a session is its id or an alias', () => {
  const root = user('u1', null);
  const { id, aliases } = onlySession(
    claudeTree({ 'a.jsonl': [root], 'b.jsonl': [copy(root), user('u2', 'u1')], 'c.jsonl': [user('u3', 'u2')] }),
  );
  expect([id, ...aliases].sort()).toEqual(['a', 'b', 'c']);
});

test('H8 the old name stays an alias when an older file turns up and changes the id', () => {
  const root = user('u1', null);
  const tree = new Tree();
  addFile(tree, 'fork.jsonl', [copy(root, FORKED), user('u2', 'u1')]);
  expect(onlySession(tree)).toMatchObject({ id: 'fork', aliases: [] });
  addFile(tree, 'main.jsonl', [root, user('u3', 'u1')]);
  expect(onlySession(tree)).toMatchObject({ id: 'main', aliases: ['fork'] });
});

test('H8 an older file that turns up and changes the id is told as merged', () => {
  const root = user('u1', null);
  const tree = new Tree();
  addFile(tree, 'fork.jsonl', [copy(root, FORKED), user('u2', 'u1')]);
  const { merged } = addFile(tree, 'main.jsonl', [root, user('u3', 'u1')]);
  expect(merged).toEqual([{ from: 'fork', into: 'main' }]);
});

test('H8 a continuation that was read first is told as merged when its session comes', () => {
  const tree = new Tree();
  addFile(tree, 'cont.jsonl', [user('u2', 'a1')]);
  const { merged } = addFile(tree, 'main.jsonl', [user('u1', null), assistant('a1', 'u1')]);
  expect(merged).toEqual([{ from: 'cont', into: 'main' }]);
});

test('H8 a file that closes the gap between two sessions merges them', () => {
  const tree = new Tree();
  addFile(tree, 'a.jsonl', [user('u1', null)]);
  addFile(tree, 'c.jsonl', [user('u3', 'u2')]);
  expect(sessionIds(tree)).toEqual(['a', 'c']);
  const { merged } = addFile(tree, 'b.jsonl', [user('u2', 'u1')]);
  expect(merged).toEqual([{ from: 'c', into: 'a' }]);
});

test('H8 a session that grows is not merged', () => {
  const tree = new Tree();
  addFile(tree, 'a.jsonl', [user('u1', null)]);
  expect(addFile(tree, 'b.jsonl', [user('u2', 'u1')]).merged).toEqual([]);
});

test('H8 a record names the session it ended up in', () => {
  const tree = new Tree();
  addFile(tree, 'cont.jsonl', [user('u2', 'a1')]);
  expect(recordOf(tree, 'u2').session).toBe('cont');
  addFile(tree, 'main.jsonl', [user('u1', null), assistant('a1', 'u1')]);
  expect(recordOf(tree, 'u2').session).toBe('main');
});

const NO_SESSION: readonly (readonly [string, readonly object[]])[] = [
  ['summaries', [summary('a1', 'S'), summary('a9', 'T')]],
  ['snapshots', [{ type: 'file-history-snapshot', messageId: 'a1', isSnapshotUpdate: false, snapshot: {} }]],
  ['titles', [{ type: 'custom-title', customTitle: 'x', sessionId: 'other' }]],
  ['skipped lines', [system('x', null, 'turn_duration')]],
  ['nothing', []],
];

test.each(NO_SESSION)('H8 a file of only %s is no session', (_name, lines) => {
  const tree = claudeTree({ 'main.jsonl': [user('u1', null), assistant('a1', 'u1')], 'other.jsonl': lines });
  expect(onlySession(tree)).toMatchObject({ id: 'main', aliases: [] });
});

test('H8 a Pi session has the id of its header, and its file stem finds it', () => {
  expect(onlySession(piTree({ 'x.jsonl': [piHeader('S'), piUser('u1', null)] }))).toMatchObject({
    id: 'S',
    aliases: ['x'],
  });
});

test('H8 the whole stem of a Pi file finds its session', () => {
  const tree = piTree({ '2026-01-01T00-00-00-000Z_S.jsonl': [piHeader('S'), piUser('u1', null)] });
  expect(onlySession(tree)).toMatchObject({ id: 'S', aliases: ['2026-01-01T00-00-00-000Z_S'] });
});

test('H8 a Pi file without a header is named after its file', () => {
  expect(onlySession(piTree({ '2026-01-01T00-00-00-000Z_x.jsonl': [piUser('u1', null)] })).id).toBe('x');
});

test('H8 a Pi file of only a header is no session', () => {
  expect(sessionIds(piTree([piHeader('S')]))).toEqual([]);
});

test('H9 a replayed line is folded without a warning', () => {
  const old = [user('u1', null), assistant('a1', 'u1')];
  const tree = claudeTree({ 'a.jsonl': old, 'b.jsonl': old.map((line) => copy(line)) });
  expect(onlySession(tree).recordCount).toBe(2);
  expect(tree.findings()).toEqual([]);
  expect(tree.accounting()).toMatchObject({ records: 2, folded: 2 });
});

test.each([
  ['after a byte order mark', (line: string) => `\ufeff${line}`],
  ['after NUL bytes', (line: string) => `\0\0${line}`],
  ['with spaces', (line: string) => JSON.stringify(JSON.parse(line), null, 1).replaceAll('\n', ' ')],
  ['with escapes', (line: string) => line.replace('é', '\\u00e9').replace('fix', '\\u0066ix')],
  ['with a member that stands there twice', (line: string) => `{"cwd":"/x",${line.slice(1)}`],
])('H9 a copy that is written in another way is a copy: %s', (_, rewritten) => {
  const lines = [user('u1', null, 'fix é', { cwd: '/p' }), assistant('a1', 'u1', 'fixed é', { cwd: '/p' })];
  const copy = lines.map((line) => `${rewritten(JSON.stringify(line))}\n`).join('');
  const tree = claudeTree({ 'one.jsonl': lines, 'two.jsonl': copy });
  expect(['u1', 'a1'].map((id) => recordOf(tree, id).copies.length)).toEqual([1, 1]);
  expect(onlySession(tree).recordCount).toBe(2);
});

test.each([
  ['nested very deep', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`],
  ['larger than what is scanned', JSON.stringify('x'.repeat(1_200_000))],
  ['larger than what is read whole', JSON.stringify('x'.repeat(17_000_000))],
])('H9, H19 a line is read and folded whose content is %s, first or not', (_, content) => {
  const line = (uuid: string, parent: string): string =>
    `{"type":"assistant","uuid":"${uuid}","parentUuid":"${parent}","message":{"id":"${uuid}","content":${content}}}\n`;
  const first = line('a1', 'gone');
  const tree = claudeTree({ 'one.jsonl': first, 'two.jsonl': `${JSON.stringify(user('u1', null))}\n${first}` });
  expect(recordOf(tree, 'a1').copies).toHaveLength(1);
});

test('H9 a record knows where it was repeated', () => {
  const root = user('u1', null);
  const tree = claudeTree({ 'a.jsonl': [root], 'b.jsonl': [copy(root), user('u2', 'u1')] });
  expect(recordOf(tree, 'u1').copies.map((ref) => ref.file)).toHaveLength(1);
});

test('H9 a line repeated in its own file is a replay too', () => {
  const line = user('u2', 'a1');
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), line, line]);
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'u2']);
  expect(tree.findings()).toEqual([]);
});

test('H9 what a copy adds at its end continues the session', () => {
  const old = [user('u1', null), assistant('a1', 'u1')];
  const tree = claudeTree({ 'a.jsonl': old, 'b.jsonl': [...old.map((line) => copy(line)), user('u2', 'a1')] });
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'] });
});

test('H9 what a copy adds beside the original is a branch of the same session', () => {
  const old = [user('u1', null), assistant('a1', 'u1')];
  const tree = claudeTree({
    'a.jsonl': [...old, user('u2', 'a1'), assistant('a2', 'u2')],
    'b.jsonl': [...old.map((line) => copy(line)), user('u3', 'a1')],
  });
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2', 'a2'], u3: ['u1', 'a1', 'u3'] });
});

test('H9 a replay that lost the history before it is still a replay', () => {
  const prompt = user('u2', 'a1');
  const tree = claudeTree({
    'a.jsonl': [user('u1', null), assistant('a1', 'u1'), prompt],
    'b.jsonl': [copy(prompt, { parentUuid: null }), assistant('a2', 'u2')],
  });
  expect(onlySession(tree).id).toBe('a');
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'u2', 'a2']);
});

test('H9 the same uuid with other content is kept under its own file', () => {
  const tree = claudeTree({
    'a.jsonl': [user('u1', null, 'one'), assistant('a1', 'u1')],
    'b.jsonl': [user('u1', null, 'two'), assistant('b1', 'u1')],
  });
  expect(sessionIds(tree)).toEqual(['a', 'b']);
  expect(tree.session('b').recordCount).toBe(2);
  expect(recordOf(tree, 'b1').parent).toBe(tree.session('b').roots[0]);
});

test('H9 the same uuid with other content is reported with the place that had it first', () => {
  const tree = claudeTree({ 'a.jsonl': [user('u1', null, 'one')], 'b.jsonl': [user('u1', null, 'two')] });
  expect(found(tree, 'duplicate_uuid')).toMatchObject([
    { file: 'p/b.jsonl', line: 1, message: expect.stringContaining('p/a.jsonl:1') },
  ]);
});

test('H9 the same uuid with other content in one file: both are kept and the second is reported', () => {
  const tree = claudeTree([user('u1', null), user('u2', 'u1', 'one'), user('u2', 'u1', 'two')]);
  expect(onlySession(tree).recordCount).toBe(3);
  expect(found(tree, 'duplicate_uuid')).toMatchObject([{ line: 3, message: expect.stringContaining('p/s.jsonl:2') }]);
});

test('H9 the same uuid and text under another type is no replay', () => {
  const tree = claudeTree({ 'a.jsonl': [user('x', null, 'hi')], 'b.jsonl': [assistant('x', null, 'hi')] });
  expect(found(tree, 'duplicate_uuid')).toHaveLength(1);
});

test('H9 logicalParentUuid joins files', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null), assistant('a1', 'u1')],
    'cont.jsonl': [boundary('c1', 'a1'), compactSummary('c2', 'c1'), user('u2', 'c2')],
  });
  expect(onlySession(tree)).toMatchObject({ id: 'main', roots: ['u1'] });
  expect(recordOf(tree, 'c1')).toMatchObject({ parent: 'a1', edge: 'compaction' });
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'c1', 'u2']);
});

test('H9 forkedFrom joins the file of a fork that got new uuids', () => {
  const fork = (messageUuid: string): Json => ({ forkedFrom: { sessionId: 'main', messageUuid } });
  const tree = claudeTree({
    'main.jsonl': [user('u1', null, 'hi'), assistant('a1', 'u1', 'ho'), user('u2', 'a1')],
    'fork.jsonl': [user('x1', null, 'hi', fork('u1')), assistant('x2', 'x1', 'ho', fork('a1')), user('x3', 'x2')],
  });
  expect(sessionIds(tree)).toEqual(['main']);
});

test('H9 forkedFrom is the parent of a record that has no other', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1')],
    'fork.jsonl': [user('x1', null, 'new', { forkedFrom: { sessionId: 'main', messageUuid: 'a1' } })],
  });
  expect(sessionIds(tree)).toEqual(['main']);
  expect(recordOf(tree, 'x1')).toMatchObject({ parent: 'a1', edge: 'fork' });
});

test('H9 Pi files with the same entry ids stay sessions of their own', () => {
  const tree = piTree({
    'a.jsonl': [piHeader('A'), piUser('u1', null, 'hi'), piAssistant('a1', 'u1')],
    'b.jsonl': [piHeader('B'), piUser('u1', null, 'hi'), piUser('u2', 'u1')],
  });
  expect(sessionIds(tree)).toEqual(['A', 'B']);
  expect([tree.records('A'), tree.records('B')]).toEqual([
    ['A/u1', 'A/a1'],
    ['B/u1', 'B/u2'],
  ]);
});

test('H9 parentSession of a Pi file is a link and no join', () => {
  const tree = piTree({
    'a.jsonl': [piHeader('A'), piUser('u1', null)],
    'b.jsonl': [piHeader('B', { parentSession: '/p/a.jsonl' }), piUser('u1', null)],
  });
  expect(sessionIds(tree)).toEqual(['A', 'B']);
  expect(tree.session('B').facts).toContainEqual(
    expect.objectContaining({ type: 'session', value: expect.objectContaining({ parentSession: '/p/a.jsonl' }) }),
  );
});

test('H9 several roots are normal in Pi', () => {
  const tree = piTree([piHeader(), piUser('u1', null), piUser('u2', null)]);
  expect(onlySession(tree).roots).toEqual(['S/u1', 'S/u2']);
  expect(tree.findings()).toEqual([]);
});

const side = (agentId: string): Json => ({ isSidechain: true, agentId });
const root = user('u1', null, 'root');
const first = assistant('a1', 'u1', 'first');
const shared = caveat('x', null);

const PROJECTS: Readonly<Record<string, Files>> = {
  'copies of one root': {
    'a.jsonl': [copy(root, FORKED), copy(first, FORKED), user('u2', 'a1', 'x', at('09:00'))],
    'b.jsonl': [root, first, user('u3', 'a1', 'y', at('10:00'))],
    'c.jsonl': [copy(root), copy(first), user('u4', 'a1', 'z', at('08:00'))],
  },
  continuations: {
    'c.jsonl': [root, first, user('u2', 'a1')],
    'a.jsonl': [assistant('a2', 'u2'), user('u3', 'a2')],
    'b.jsonl': [boundary('c1', 'u3'), compactSummary('c2', 'c1'), user('u4', 'c2')],
  },
  'one id with other content': {
    'a.jsonl': [user('d', null, 'one'), assistant('a', 'd')],
    'b.jsonl': [user('d', null, 'two'), assistant('b', 'd')],
    'c.jsonl': [user('c', 'd', 'who is my parent')],
  },
  'a shared caveat': {
    'a.jsonl': [shared, command('k1', 'x', '/model'), user('u2', 'k1')],
    'b.jsonl': [copy(shared), command('k2', 'x', '/model'), user('u3', 'x')],
    'c.jsonl': [user('u4', 'u3')],
  },
  'a circle over files': {
    'a.jsonl': [user('a', 'c')],
    'b.jsonl': [user('b', 'a')],
    'c.jsonl': [user('c', 'b'), user('d', 'c')],
  },
  'an answer whose lines and results lie in several files': {
    'a.jsonl': [root, assistant('p1', 'u1', [toolUse('A')], { id: 'm' })],
    'b.jsonl': [copy(root), assistant('p2', 'p1', [toolUse('B')], { id: 'm' }), user('r2', 'p2', [toolResult('B')])],
    'c.jsonl': [user('r1', 'p1', [toolResult('A')]), user('u5', 'r1')],
  },
  'summaries and titles elsewhere': {
    'a.jsonl': [root, first],
    'b.jsonl': [summary('a1', 'from b'), { type: 'last-prompt', leafUuid: 'u1', sessionId: 'a' }],
    'c.jsonl': [summary('a1', 'from c'), { type: 'custom-title', customTitle: 'T', sessionId: 'a' }],
  },
  'sub-agents beside and below': {
    's.jsonl': [
      root,
      assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'look' }), toolUse('U', 'Task', { prompt: 'look' })]),
      user('r1', 'a1', [toolResult('U')], { toolUseResult: { agentId: 'k' } }),
    ],
    's/subagents/agent-k.jsonl': [user('k1', null, 'look', side('k')), assistant('k2', 'k1', 'ok', side('k'))],
    'agent-m.jsonl': [user('m1', null, 'look', side('m')), assistant('m2', 'm1', 'ok', side('m'))],
    's/subagents/agent-k.meta.json': [{ agentType: 'Explore', description: 'look' }],
  },
  'one sub-agent in two files': {
    's.jsonl': [root, assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'look' })])],
    'agent-k.jsonl': [user('k2', 'k1', 'more', side('k')), assistant('k3', 'k2', 'ok', side('k'))],
    'b.jsonl': [user('k1', null, 'look', side('k'))],
  },
  'prompts from the queue': {
    'a.jsonl': [root, queue('enqueue', 'also'), first, queue('remove', 'also'), user('u2', 'a1')],
    'b.jsonl': [copy(root), copy(first), user('u3', 'a1')],
  },
};

test.each(Object.entries(PROJECTS))('H10 no order of reading changes the tree: %s', (_name, files) => {
  const [expected, ...others] = [...inEveryOrder(claudeCode, files)].map(digestOf);
  for (const digest of others) expect(digest).toBe(expected);
});

test('H10 no order of reading changes the tree of Pi files', () => {
  const files: Files = {
    'a.jsonl': [piHeader('A'), piUser('u1', null), piAssistant('a1', 'u1'), piUser('u2', 'u1')],
    'b.jsonl': [piHeader('B', { parentSession: 'A' }), piUser('u1', null), piUser('u3', 'gone')],
    'c.jsonl': [piUser('u1', 'u2'), piUser('u2', 'u1')],
  };
  const [expected, ...others] = [...inEveryOrder(pi, files)].map(digestOf);
  for (const digest of others) expect(digest).toBe(expected);
});

test('H10 the order of the files in a folder does not choose the id', () => {
  const files = PROJECTS['copies of one root'] as Files;
  expect([...inEveryOrder(claudeCode, files)].map((tree) => onlySession(tree).id)).toEqual(Array(8).fill('c'));
});

test('H11 two roots in one file are reported and both conversations are reachable', () => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), user('u2', null), assistant('a2', 'u2')]);
  expect(found(tree, 'multiple_roots')).toHaveLength(1);
  expect(reachable(tree)).toEqual(['a1', 'a2', 'u1', 'u2']);
});

test.each(dialects)('H11 two roots are two beginnings of one session ($name)', ({ prompt, answer, tree, key }) => {
  const built = tree([prompt('u1', null), answer('a1', 'u1'), prompt('u2', null)]);
  expect(onlySession(built).roots).toEqual([key('u1'), key('u2')]);
  expect(threadsOf(built)).toEqual({ [key('u1')]: [key('u1'), key('a1')], [key('u2')]: [key('u2')] });
});

test('H11 the root of a sub-agent between the lines is no second root', () => {
  const tree = claudeTree([user('u1', null), user('x1', null, 'look', { isSidechain: true }), assistant('a1', 'u1')]);
  expect(found(tree, 'multiple_roots')).toEqual([]);
});

test('H11 a skipped line without a parent is no second root', () => {
  const tree = claudeTree([meta('m', null, 'hi'), system('x', null, 'turn_duration'), user('u1', null)]);
  expect(tree.findings()).toEqual([]);
  expect(onlySession(tree).roots).toEqual(['u1']);
});

test.each(dialects)('H11 a record whose parent is nowhere is kept and reported ($name)', (dialect) => {
  const { prompt, answer, tree, key } = dialect;
  const built = tree([prompt('u1', null), answer('a1', 'u1'), answer('a2', 'gone')]);
  expect(found(built, 'orphaned_record')).toMatchObject([
    { line: 4, uuid: key('a2'), message: expect.stringContaining(key('gone')) },
  ]);
  expect(onlySession(built).roots).toEqual([key('u1'), key('a2')]);
  expect(reachable(built)).toContain(key('a2'));
});

test('H11 an orphan belongs to the session of its file', () => {
  const tree = claudeTree({ 'a.jsonl': [user('u1', null), user('u2', 'gone')], 'b.jsonl': [user('u3', null)] });
  expect(recordOf(tree, 'u2').session).toBe('a');
});

test('H11 what hangs on an orphan comes with it', () => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), user('u2', 'gone'), assistant('a2', 'u2')]);
  expect(threadsOf(tree)).toMatchObject({ u2: ['u2', 'a2'] });
});

test('H11 a record under a skipped line whose parent is nowhere is an orphan', () => {
  const tree = claudeTree([user('u1', null), system('x', 'gone', 'turn_duration'), user('u2', 'x')]);
  expect(found(tree, 'orphaned_record')).toMatchObject([{ uuid: 'u2' }]);
});

test('H11 an orphan is one no longer when its parent comes', () => {
  const tree = new Tree();
  addFile(tree, 'b.jsonl', [user('u2', 'u1')]);
  expect(found(tree, 'orphaned_record')).toHaveLength(1);
  addFile(tree, 'a.jsonl', [user('u1', null)]);
  expect(tree.findings()).toEqual([]);
});

test.each(dialects)('H11 a file in which no parent resolves is one line in file order ($name)', (dialect) => {
  const { prompt, answer, tree, key } = dialect;
  const built = tree([prompt('u1', 'x'), answer('a1', 'y'), prompt('u2', 'z'), answer('a2', 'q')]);
  expect(threadsOf(built)).toEqual({ [key('u1')]: ['u1', 'a1', 'u2', 'a2'].map(key) });
});

test('H11 a file in which no parent resolves may begin with a root', () => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'y'), user('u2', 'z')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'] });
});

test.each(dialects)('H11 a record that is its own parent is a root and reported ($name)', (dialect) => {
  const { prompt, answer, tree, key } = dialect;
  const built = tree([prompt('u1', 'u1'), answer('a1', 'u1')]);
  expect(threadsOf(built)).toEqual({ [key('u1')]: [key('u1'), key('a1')] });
  expect(found(built, 'parent_cycle')).toMatchObject([{ line: 2, uuid: key('u1') }]);
});

test.each(dialects)('H11 a cycle is cut at its first record in the file ($name)', (dialect) => {
  const { prompt, answer, tree, key } = dialect;
  const built = tree([prompt('u2', 'a1'), answer('a2', 'u2'), answer('a1', 'a2')]);
  expect(onlySession(built).roots).toEqual([key('u2')]);
  expect(threadsOf(built)).toEqual({ [key('u2')]: ['u2', 'a2', 'a1'].map(key) });
  expect(found(built, 'parent_cycle')).toMatchObject([{ line: 2, uuid: key('u2') }]);
});

test.each(dialects)(
  'H11 a cycle beside a healthy conversation is an unattached root of its session ($name)',
  (dialect) => {
    const { prompt, answer, tree, key } = dialect;
    const built = tree([prompt('u1', null), answer('a1', 'u1'), prompt('u2', 'a2'), answer('a2', 'u2')]);
    expect(onlySession(built).roots).toEqual([key('u1'), key('u2')]);
    expect(reachable(built)).toEqual(['a1', 'a2', 'u1', 'u2'].map(key).sort());
  },
);

test.each(dialects)('H11 a cycle through a skipped line is cut at its first record ($name)', (dialect) => {
  const { prompt, answer, aside, tree, key } = dialect;
  const built = tree([prompt('u1', 'x'), answer('a1', 'u1'), aside('x', 'a1')]);
  expect(threadsOf(built)).toEqual({ [key('u1')]: [key('u1'), key('a1')] });
  expect(found(built, 'parent_cycle')).toMatchObject([{ uuid: key('u1') }]);
});

test.each(dialects)('H11 a cycle of skipped lines loses nothing that hangs on it ($name)', (dialect) => {
  const { prompt, answer, aside, tree, key } = dialect;
  const built = tree([aside('x', 'y'), aside('y', 'x'), prompt('u1', 'y'), answer('a1', 'u1')]);
  expect(onlySession(built).roots).toEqual([key('u1')]);
  expect(threadsOf(built)).toEqual({ [key('u1')]: [key('u1'), key('a1')] });
});

test('H11 a skipped line that is its own parent loses nothing that hangs on it', () => {
  const tree = claudeTree([system('x', 'x', 'turn_duration'), user('u1', 'x')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1'] });
});

test('H11 a compaction that names a later record as the one before it is cut like every cycle', () => {
  const tree = claudeTree([boundary('c1', 'a1'), user('u1', 'c1'), assistant('a1', 'u1')]);
  expect(threadsOf(tree)).toEqual({ c1: ['c1', 'u1', 'a1'] });
  expect(found(tree, 'parent_cycle')).toMatchObject([{ uuid: 'c1' }]);
});

test('H11 a cycle over two files is one session with everything in it', () => {
  const tree = claudeTree({ 'a.jsonl': [user('a', 'b')], 'b.jsonl': [user('b', 'a'), user('c', 'b')] });
  expect(reachable(tree)).toEqual(['a', 'b', 'c']);
  expect(found(tree, 'parent_cycle')).toHaveLength(1);
});

test('H11 two cycles are two unattached roots', () => {
  const tree = claudeTree([user('a', 'b'), user('b', 'a'), user('c', 'd'), user('d', 'c')]);
  expect(onlySession(tree).roots).toEqual(['a', 'c']);
  expect(found(tree, 'parent_cycle')).toHaveLength(2);
});

test('H11 a cycle in the file of a sub-agent is cut too', () => {
  const tree = claudeTree({
    's.jsonl': [user('u1', null)],
    'agent-k.jsonl': [user('k1', 'k2', 'look', side('k')), assistant('k2', 'k1', 'ok', side('k'))],
  });
  expect(onlySession(tree).subagents).toMatchObject([{ id: 'k', roots: ['k1'] }]);
  expect(found(tree, 'parent_cycle')).toHaveLength(1);
});
