import { expect, test } from 'vitest';
import { forTerminal, paintFor, withoutStyle } from '../../src/terminal/style.ts';
import { jsonText } from '../../src/views/json/index.ts';

const paint = paintFor({ isTTY: true, hasColors: () => true });

test('attack B2: a colour is ours only where we painted', () => {
  expect(forTerminal(`${paint(['bold'], 'ours')} \u001b[1mtheirs\u001b[22m`)).toBe(
    '\u001b[1mours\u001b[22m ␛[1mtheirs␛[22m',
  );
});

test('attack B2: what is painted acts no more than what is not', () => {
  expect(forTerminal(paint(['red', 'bold'], 'a\u001b]0;t\u0007'))).toBe(
    '\u001b[31m\u001b[1ma␛]0;t␇\u001b[22m\u001b[39m',
  );
});

test('attack B2: a file has no colours', () => {
  expect(withoutStyle(`${paint(['dim'], 'a')}b`)).toBe('ab');
});

test.each([
  ['line breaks and tabs', 'a\n\tb', 'a\n\tb'],
  ['a family', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', null],
  ['hidden letters', 'a\u{e0068}\u{e0069}b', 'a��b'],
  ['hidden letters behind a flag', '🏴\u{e0068}\u{e0069}\u{e007f}', '🏴���'],
  ['a carriage return', 'safe\rover', 'safe\nover'],
  ['C1 controls', '\u009b31m', '\ufffd31m'],
  ['the writing direction', 'a\u202eb\u2066c\u206ad', 'abcd'],
])('attack B2: on a terminal: %s', (_, text, shown) => {
  expect(forTerminal(text)).toBe(shown ?? text);
});

test('attack B2: JSON says exactly what was said, in characters that do nothing', () => {
  const said = { '\u202e': 'a\u009b\u{e0061}\u001b\u2066\u206a\ufeff\r\u2028' };
  const json = jsonText(said, 2);
  expect(JSON.parse(json)).toEqual(said);
  expect(forTerminal(json)).toBe(json);
});
