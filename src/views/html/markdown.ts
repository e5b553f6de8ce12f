import markdownIt from 'markdown-it';
import { cleanMarkup, escapeHtml, escapeText } from './escape.ts';

/** Raw HTML is text; links go to the web, to mail or within the page; images are not loaded, only named (O11). */
const parser = markdownIt({ html: false, linkify: false, breaks: true });
parser.validateLink = (url) => /^(?:https?:\/\/|mailto:|#)/i.test(url.trim());
const openLink =
  parser.renderer.rules.link_open ?? ((tokens, i, options, _env, self) => self.renderToken(tokens, i, options));
parser.renderer.rules.link_open = (tokens, i, options, env, self) => {
  tokens[i]?.attrSet('rel', 'noopener noreferrer nofollow');
  return openLink(tokens, i, options, env, self);
};
parser.renderer.rules.image = (tokens, i) => {
  const token = tokens[i];
  return `<span class="picture">[image: ${escapeHtml(token?.content ?? '')} ${escapeHtml(`${token?.attrGet('src') ?? ''}`)}]</span>`;
};
// A style in an attribute is refused by the page's own policy.
for (const rule of ['th_open', 'td_open']) {
  parser.renderer.rules[rule] = (tokens, i) => {
    const align = /right|center/.exec(`${tokens[i]?.attrGet('style') ?? ''}`)?.[0];
    return `<${tokens[i]?.tag}${align === undefined ? '' : ` class="${align}"`}>`;
  };
}
parser.renderer.rules.fence = (tokens, i) => {
  const { content = '', info = '' } = tokens[i] ?? {};
  return codeBlock(content, info.trim().split(/\s/)[0] ?? '');
};
parser.renderer.rules.code_block = (tokens, i) => codeBlock(tokens[i]?.content ?? '', '');

/** Only to the web; anything else is shown as text. */
export const renderLink = (url: string, title: string): string =>
  /^https?:\/\//i.test(url)
    ? `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${escapeHtml(title)}</a>`
    : escapeHtml(title);

const LONGEST = 200_000;

/** Very long texts are shown as they are: nobody reads them as Markdown. */
export function renderMarkdown(text: string): string {
  if (text.length > LONGEST) return `<pre class="raw">${escapeText(text)}</pre>`;
  return `<div class="md">${cleanMarkup(parser.render(text.toWellFormed()))}</div>`;
}

const LANGUAGE = /^[\w+#.-]{1,20}$/;

/** Colours come when the page shows it. */
export const codeBlock = (code: string, language: string): string =>
  `<pre class="code"${LANGUAGE.test(language) ? ` data-lang="${escapeHtml(language.toLowerCase())}"` : ''}><code>${escapeText(code.replace(/\n$/, ''))}</code></pre>`;
