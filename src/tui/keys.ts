import type { Key } from 'ink';

/** A key as this program names it: `up`, `pagedown`, `ctrl-o`; of what is typed the name is empty and the text is it. */
export interface KeyPress {
  readonly name: string;
  readonly text: string;
}

/** The keys Ink saw. Those that come fast come as one text, the ones that are no characters among them. */
export function readKeys(input: string, key: Key): KeyPress[] {
  if (key.eventType === 'release') return [];
  const named = NAMES.find(([field]) => key[field]);
  if (named) return [{ name: named[1], text: '' }];
  if (key.ctrl) return [{ name: `ctrl-${input}`, text: '' }];
  if (key.meta) return [];
  return [...input].map((text) => ({ name: controlName(text), text }));
}

/** What a key is called that sends a control character; empty for any other. */
function controlName(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  if (code === 0x7f || code === 0x08) return 'backspace';
  if (code === 0x0d || code === 0x0a) return 'enter';
  if (code === 0x09) return 'tab';
  return code < 0x20 ? `ctrl-${String.fromCharCode(code + 0x60)}` : '';
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
