import type { Key } from 'ink';

/** A key as this program names it: `up`, `pagedown`, `ctrl-o`; of what is typed the name is empty and the text is it. */
export interface KeyPress {
  readonly name: string;
  readonly text: string;
}

/** What is typed or pasted is one line. */
export const typed = (text: string): KeyPress => ({ name: '', text: text.replace(/\p{Cc}+/gu, ' ') });

/** The key Ink saw; null: none that means anything here. */
export function readKey(input: string, key: Key): KeyPress | null {
  if (key.eventType === 'release') return null;
  const named = NAMES.find(([field]) => key[field]);
  if (named) return { name: named[1], text: '' };
  if (key.ctrl) return { name: `ctrl-${input}`, text: '' };
  if (key.meta || input === '') return null;
  return typed(input);
}

const NAMES: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  // What most terminals send for the backspace key.
  ['delete', 'backspace'],
];
