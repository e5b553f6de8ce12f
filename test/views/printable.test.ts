import { expect, test } from 'vitest';
import { printable } from '../../src/views/printable.ts';

test('H20 half of a character is shown as U+FFFD, in names too', () => {
  expect(printable('assistant\udc00 😀')).toBe('assistant\ufffd 😀');
});
