import { escapeHtml } from './escape.ts';
import { head } from './render-page.ts';
import { oneLine } from './titles.ts';

export interface IndexEntry {
  readonly title: string;
  readonly href: string;
  readonly facts: readonly string[];
}

/** A list of pages: the sessions of a project, or all projects. */
export function* renderIndex(
  title: string,
  groups: readonly { readonly name: string; readonly entries: readonly IndexEntry[] }[],
  up?: string,
): Generator<string> {
  yield `${head(title)}<body><header class="top">`;
  if (up !== undefined) yield `<a class="up" href="${escapeHtml(up)}">All projects</a>`;
  yield `<p class="title">${escapeHtml(title)}</p></header><main>`;
  for (const { name, entries } of groups) {
    if (name !== '') yield `<h2>${escapeHtml(name)}</h2>`;
    yield '<ul class="cards">';
    for (const entry of entries)
      yield `<li><a href="${escapeHtml(entry.href)}">${escapeHtml(oneLine(entry.title) || '(no title)')}</a><span class="facts">${entry.facts.map(escapeHtml).join(' · ')}</span></li>`;
    yield '</ul>';
  }
  yield '</main></body></html>\n';
}
