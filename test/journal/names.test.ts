import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { SessionManager } from '../../src/journal/index.ts';
import { Folder, HEADER, line } from '../kit/journal.ts';
import { onlySession, piTree } from '../kit/transcript.ts';

const folder = new Folder();

const slot = (title: string): object => ({ type: 'title', v: 1, title, source: 'user', updatedAt: 'x', pad: '  ' });
const header = (title: string): object => ({ ...HEADER, title });
const prompt = line('0000000e1', null);
const changed = (title: string, source = 'user'): object =>
  line('e2', '0000000e1', { type: 'title_change', title, source });
const named = (name: string): object => line('e3', '0000000e1', { type: 'session_info', name });

const NAMES: readonly (readonly [string, readonly object[], string | undefined])[] = [
  ['the header', [header('Header'), prompt], 'Header'],
  ['the line before the header', [slot('Slot'), HEADER, prompt], 'Slot'],
  ['a change of the title', [HEADER, prompt, changed('Changed')], 'Changed'],
  ['a made-up title', [HEADER, prompt, changed('Made', 'auto')], 'Made'],
  [
    'the one somebody gave, not the one made up later',
    [HEADER, prompt, changed('Given'), changed('Made', 'auto')],
    'Given',
  ],
  ['the line before the header, not the header (peers D9)', [slot('Slot'), header('Stale'), prompt], 'Slot'],
  ['Pi’s entry after a change', [header('Header'), prompt, changed('Changed'), named('Named')], 'Named'],
  ['nothing where the line before the header is empty (peers D9)', [slot(''), header('Stale'), prompt], undefined],
];

test.each(NAMES)('peers D15: a session is called by %s', async (_, lines, name) => {
  const path = folder.file(lines);
  expect(SessionManager.open(path).getSessionName()).toBe(name);
  const listed = await SessionManager.list('/p', dirname(path));
  expect(listed.find((info) => info.path === path)?.name).toBe(name);
});

test.each(NAMES)('peers D15: so it is in every view: %s', (_, lines, name) => {
  const { title } = onlySession(piTree(lines));
  expect(title && 'text' in title ? title.text : undefined).toBe(name);
});

test('peers D15: a name that is given goes before the title of oh-my-pi', () => {
  const session = SessionManager.open(folder.file([slot('Slot'), HEADER, prompt]));
  session.appendSessionInfo('Mine');
  expect(session.getSessionName()).toBe('Mine');
  session.newSession();
  expect(session.getSessionName()).toBeUndefined();
});
