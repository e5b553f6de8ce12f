import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { listMarkdown } from '../../src/views/markdown/list-markdown.ts';
import { renderMarkdown } from '../../src/views/markdown/render-markdown.ts';
import { safeLine, safeText } from '../../src/views/markdown/safe-text.ts';
import { assistant, command, meta, teammate, toolResult, toolUse, user } from '../kit/transcript.ts';
import { claudeOutline } from '../outline/view.ts';
import { payloads } from './html/payloads.ts';

const linkifying = markdownIt({ html: true, linkify: true, typographer: true });
linkifying.validateLink = () => true;
const gfmReader = {
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()],
  allowDangerousHtml: true,
  allowDangerousProtocol: true,
};

/** Readers of other programs, which take everything as it comes. */
const readers: Readonly<Record<string, (markdown: string) => string>> = {
  CommonMark: (text) => micromark(text, { allowDangerousHtml: true, allowDangerousProtocol: true }),
  GFM: (text) => micromark(text, gfmReader),
  'markdown-it': (text) => linkifying.render(text),
  marked: (text) => marked.parse(text, { async: false }),
};

/** What Markdown makes, and nothing else. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'id', 'class', 'data-footnote-ref', 'data-footnote-backref', 'aria-describedby', 'aria-label'],
  code: ['class'],
  h2: ['class', 'id'],
  input: ['type', 'checked', 'disabled'],
  li: ['id'],
  ol: ['start'],
  section: ['class', 'data-footnotes'],
  td: ['align', 'style'],
  th: ['align', 'style'],
};
const PLAIN = new Set(
  'p h1 h2 h3 h4 h5 h6 em strong a code pre ul ol li blockquote hr br del s table thead tbody tr th td sup section input'.split(
    ' ',
  ),
);

const TAG = /<(\/?)([a-z!?][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;

/** Elements and attributes of a page that nobody but who was quoted can have made. */
function foreignIn(html: string): string[] {
  return [...html.matchAll(TAG)].flatMap(([tag, , name = '', rest = '']) => {
    const element = name.toLowerCase();
    if (!PLAIN.has(element)) return [tag];
    return [...rest.matchAll(ATTRIBUTE)].flatMap(([, attribute = '', ...values]) => {
      const value = values.find((each) => each !== undefined) ?? '';
      if (attribute === 'href') return isHarmless(value) ? [] : [tag];
      return OURS[element]?.includes(attribute) ? [] : [tag];
    });
  });
}

const isHarmless = (href: string): boolean => {
  const to = href.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code))).replace(/[\s\0-\x20]/g, '');
  return !/^[^/?#]*:/.test(to) || /^(?:https?|mailto|ftp|xmpp):/i.test(to);
};

const live = (markdown: string): string[] =>
  Object.entries(readers).flatMap(([name, read]) => foreignIn(read(markdown)).map((tag) => `${name}: ${tag}`));

const BEFORE = [
  ...[
    '',
    'see https://a.b/',
    'see https://a.b/x?y=z&',
    'www.a.b/',
    'http://a.b',
    'anna@a.b',
    'ftp://a.b/',
    'https://a.b/\\',
    '[x](https://a.b/',
  ],
  ...[
    '`x',
    '``',
    '\\',
    '\\\\',
    '&',
    '&#',
    '> ',
    '- ',
    '1. ',
    '# ',
    '| a | ',
    '[^1]: ',
    '[x]: ',
    '[x](y "',
    '$x',
    '$$\n',
    '**',
    '~~',
    '<!--',
  ],
  ...[
    '```\n',
    '~~~\n',
    '```\nx\n```~\n',
    '    ',
    '- ```\n',
    '> ```\n',
    '\t',
    'a\n===\n',
    '<a@b.c>',
    '<https://a.b>',
    '[x]: https://a.b/\n',
  ],
];

