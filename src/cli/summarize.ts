import type { Session } from '../history/index.ts';
import type { OutlineOptions } from '../outline/index.ts';
import { distinctUsage, type PriceTable, readModelName, sumUsage } from '../usage/index.ts';
import { formatTime } from '../views/text/format-time.ts';
import { formatCost, formatNumber, plural } from './table.ts';

/** What pages and lists of pages say about a session. */
export interface SessionSummary {
  readonly title: string | null;
  /** The first prompt, where the title is something else; else ''. */
  readonly prompt: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly records: number;
  readonly threads: number;
  readonly tokens: number;
  readonly cost: string;
  /** For sums; a folder of pages may have been written before this was told. */
  readonly costs?: Costs;
  readonly branch: string;
  readonly files: readonly string[];
  /** As people call them, the busiest first. */
  readonly models: readonly string[];
}

interface Costs {
  /** Null: the price of a model is unknown. */
  readonly costUsd: number | null;
  readonly knownCostUsd: number;
}

const LONGEST_PROMPT = 200;

export function summarize(session: Session, prices: PriceTable): SessionSummary {
  const { facts } = session;
  const responses = [...distinctUsage(session.allRecords()).values()];
  const usage = sumUsage(responses, prices);
  const { title } = session;
  const prompt = facts.title?.from === 'prompt' ? '' : firstPrompt(session);
  return {
    title,
    prompt: prompt === title ? '' : prompt.slice(0, LONGEST_PROMPT).toWellFormed(),
    startedAt: facts.startedAt,
    endedAt: facts.endedAt,
    records: facts.recordCount,
    threads: facts.threads.length,
    tokens: usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    cost: formatCost(usage),
    costs: { costUsd: usage.costUsd, knownCostUsd: usage.knownCostUsd },
    branch: facts.gitBranch === null ? '' : session.conceal(facts.gitBranch),
    files: session.files.map((file) => session.conceal(file)),
    models: busiest(responses.map(({ model }) => session.conceal(readModelName(model).label))),
  };
}

/** What a page says below its title. */
export const factsOf = (
  session: Session,
  { models, branch, startedAt, records, threads, tokens, cost }: SessionSummary,
  only?: OutlineOptions['only'],
): string[] =>
  [
    session.conceal(session.project.path),
    branch,
    models.join(', '),
    formatTime(startedAt),
    plural(records, 'record'),
    threads > 1 ? `${only && 'thread' in only ? 'one of ' : ''}${plural(threads, 'thread')}` : '',
    only && 'subagent' in only ? `only sub-agent ${session.conceal(only.subagent)}` : '',
    `${formatNumber(tokens)} tokens`,
    cost,
    session.conceal(session.id),
  ].filter((fact) => fact !== '');

function firstPrompt(session: Session): string {
  for (const record of session.records())
    if (record.origin === 'human') return session.textOf(record.id).replace(/\s+/g, ' ').trim();
  return '';
}

/** Claude Code writes its own messages under a model that is none. */
const NO_MODEL = '<synthetic>';

function busiest(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== '' && name !== NO_MODEL) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
}
