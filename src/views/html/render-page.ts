import type { Outline, OutlineNode } from '../../outline/index.ts';
import { BackgroundJobs } from './background-jobs.ts';
import { encodeId, escapeHtml } from './escape.ts';
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from './page-assets.ts';
import { renderNode } from './render-node.ts';
import { oneLine } from './titles.ts';

export interface PageFacts {
  readonly title: string;
  /** `claude-code`, project, branch, cost: shown in one line. */
  readonly facts: readonly string[];
  /** Address of the page above, if there is one. */
  readonly up?: string;
}

/** One session as one file that needs nothing else: no request is ever made (O10). */
export function* renderPage(outline: Outline, facts: PageFacts): Generator<string> {
  yield head(facts.title);
  yield '<body><header class="top">';
  if (facts.up !== undefined) yield `<a class="up" href="${escapeHtml(facts.up)}">All sessions</a>`;
  yield `<p class="title">${escapeHtml(oneLine(facts.title))}</p><p class="facts">${facts.facts.map(escapeHtml).join(' · ')}</p>`;
  yield TOOLS;
  yield '</header><nav class="toc" aria-label="Contents"><details><summary>Contents</summary>';
  const isLong = outline.root.totalCount > LONG;
  yield isLong ? '<ol data-z><script type="text/plain">' : '<ol>';
  yield* renderContents(outline.root);
  yield isLong ? '</script></ol>' : '</ol>';
  // The script comes first: what is there of a long page can be used while the rest comes in.
  yield `</details></nav><script>${pageScript}</script><main>`;
  yield* renderNode(outline.root, {
    openBranches: new Set(outline.openBranches),
    ids: new Set(),
    jobs: new BackgroundJobs(),
    isLong,
    groups: 0,
  });
  yield '</main></body></html>\n';
}

/** Of so many nodes most begin as text: what a browser builds stays little. */
const LONG = 600;

/** Only what is written here runs, styles and loads: everything else is refused by the browser. */
const policy = (scriptHash: string): string =>
  `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'sha256-${pageStyleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;

export const head = (title: string, scriptHash = pageScriptHash, more = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(scriptHash)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">${more}<title>${escapeHtml(oneLine(title) || 'Session')}</title><style>${pageStyle}</style></head>`;

const TOOLS =
  '<div class="tools"><div class="search" role="search"><input type="search" aria-label="Search in this page" placeholder="Search" spellcheck="false"><label><input type="checkbox" class="regex"> regex</label><button type="button" class="prev" aria-label="Previous match">‹</button><button type="button" class="next" aria-label="Next match">›</button><output class="hits"></output></div><div class="filters" role="group" aria-label="Show"></div></div><div class="strip"></div>';

const LISTED = new Set(['user', 'command', 'bash', 'compaction', 'branch_summary', 'branch']);

/** Prompts, branches and compactions. */
function* renderContents(root: OutlineNode): Generator<string> {
  for (const node of root.children) {
    if (!LISTED.has(node.type)) continue;
    yield `<li class="${node.type}"><a href="#${encodeId(node.id)}">${escapeHtml(oneLine(node.text) || node.type)}</a>`;
    if (node.type === 'branch') {
      yield '<ol>';
      yield* renderContents(node);
      yield '</ol>';
    }
    yield '</li>';
  }
}
