import type { Key } from 'ink';
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../src/selector/index.ts';
import { readKeys } from '../../src/tui/keys.ts';
import { TreeScreen } from '../../src/tui/tree-screen.ts';
import { pressAll } from '../kit/screen.ts';
import { selectorOf } from '../kit/selector.ts';
import { piAssistant, piHeader, piTree, piUser } from '../kit/transcript.ts';

const none = Object.fromEntries(
  ['upArrow', 'pageUp', 'return', 'escape', 'ctrl', 'meta', 'shift', 'backspace', 'delete'].map((name) => [
    name,
    false,
  ]),
) as unknown as Key;

const open = () => {
  const tree = piTree([piHeader(), piUser('u1', null), piAssistant('a1', 'u1'), piUser('u2', 'a1')]);
  return new TreeScreen(selectorOf(tree), { title: '', id: '', branch: 'Branch?', shows: 'tree' });
};
const enter = { name: 'enter', text: '' };

describe('J18 keys', () => {
  test('are read one by one, also when they come as one text', () => {
    const names = (input: string, key: Partial<Key> = {}) =>
      readKeys(input, { ...none, ...key }).map(({ name, text }) => name || text);
    expect(names('ab\r\u007f\u000f\t日')).toEqual(['a', 'b', 'enter', 'backspace', 'ctrl-o', 'tab', '日']);
    expect(names('', { upArrow: true })).toEqual(['up']);
    expect(names('o', { ctrl: true })).toEqual(['ctrl-o']);
    expect(names('b', { meta: true })).toEqual([]);
    expect(names('a', { eventType: 'release' })).toEqual([]);
  });

  test('Enter selects, Esc clears a search and then leaves, Ctrl+C leaves at once', () => {
    const screen = open();
    expect(screen.press(enter)).toMatchObject({ to: 'open', node: { record: { id: 'S/u2' } } });
    pressAll(screen, 'u1');
    expect(screen.press({ name: 'escape', text: '' })).toBeNull();
    expect(keyOf(screen.selector.selectedNode ?? { record: null, annotation: null })).toBe('S/u1');
    expect(screen.press({ name: 'escape', text: '' })).toEqual({ to: 'leave' });
    pressAll(screen, 'L');
    expect(screen.press({ name: 'ctrl-c', text: '' })).toEqual({ to: 'leave' });
  });

  test('a search is edited, and pasted into as one line', () => {
    const screen = open();
    pressAll(screen, '/', 'b L', 'backspace', 'x y', 'ctrl-w');
    expect(screen.selector.query).toBe('b x ');
    pressAll(screen, 'ctrl-u');
    screen.paste('a\nb\u001b');
    expect(screen.selector.query).toBe('a b ');
  });

  test('a label is edited from what it was, saved with Enter without spaces around it, left with Esc', () => {
    const screen = open();
    screen.selector.setLabel('S/u2', { text: 'old', time: null });
    pressAll(screen, 'L', ' and new', 'ctrl-w', 'backspace', 'down');
    expect(screen.question).toMatchObject({ about: 'label', text: 'old and' });
    screen.paste(' 👩‍👩‍👧 ');
    pressAll(screen, 'backspace', 'backspace');
    expect(screen.press(enter)).toMatchObject({ to: 'label', text: 'old and' });
    pressAll(screen, 'L', 'escape');
    expect([screen.question, screen.selector.query]).toEqual([null, '']);
  });

  test('b asks first; another letter than Enter means a word that begins with b', () => {
    const screen = open();
    pressAll(screen, 'b');
    expect(screen.press(enter)).toMatchObject({ to: 'branch', node: { record: { id: 'S/u2' } } });
    pressAll(screen, 'b', 'ug');
    expect([screen.question, screen.selector.query]).toEqual([null, 'bug']);
    pressAll(screen, 'escape', 'b', 'escape');
    expect([screen.question, screen.selector.query]).toEqual([null, '']);
  });
});
