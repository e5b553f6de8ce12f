import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recognise } from '../src/formats/index.ts';
import { checkProject, History } from '../src/history/index.ts';
import { tempFolder } from './kit/temp.ts';
import { bytesOf, type Json, piHeader, piUser, user } from './kit/transcript.ts';

const CORPUS = resolve('../shared/corpus');

const codex: Json[] = [{ timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: 'c', cwd: '/r' } }];
const qwen: Json[] = [
  { uuid: 'q1', parentUuid: null, sessionId: 's', type: 'user', message: { role: 'user', parts: [{ text: 'hi' }] } },
];
/** As a writer leaves it that knows no ids. */
const plain: Json[] = [
  { type: 'user', message: { role: 'user', content: 'hello' }, timestamp: '2026-01-01T00:00:00Z' },
  { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'hi' }] } },
];

function folderWith(files: Readonly<Record<string, readonly Json[] | string>>): string {
  const folder = tempFolder();
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytesOf(lines));
  }
  return folder;
}

const open = (root: string): History => History.open({ roots: [root], env: {}, home: '' });
const titlesIn = ({ projects }: History) => projects.flatMap((each) => each.sessions().map(({ title }) => title));
const toldBy = ({ problems }: History, folder: string) => problems.map(({ message }) => message.replace(folder, '~'));

describe('carriers 0, P4: what a file is, is decided by what its lines say', () => {
  test('a folder called projects with logs of somebody else is not read as Claude Code’s, and says what it holds', () => {
    const folder = folderWith({ 'projects/p/chats/a.jsonl': qwen, 'projects/p/b.jsonl': qwen });
    const history = open(folder);
    expect(titlesIn(history)).toEqual([]);
    expect(toldBy(history, folder)).toEqual(['~: 2 files, none known; looks like Qwen Code']);
  });

  test('a folder called sessions, by days, is not read as Pi’s', () => {
    const folder = folderWith({ 'sessions/2026/11/19/rollout-a.jsonl': codex });
    expect(toldBy(open(folder), folder)).toEqual(['~: 1 file, none known; looks like Codex']);
  });

  test('logs of Claude Code in a folder called sessions are read', () => {
    expect(titlesIn(open(folderWith({ 'sessions/x/a.jsonl': [user('u1', null, 'hello')] })))).toEqual(['hello']);
  });

  test('one log of somebody else among those of a project is left out, with a word', () => {
    const folder = folderWith({ 'projects/p/a.jsonl': [user('u1', null, 'hello')], 'projects/p/c.jsonl': codex });
    const history = open(folder);
    expect(history.projects.flatMap(({ files }) => files.map(({ facts }) => facts.id))).toEqual(['p/a.jsonl']);
    expect(toldBy(history, folder)).toEqual([
      '~/projects/p/c.jsonl looks like a log of Codex, and is not read as another’s; it is left out'.replace('’', "'"),
    ]);
  });

  test('what says nothing belongs to those around it: no line is lost', () => {
    const folder = folderWith({ 'projects/p/a.jsonl': [user('u1', null)], 'projects/p/b.jsonl': 'rubbish\n' });
    expect(open(folder).projects.map((project) => checkProject(project).accounted.reported)).toEqual([1]);
  });

  test('a first line that is longer than what is looked at is known by its beginning', () => {
    const long = {
      uuid: 'q1',
      sessionId: 's',
      type: 'user',
      message: { role: 'user', parts: [{ text: 'x'.repeat(9000) }] },
    };
    expect(recognise(JSON.stringify(long).slice(0, 4096)).other).toBe('Qwen Code');
    const lone = JSON.stringify(user('u1', null, `${'x'.repeat(9000)}`)).slice(0, 4096);
    expect(recognise(lone).format?.name).toBe('claude-code');
  });

  test.each([
    ['gemini', [{ sessionId: 's', projectHash: 'h', startTime: '', lastUpdated: '', kind: 'main' }], 'Gemini CLI'],
    ['copilot', [{ type: 'session.start', data: { sessionId: 's' }, id: 'x', parentId: null }], 'Copilot'],
    ['cursor', [{ role: 'user', message: { content: [{ type: 'text', text: 'hi' }] } }], 'Cursor'],
    [
      'droid',
      [
        { type: 'session_start', id: 'x', owner: 'me' },
        { type: 'message', message: { role: 'user' } },
      ],
      'Factory Droid',
    ],
    ['kimi', [{ type: 'metadata', protocol_version: '1.3' }], 'Kimi'],
  ])('%s is named', (_name, lines, expected) => {
    expect(recognise(lines.map((line) => JSON.stringify(line)).join('\n'))).toMatchObject({
      format: null,
      other: expected,
    });
  });

  test('an entry of an extension of Pi is not taken for somebody else’s', () => {
    const custom = { type: 'custom', id: 'e1', parentId: null, timestamp: '', customType: 'x', data: {} };
    expect(
      recognise([piHeader(), custom, piUser('e2', 'e1', 'hi')].map((line) => JSON.stringify(line)).join('\n')).format
        ?.name,
    ).toBe('pi');
  });

  test('a document is known by its first keys, a list by its first elements', () => {
    expect(recognise('{\n  "sessionId": "s",\n  "workspaceDirectory": "/r",\n  "history": [').other).toBe('Continue');
    expect(
      recognise('[\n  {"ts": 1, "type": "say", "say": "task", "conversationHistoryIndex": 1},\n  {"ts').other,
    ).toBe('Cline');
  });

  test('a file given by name that nobody knows is not read as the last format of the list', () => {
    const folder = folderWith({ 'c.jsonl': codex, 'x.jsonl': [{ hello: 'world' }] });
    const told = (name: string) => toldBy(History.openFile(join(folder, name)), folder);
    expect(told('c.jsonl')).toEqual(['~/c.jsonl is not a log that Skein reads: it looks like Codex']);
    expect(told('x.jsonl')).toEqual(['~/x.jsonl is not a log that Skein knows']);
  });
});

test.each(['projects', 'projects/p', 'elsewhere/p'])('U25: lines without ids are read the same in %s', (root) => {
  const [first = ''] = root.split('/');
  const folder = folderWith({ [`${first}/p/a.jsonl`]: plain });
  expect(titlesIn(open(join(folder, root)))).toEqual(['hello']);
});

const others = (() => {
  try {
    return readdirSync(CORPUS).filter((name) => name !== 'claude-code' && name !== 'pi');
  } catch {
    return [];
  }
})();

test.skipIf(others.length === 0).for(others)('carriers 0: no session is made of the logs in corpus/%s', (name) => {
  const history = open(join(CORPUS, name));
  expect(history.projects).toEqual([]);
  expect(history.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/files?, none known; looks like /),
  ]);
});
