import { pageScript, pageStyle } from '../../src/views/html/page-assets.ts';
import { SECRET } from './mutate-values.ts';
import { must } from './verdict.ts';

/** What a terminal acts on, or what turns the writing direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const ACTS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const around = (text: string, at: number): string => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));

export function checkText(text: string): void {
  const found = ACTS.exec(text);
  must(found === null, () => `a control character is written: ${around(text, found?.index ?? 0)}`);
  must(text.isWellFormed(), () => 'half of a character is written');
}

/** One document, or one per line. */
export function checkJson(text: string): void {
  checkText(text);
  try {
    JSON.parse(text);
  } catch (error) {
    must(false, () => `no JSON is written: ${(error as Error).message}`);
  }
}

export const checkRedacted = (text: string): void =>
  must(!text.includes(SECRET), () => `a key is shown though redacted: ${around(text, text.indexOf(SECRET))}`);

const TAG = /<(?:!doctype html|!--[^<>]*--|\/[a-z][a-z0-9]*|[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*)>/g;
const NAMES = new Set(
  'html head body meta title style main header nav details summary ol ul li a p div span input label button output section h1 h2 h3 h4 h5 h6 pre code table thead tbody tr th td blockquote em strong del hr br img time b i small article figure figcaption dl dt dd mark sup sub s ins u kbd var samp q cite abbr'.split(
    ' ',
  ),
);
const HREF = /^(?:#|https?:\/\/|mailto:|data:image\/|[\w%.-]+(?:[#?/]|$))/i;

/** Our own script and style, and beside them nothing that runs or loads. */
export function checkPage(page: string): void {
  must(
    page.includes(`<script>${pageScript}</script>`) && page.includes(pageStyle),
    () => 'the page has lost its script',
  );
  const asleep: string[] = [];
  const awake = page
    .replace(`<script>${pageScript}</script>`, '')
    .replace(`<style>${pageStyle}</style>`, '')
    .replace(/<script type="text\/plain">([\s\S]*?)<\/script>/g, (_, text: string) => {
      asleep.push(text.includes('<') ? text : text.replaceAll('&lt;', '<').replaceAll('&amp;', '&'));
      return '';
    });
  for (const html of [awake, ...asleep]) checkTags(html);
  must(page.isWellFormed(), () => 'half of a character is written');
}

function checkTags(html: string): void {
  const rest = html.replace(TAG, (tag) => {
    const [, name] = /^<\/?([a-z0-9]+)/.exec(tag) ?? [];
    must(name === undefined || NAMES.has(name), () => `the page holds ${tag.slice(0, 200)}`);
    must(
      !/ (?:on[a-z]+|srcdoc|formaction|srcset)(?:=|>| )/.test(tag.replace(/"[^"]*"/g, '')),
      () => `the page runs ${tag.slice(0, 200)}`,
    );
    for (const [, address = ''] of tag.matchAll(/ (?:href|src)="([^"]*)"/g))
      must(HREF.test(address), () => `the page leads to ${address.slice(0, 200)}`);
    return '';
  });
  const left = rest.indexOf('<');
  must(left < 0, () => `the page holds a tag of the log: ${around(rest, left)}`);
}