describe('attack B4 Markdown stays text in whatever reads it', () => {
  test('there are readers, and they are fooled by what is not escaped', () => {
    for (const [name, read] of Object.entries(readers))
      expect([name, foreignIn(read('<img src=x onerror=y>'))[0]]).not.toEqual([name, undefined]);
    expect(live('[a](javascript:b)').length).toBe(4);
  });

  test.each([
    'see https://a.b/<img src=x onerror=alert(1)> and www.a.b/<script>alert(2)</script>',
    'https://a.b/![x](https://evil.test/p.png)',
    '[^1]: javascript:alert(1)\n\n[^1]',
    '```\n```~\n<img src=x onerror=alert(1)>\n```',
    '<javascript:alert(1)>',
  ])('%s', (text) => {
    expect(live(safeText(text, 2))).toEqual([]);
    expect(live(`# ${safeLine(text.replaceAll('\n', ' '))}`)).toEqual([]);
  });

  test.each(BEFORE.map((before, i) => [before, i] as const))('payloads behind %j', (before, i) => {
    const some = payloads.filter((_each, nth) => nth % 4 === i % 4);
    const found = some.flatMap((payload) =>
      live(`${safeText(before + payload, 2)}\n\n## Next\n`).map((tag) => `${before}${payload} → ${tag}`),
    );
    expect(found).toEqual([]);
  });

  test('every payload in every field of a session', () => {
    const found = payloads.flatMap((payload) => {
      const said = `see https://a.b/${payload} www.a.b/${payload}`;
      const { outline } = claudeOutline(
        [
          user('u', null, said),
          assistant('a', 'u', [
            { type: 'thinking', thinking: said },
            { type: 'text', text: said },
            toolUse('A', 'Task', { prompt: said, description: said }),
            toolUse('B', 'Bash', { command: said, description: said }),
            toolUse('C', 'Write', { file_path: said, content: said }),
            toolUse('D', 'Edit', { file_path: said, old_string: said, new_string: said }),
            toolUse('E', 'ExitPlanMode', { plan: said }),
            toolUse('F', `mcp__${said}`, { [said]: said }),
          ]),
          user('r', 'a', [
            toolResult('A', said),
            toolResult('B', [{ type: 'text', text: said }]),
            toolResult('F', said, true),
          ]),
          command('c', 'r', said, said),
          meta('m', 'c', said),
          teammate('t', 'm', said, {}, ` summary="${said.replace(/["<>]/g, '')}"`),
        ],
        { title: said, verbose: true },
      );
      const page = [...renderMarkdown(outline, [said])].join('');
      const entry = { title: said, href: 'a.md', detail: said, facts: [said], time: 0 };
      const list = [
        ...listMarkdown({
          title: said,
          facts: [said],
          groups: [{ name: said, entries: [entry, { ...entry, href: null }] }],
        }),
      ].join('');
      return [...live(page), ...live(list)].map((tag) => `${payload} → ${tag}`);
    });
    expect(found).toEqual([]);
  });

  test('code and addresses that are safe stay as they are', () => {
    const text = '`<b>` https://a.b/c?d=e&f www.a.b\n\n```html\n<b>\n```\n\n~~~\n<i>\n~~~';
    expect(safeText(text, 2)).toBe(text);
  });

  test('whatever is said, in no reader anything of it is live', () => {
    const pieces = fc.constantFrom(
      ...[
        '`',
        '``',
        '```',
        '~~~',
        '\n',
        '\n\n',
        ' ',
        '  ',
        '    ',
        '\t',
        '- ',
        '> ',
        '1. ',
        '# ',
        '===',
        '---',
        '\\',
        '&',
        ';',
      ],
      ...[
        '<b>',
        '</b>',
        '<!--',
        '-->',
        '![a](b)',
        '![',
        '](',
        '<http://a>',
        '[x]: <y>',
        'a',
        '|',
        '*',
        '&lt;',
        '&#60;',
        '~',
        '$',
      ],
      ...[
        '[a]',
        '(',
        ')',
        'javascript:',
        '[a](',
        '[x]',
        ']:',
        '&#106;',
        '<',
        '>',
        '"',
        "'",
        '[^1]',
        '[^1]: ',
        'https://a.b/',
        'www.a.b/',
        'a@b.co',
        '<img src=x onerror=y>',
        '<script>',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        expect(live(`${safeText(parts.join(''), 2)}\n\n## Next\n`)).toEqual([]);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 1000) },
    );
  });
});
