import { describe, expect, test } from 'vitest';
import { chatOf, itemOf } from '../kit/chat.ts';
import { bashEscape, command, user } from '../kit/transcript.ts';

const contentOf = (text: unknown) => itemOf(chatOf([user('u1', null, text)]), 'user').content;
const referencesIn = (text: string): unknown[] =>
  contentOf(text).fileReferences.map(({ path, lineRange }) =>
    lineRange ? [path, lineRange.start, lineRange.end] : path,
  );

describe('C16: what people typed', () => {
  test('C16 check 18: a path is not a command', () => {
    expect(contentOf('look at src/utils now')).toMatchObject({ text: 'look at src/utils now', commands: [] });
    expect(contentOf('/usr/bin is full')).toMatchObject({ text: '/usr/bin is full', commands: [] });
  });

  test('C16 check 18: a command is taken out of the text and kept in the raw one', () => {
    const { content } = itemOf(chatOf([command('c1', null, '/model', 'sonnet')]), 'user');
    expect(content).toMatchObject({
      rawText: '/model sonnet',
      commands: [{ name: 'model', args: 'sonnet', raw: '/model sonnet' }],
    });
    expect(content.text).toBeUndefined();
  });

  test('C16 a bash command is what was typed', () => {
    expect(itemOf(chatOf([bashEscape('b1', null)]), 'user').content.rawText).toBe('! ls');
  });

  test('C16 check 18: references to files, with lines, and no e-mail addresses', () => {
    expect(referencesIn('see @README.md and @src/a.ts#L3-9, or ask me@host.com, josé@example.com')).toEqual([
      'README.md',
      ['src/a.ts', 3, 9],
    ]);
  });

  test.each([
    ['@./a', ['./a']],
    ['(@src/b.ts)', ['src/b.ts']],
    ['@"my file.txt"', ['my file.txt']],
    ['@src/a.ts.', ['src/a.ts']],
    ['@src/a.ts#L7', [['src/a.ts', 7, 7]]],
    ['@docs/größe.md', ['docs/größe.md']],
    ['@anna, look', []],
    ['a@b.c @', []],
    ['`@scope/pkg`', ['scope/pkg']],
  ])('C16 %s', (text, found) => {
    expect(referencesIn(text)).toEqual(found);
  });

  test('C16 images have their data', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } };
    expect(contentOf([{ type: 'text', text: 'this' }, image])).toMatchObject({
      text: 'this',
      images: [{ id: 'u1:1', mediaType: 'image/png', data: 'iVBO' }],
    });
  });

  test('C16 what the agent put into a prompt was not typed', () => {
    expect(contentOf('fix it\n<system-reminder>be nice @src/x.ts</system-reminder>')).toMatchObject({
      text: 'fix it',
      fileReferences: [],
    });
  });
});
