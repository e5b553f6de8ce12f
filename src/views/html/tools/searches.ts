import { writeJson } from '../../../model/index.ts';
import { renderOutput, renderPlain } from '../blocks.ts';
import { escapeHtml } from '../escape.ts';
import { foldLong } from '../fold-long.ts';
import { codeBlock, renderLink, renderMarkdown } from '../markdown.ts';
import { said } from './said.ts';
import { besides, fields, list, plainOutput, quiet, renderFields, type ToolView, text, without } from './view.ts';

/** Glob, and Grep where it names files. */
export const finding: ToolView = {
  input: (input) => renderFields(besides(input, 'pattern')),
  result: (tool, _input, detail) => {
    const names = list(detail.filenames).map(text).filter(Boolean);
    const content = text(detail.content);
    if (content !== '') return foldLong(renderPlain(content), content);
    if (names.length === 0) return plainOutput(tool);
    return renderNames(names) + (detail.truncated === true ? quiet('There are more.') : '');
  },
};

const renderNames = (names: readonly string[]): string =>
  foldLong(`<ul class="files">${names.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`, names.join('\n'));

/** Pi's `find` and `ls`, and `LS`: a name per line, and sometimes a remark below. */
export const names = (shown: string): ToolView => ({
  input: (input) => renderFields(besides(input, shown)),
  result: (tool) => {
    const [listed = '', ...remarks] = said(tool).split(/\n\n/);
    const found = listed.split('\n').filter((line) => line.trim() !== '');
    if (tool.isError || found.length === 0) return plainOutput(tool);
    return renderNames(found) + remarks.map((remark) => quiet(remark.trim())).join('');
  },
});

/** Pi's `grep`: what it found, line by line. */
export const grep: ToolView = { input: (input) => renderFields(besides(input, 'pattern')) };

/** `"toolUseResult":{"matches":["WebFetch"],"query":"select:WebFetch","total_deferred_tools":37}` */
export const toolSearch: ToolView = {
  input: (input) => renderFields(besides(without(input, 'max_results'), 'query')),
  result: (tool, _input, detail) => {
    const named = list(tool.result?.block.output).map((part) => text(fields(part).tool_name));
    const tools = [...new Set([...list(detail.matches).map(text), ...named])].filter(Boolean);
    if (tool.isError || tools.length === 0) return plainOutput(tool);
    const total = detail.total_deferred_tools;
    return renderNames(tools) + (typeof total === 'number' ? quiet(`of ${total} that can be found`) : '');
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
  input: (input) => renderFields(besides(input, 'query')),
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
    renderOutput(tool.result?.block.output, (told) => {
      const value = /^\s*[[{]/.test(told) ? parse(told) : null;
      const shown = value === null ? told : writeJson(value, 2);
      return foldLong(value === null ? renderPlain(told) : codeBlock(shown, 'json'), shown);
    }),
};
