import { escapeHtml } from './escape.ts';
import { listScript, listScriptHash } from './page-assets.ts';
import { head } from './render-page.ts';
import { oneLine } from './titles.ts';

/** A session or a project in a list. */
export interface IndexEntry {
  readonly title: string;
  /** Null: there is no page yet. */
  readonly href: string | null;
  /** A second line, such as the first prompt; or ''. */
  readonly detail: string;
  readonly facts: readonly string[];
  /** Epoch milliseconds. */
  readonly time: number | null;
}

export interface IndexPage {
  readonly title: string;
  readonly facts: readonly string[];
  /** The list above. */
  readonly up?: { readonly href: string; readonly title: string };
  /** What is still being done; the page looks again after a while. */
  readonly notice?: string;
  readonly groups: readonly IndexGroup[];
}

interface IndexGroup {
  readonly name: string;
  readonly entries: readonly IndexEntry[];
  /** Only what the list is narrowed to is shown of it. */
  readonly isHidden?: boolean;
}

const LOOK_AGAIN_SECONDS = 4;

/** A list of pages: the sessions of a project, or all projects. */
export function* renderIndex({ title, facts, up, notice, groups }: IndexPage): Generator<string> {
  const again = notice === undefined ? '' : `<meta http-equiv="refresh" content="${LOOK_AGAIN_SECONDS}">`;
  yield `${head(title, listScriptHash, again)}<body><header class="top list">`;
  if (up) yield `<a class="up" href="${escapeHtml(up.href)}">${escapeHtml(up.title)}</a>`;
  yield `<h1 class="title">${escapeHtml(title)}</h1><p class="facts">${facts.map(escapeHtml).join(' · ')}</p>`;
  if (notice !== undefined) yield `<p class="notice" role="status">${escapeHtml(notice)}</p>`;
  yield '<div class="tools"><input type="search" class="narrow" aria-label="Narrow the list" placeholder="Narrow the list" spellcheck="false"><output class="hits"></output></div></header><main>';
  for (const { name, entries, isHidden = false } of groups) {
    yield `<section class="group"${isHidden ? ' data-h hidden' : ''}>${name === '' ? '' : `<h2>${escapeHtml(name)}</h2>`}<ul class="rows">`;
    for (const entry of entries) yield renderEntry(entry);
    yield '</ul></section>';
  }
  yield `</main><script>${listScript}</script></body></html>\n`;
}

function renderEntry({ title, href, detail, facts, time }: IndexEntry): string {
  const name = escapeHtml(oneLine(title) || '(no title)');
  const named =
    href === null ? `<span class="name">${name}</span>` : `<a class="name" href="${escapeHtml(href)}">${name}</a>`;
  const when =
    time === null
      ? ''
      : `<time datetime="${new Date(time).toISOString()}">${new Date(time).toISOString().slice(0, 10)}</time>`;
  const second = detail === '' ? '' : `<span class="detail">${escapeHtml(oneLine(detail))}</span>`;
  const told = facts.filter(Boolean).map((fact) => `<span>${escapeHtml(fact)}</span>`);
  return `<li>${named}${when}${second}<span class="facts">${told.join(' ')}</span></li>`;
}
