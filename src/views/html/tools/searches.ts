import { renderOutput, renderPlain } from '../blocks.ts';
import { escapeHtml } from '../escape.ts';
import { foldLong } from '../fold-long.ts';
import { codeBlock, renderLink, renderMarkdown } from '../markdown.ts';
import { fields, list, plainOutput, quiet, type ToolView, text } from './view.ts';

/** Glob, and Grep where it names files. */
export const finding: ToolView = {
  result: (tool, _input, detail) => {
    const names = list(detail.filenames).map(text).filter(Boolean);
    const content = text(detail.content);
    if (content !== '') return foldLong(renderPlain(content), content);
    if (names.length === 0) return plainOutput(tool);
    const items = names.map((name) => `<li>${escapeHtml(name)}</li>`).join('');
    return (
      foldLong(`<ul class="files">${items}</ul>`, names.join('\n')) +
      (detail.truncated === true ? quiet('There are more.') : '')
    );
  },
};

interface Found {
  readonly title: string;
  readonly url: string;
}

const foundIn = (value: unknown): Found[] =>
  list(value)
    .map(fields)
    .flatMap(({ title, url }) => (text(url) === '' ? [] : [{ title: text(title) || text(url), url: text(url) }]));

const renderFound = (found: readonly Found[]): string =>
  found.length === 0
    ? ''
    : `<ul class="links">${found.map(({ title, url }) => `<li>${renderLink(url, title)} <span class="quiet">${escapeHtml(url)}</span></li>`).join('')}</ul>`;

/** `"results":[{"content":[{"title":"…","url":"https://…"}]},"What the pages say …"]` */
export const webSearch: ToolView = {
  result: (tool, _input, detail) => {
    const parts = list(detail.results).map((part) =>
      typeof part === 'string' ? renderMarkdown(part) : renderFound(foundIn(fields(part).content)),
    );
    return parts.join('') || renderOutput(tool.result?.block.output, renderSearch);
  },
};

const LINKS = 'Links: [';

/** Without the structured result: one line of the text holds the links as JSON. */
function renderSearch(output: string): string {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => line.startsWith(LINKS));
  const found = at < 0 ? [] : foundIn(parse((lines[at] as string).slice(LINKS.length - 1)));
  if (found.length === 0) return renderMarkdown(output);
  return (
    renderMarkdown(lines.slice(0, at).join('\n')) + renderFound(found) + renderMarkdown(lines.slice(at + 1).join('\n'))
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Servers answer in JSON more often than not. */
export const mcp: ToolView = {
  result: (tool) =>
    renderOutput(tool.result?.block.output, (said) => {
      const value = /^\s*[[{]/.test(said) ? parse(said) : null;
      const shown = value === null ? said : JSON.stringify(value, null, 2);
      return foldLong(value === null ? renderPlain(said) : codeBlock(shown, 'json'), shown);
    }),
};
