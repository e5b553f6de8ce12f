import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { safeText } from '../../src/views/markdown/safe-text.ts';

/** Somebody else's reader, which takes everything as it comes. */
const reader = markdownIt({ html: true });
reader.validateLink = () => true;

/** What a reader makes of a text with a heading of the second level behind it. */
function readAs(text: string): { readonly live: string[]; readonly headings: string[] } {
  const tokens = reader.parse(`${safeText(text, 2)}\n\n## Next\n`, {});
  const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  return {
    live: [
      ...all.filter(({ type }) => /^html|^image/.test(type)).map(({ content }) => content),
      ...all
        .flatMap(({ attrs }) => attrs ?? [])
        .flatMap(([name, to]) => (name === 'href' && runs(`${to}`) ? [`${to}`] : [])),
    ],
    headings: all.filter(({ type }) => type === 'heading_open').map(({ tag }) => tag),
  };
}

/** What a browser would not take for a page, an address or a file. */
const runs = (to: string): boolean =>
  /^[^/?#]*:/.test(to.replace(/[\s\0-\x20]/g, '')) && !/^(https?|mailto):/i.test(to);

test.each([
  ['a fence that is not closed', '```js\n<b>\n# x', []],
  ['another mark inside a fence', '~~~\n```\n<b>', []],
  ['a heading', '# Big\n###### Small', ['h3', 'h6']],
  ['underlined headings', 'One\n===\nTwo\n---\n', []],
  ['tags and pictures', '<b>x</b> <script>y</script> ![z](http://a.b/c.png) <!-- w', []],
  ['a fence that ends with its item', '- a\n  ```\n<script>x</script>', []],
  ['code over two lines', 'foo ` bar\n` <b> `', []],
  ['marks of code that are text', '\\`<b>` `` ` <i> ``', []],
  [
    'links that run something',
    '[a](javascript:b) [c](<java\tscript:d>) [e](data:text/html,f) [g][h]\n\n[h]: vbscript:i',
    [],
  ],
  ['links that hide what they run', '[a](&#106;avascript:b) [c](\njavascript:d) [e](j&Tab;avascript:f)', []],
])('O16 %s in a prompt changes nothing behind it', (_what, text, headings) => {
  expect(readAs(text)).toEqual({ live: [], headings: [...headings, 'h2'] });
});

test('O16 code and addresses of a prompt stay as they are', () => {
  const text =
    'see `<b>` and <https://a.b/c>, [a page](https://a.b/c?d), [a file](docs/x.md#y) `](javascript:`\n\n```html\n<b>\n```\n\n[^1]: note';
  expect(safeText(text, 2)).toBe(text);
});

test('O16 terminal escapes of a prompt are taken out', () => {
  expect(safeText('\u001b[2Ja\u001b[31mb', 2)).toBe('ab');
});

test('O16 whatever is said, nothing of it is live and the next heading is one', () => {
  const pieces = fc.constantFrom(
    ...['`', '``', '```', '~~~', '\n', '\n\n', ' ', '  ', '    ', '\t', '- ', '> ', '1. ', '# ', '===', '---', '\\'],
    ...['<b>', '</b>', '<!--', '-->', '![a](b)', '![', '](', '<http://a>', '[x]: <y>', 'a', '|', '*', '&lt;'],
    ...['[a]', '(', ')', 'javascript:', '[a](', '[x]', ']:', '&#106;', '<', '>'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const { live, headings } = readAs(parts.join(''));
      expect(live).toEqual([]);
      expect(headings.at(-1)).toBe('h2');
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 2000) },
  );
});
