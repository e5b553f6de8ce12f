import type { Usage } from '../../model/index.ts';
import { initialState, type OutlineNode } from '../../outline/index.ts';
import { readModelName } from '../../usage/index.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { renderBlock } from './blocks.ts';
import { encodeId, escapeHtml, escapeText } from './escape.ts';
import { foldLong } from './fold-long.ts';
import { groupsOf, isInnermost, sleepingGroup, typeOf } from './render-group.ts';
import { nameOf, oneLine, shortInput } from './titles.ts';
import { renderTool } from './tools/index.ts';

export interface PageState {
  readonly openBranches: ReadonlySet<string>;
  /** Ids that are on the page already: a log may use one twice, and then it leads to the first. */
  readonly ids: Set<string>;
  readonly jobs: BackgroundJobs;
  /** So long that most of it begins asleep. */
  readonly isLong: boolean;
  /** Innermost groups so far. */
  groups: number;
}

/** A node and everything below it, in pieces. */
export function* renderNode(node: OutlineNode, page: PageState): Generator<string> {
  const state = initialState(node, page.openBranches);
  yield `<section class="n"${idOf(node, page.ids)} data-t="${typeOf(node)}"${aliasesOf(node)}${countsOf(node, state)}>`;
  yield renderHead(node, page.jobs.startOf(node));
  const body = renderBody(node);
  // What begins folded is text until it is looked at: a page of a long session stays light.
  if (body !== '')
    yield isFolded(node) ? `<div class="b" data-i>${escapeText(body)}</div>` : `<div class="b">${body}</div>`;
  if (node.hasChildren) {
    yield '<div class="c">';
    yield* renderChildren(node, page);
    yield '</div>';
  }
  yield '</section>';
}

const isFolded = ({ level }: OutlineNode): boolean => level >= 3;

/** So many groups at the beginning of a long page are there from the start. */
const AWAKE = 2;

function* renderChildren(node: OutlineNode, page: PageState): Generator<string> {
  const groups = groupsOf(node);
  for (const nodes of groups ?? [node.children]) {
    const isAsleep = groups !== null && page.isLong && isInnermost(nodes) && page.groups++ >= AWAKE;
    if (isAsleep) {
      let html = '';
      for (const child of nodes) for (const piece of renderNode(child, page)) html += piece;
      yield sleepingGroup(nodes, html, page.openBranches);
      continue;
    }
    if (groups) yield '<div class="g">';
    for (const child of nodes) yield* renderNode(child, page);
    if (groups) yield '</div>';
  }
}

function idOf({ id }: OutlineNode, ids: Set<string>): string {
  const own = encodeId(id);
  if (ids.has(own)) return '';
  ids.add(own);
  return ` id="r-${own}"`;
}

const aliasesOf = ({ aliases }: OutlineNode): string =>
  aliases.length > 0 ? ` data-a="${aliases.map(encodeId).join(' ')}"` : '';

/** What the fold bar says. */
function countsOf(node: OutlineNode, state: string): string {
  if (!node.hasChildren) return '';
  const types = Object.entries(node.immediateByType)
    .map(([type, count]) => `${type}:${count}`)
    .join(' ');
  return ` data-s="${state}" data-n="${node.immediateCount}" data-m="${node.totalCount}" data-k="${types}"${node.allPaired ? ' data-p' : ''}`;
}

/** `start`: the node that began in the background what this one is about. */
function renderHead(node: OutlineNode, start: string | null): string {
  const summary = node.tool
    ? shortInput(node)
    : node.type === 'session' || node.type === 'branch' || node.type === 'subagent'
      ? oneLine(node.text)
      : '';
  const duration = node.pair?.durationMs;
  const marks = [
    ...(node.isError ? ['<span class="bad">error</span>'] : []),
    ...(node.tool && !node.tool.result ? ['<span class="quiet">no result</span>'] : []),
    ...(start === null ? [] : [`<a class="quiet" href="#${encodeId(start)}">started here</a>`]),
    ...(node.usage && !node.tool ? [renderModel(node.usage)] : []),
    ...(node.subagent === null || node.type === 'subagent' ? [] : ['<span class="quiet">sub-agent</span>']),
    ...(duration !== null && duration !== undefined && duration > 0
      ? [`<span class="quiet">${formatDuration(duration)}</span>`]
      : []),
    ...(node.usage ? [renderTokens(node.usage)] : []),
  ];
  const heading = node.type === 'session' ? 'h1' : 'span';
  return `<div class="h"><${heading} class="who">${escapeHtml(nameOf(node))}</${heading}> <span class="what">${escapeHtml(summary)}</span> ${marks.join(' ')}${renderTime(node)}</div>`;
}

const renderModel = ({ model }: Usage): string =>
  model === '' || model === '<synthetic>' ? '' : `<span class="quiet">${escapeHtml(readModelName(model).label)}</span>`;

/** The page draws a bar from the figures: what came from the cache, what was written to it, what was new, what was said. */
function renderTokens({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): string {
  const figures = [cacheRead, cacheWrite5m + cacheWrite1h, input, output];
  return `<span class="quiet tokens" data-u="${figures.join(' ')}">${grouped(output)} ${output === 1 ? 'token' : 'tokens'}</span>`;
}

/** `12,345`; a hundred thousand times the language's own way takes a second. */
const grouped = (count: number): string => `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** The page tells it in local time, and makes it the address of the node. */
const renderTime = ({ time }: OutlineNode): string =>
  time === null ? '' : `<a class="at"><time>${new Date(time).toISOString().slice(0, 19)}Z</time></a>`;

function renderBody(node: OutlineNode): string {
  if (node.sameAs !== undefined)
    return `<p class="quiet"><a href="#${encodeId(node.sameAs)}">Same as the result of the call</a></p>`;
  if (node.tool) {
    const { input, results } = renderTool(node.tool);
    return input + results.map((result) => `<div class="result">${result}</div>`).join('');
  }
  if (node.type === 'assistant' && node.blocks.length === 0) return '<p class="quiet">no answer</p>';
  const own = node.type === 'command' ? renderCommand(node) : renderBlocks(node);
  return node.pair ? own + node.pair.blocks.map(renderBlock).join('') : own;
}

/** People paste whole files into prompts. */
const renderBlocks = ({ level, text, blocks }: OutlineNode): string => {
  const html = blocks.map(renderBlock).join('');
  return level <= 1 ? foldLong(html, text) : html;
};

/** What a command stands for is long and the same every time. */
function renderCommand({ blocks }: OutlineNode): string {
  const said = blocks.filter(({ type }) => type !== 'text').map(renderBlock);
  const prompt = blocks.filter(({ type }) => type === 'text').map(renderBlock);
  const folded = prompt.length > 0 ? `<details><summary>expanded prompt</summary>${prompt.join('')}</details>` : '';
  return said.join('') + folded;
}

function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} m ${Math.round(seconds % 60)} s`;
}
