import { basename } from 'node:path';
import { type IndexEntry, renderIndex } from '../../views/html/render-index.ts';
import { listMarkdown } from '../../views/markdown/list-markdown.ts';
import { NO_TITLE } from '../session-table.ts';
import { formatCost, formatNumber, plural } from '../table.ts';
import { ENDINGS, type Form } from './forms.ts';
import type { ListedPage, ListedProject, PageFolder } from './page-folder.ts';

/** Lists of everything that was written to a folder: one per project, and one over all. Gives how many were written, and how many say the same as before. */
export function writeLists(target: PageFolder, form: Form, notice?: string): { written: number; kept: number } {
  const file = `index.${ENDINGS[form]}`;
  const projects = [...target.projects].flatMap(([name, project]): Listed[] => {
    const sessions = target
      .pagesOf(name, form)
      .map(([page, listed]) => ({ page, ...listed }))
      .sort(newestFirst);
    const missing = project.missing?.[form] ?? [];
    return sessions.length + missing.length > 0 ? [{ name, project, sessions, missing }] : [];
  });
  projects.sort((a, b) => lastOf(b) - lastOf(a));
  const lists = projects.map((each) => [`${each.name}/${file}`, renderProject(each, form, file)] as const);
  const counts = { written: 0, kept: 0 };
  for (const [name, pieces] of [...lists, [file, renderAll(projects, form, file, notice)] as const])
    counts[target.writeList(name, pieces) ? 'written' : 'kept']++;
  return counts;
}

interface Listed {
  readonly name: string;
  readonly project: ListedProject;
  /** Newest first. */
  readonly sessions: readonly (ListedPage & { readonly page: string })[];
  /** What could not be read or written the last time, and why. */
  readonly missing: readonly string[];
}

type ListedSession = Listed['sessions'][number];

const newestFirst = (a: ListedSession, b: ListedSession): number =>
  (b.summary.endedAt ?? 0) - (a.summary.endedAt ?? 0) || (a.session < b.session ? -1 : 1);
const lastOf = ({ sessions }: Listed): number => sessions[0]?.summary.endedAt ?? 0;

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });

function renderProject({ project, sessions, missing }: Listed, form: Form, file: string): Iterable<string> {
  if (form === 'json')
    return jsonList(
      sessions.map((each) => jsonOf(each, each.page)),
      missing,
    );
  const months = Map.groupBy(sessions, ({ summary: { endedAt } }) => (endedAt === null ? '' : MONTH.format(endedAt)));
  const groups = [...months].map(([name, each]) => ({ name, entries: each.map((session) => entryOf(session, '')) }));
  const page = {
    title: project.path,
    facts: [plural(sessions.length, 'session'), ...totals(sessions), ...sayMissing(missing)],
    groups,
  };
  return form === 'markdown'
    ? listMarkdown(page)
    : renderIndex({ ...page, up: { href: `../${file}`, title: 'All projects' } });
}

const NEWEST = 12;

function renderAll(
  projects: readonly Listed[],
  form: Form,
  file: string,
  notice: string | undefined,
): Iterable<string> {
  const all = projects
    .flatMap((each) => each.sessions.map((session) => ({ ...session, project: each })))
    .sort(newestFirst);
  if (form === 'json')
    return jsonList(
      all.map((each) => ({ project: each.project.project.path, ...jsonOf(each, `${each.project.name}/${each.page}`) })),
      projects.flatMap(({ missing }) => missing),
    );
  const entries = all.map((each) => {
    const entry = entryOf(each, `${encodeURIComponent(each.project.name)}/`);
    return { ...entry, facts: [basename(each.project.project.path), ...entry.facts] };
  });
  const listed = projects.map(
    (each): IndexEntry => ({
      title: basename(each.project.path) || each.project.path,
      href: `${encodeURIComponent(each.name)}/${file}`,
      detail: each.project.path,
      facts: [plural(each.sessions.length, 'session'), ...totals(each.sessions), ...sayMissing(each.missing)],
      time: each.sessions[0]?.summary.endedAt ?? null,
    }),
  );
  const older = entries.slice(NEWEST);
  const groups = [
    { name: older.length > 0 ? 'Newest sessions' : 'Sessions', entries: entries.slice(0, NEWEST) },
    { name: 'Projects', entries: listed },
  ];
  const partial = projects.filter(({ missing }) => missing.length > 0).length;
  const facts = [
    plural(projects.length, 'project'),
    plural(all.length, 'session'),
    ...totals(all),
    ...(partial > 0 ? [`${plural(partial, 'project is', 'projects are')} not complete`] : []),
  ];
  const page = { title: 'All projects', facts, groups };
  if (form === 'markdown') return listMarkdown(page);
  // Older ones are found when the list is narrowed.
  const found = older.length > 0 ? [{ name: 'Older sessions', entries: older, isHidden: true }] : [];
  return renderIndex({ ...page, groups: [...groups, ...found], ...(notice === undefined ? {} : { notice }) });
}

function entryOf({ page, summary }: ListedSession, folder: string): IndexEntry {
  const { title, prompt, startedAt, endedAt, threads, tokens, cost, branch, models, records } = summary;
  const facts = [
    models[0] ?? '',
    duration(startedAt, endedAt),
    plural(records, 'record'),
    tokens > 0 ? `${short(tokens)} tokens` : '',
    tokens > 0 ? cost : '',
    threads > 1 ? plural(threads, 'thread') : '',
    branch,
  ];
  return { title: title ?? NO_TITLE, href: folder + encodeURIComponent(page), detail: prompt, facts, time: endedAt };
}

/** What all of them took: `2.1M tokens`, `$1.23`. */
function totals(sessions: readonly ListedSession[]): string[] {
  let [tokens, known, isWhole] = [0, 0, true];
  for (const { summary } of sessions) {
    tokens += summary.tokens;
    known += summary.costs?.knownCostUsd ?? 0;
    isWhole &&= summary.tokens === 0 || (summary.costs?.costUsd ?? null) !== null;
  }
  return tokens > 0
    ? [`${short(tokens)} tokens`, formatCost({ costUsd: isWhole ? known : null, knownCostUsd: known })]
    : [];
}

/** `184k`, `2.1M`. */
const short = (count: number): string =>
  count < 1e4 ? formatNumber(count) : count < 1e6 ? `${Math.round(count / 1e3)}k` : `${(count / 1e6).toFixed(1)}M`;

/** `Not complete: …/s.jsonl may not be read (permission denied); it is left out`. */
const sayMissing = (missing: readonly string[]): string[] => missing.map((message) => `Not complete: ${message}`);

const HOUR = 3_600_000;

/** `12m`, `1h 02m`, `3d`. */
function duration(from: number | null, to: number | null): string {
  const time = (to ?? 0) - (from ?? 0);
  if (from === null || to === null || time < 60_000) return '';
  const minutes = Math.floor(time / 60_000);
  if (time < HOUR) return `${minutes}m`;
  return time < 48 * HOUR
    ? `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`
    : `${Math.floor(time / (24 * HOUR))}d`;
}

const jsonOf = ({ session, summary }: ListedSession, path: string) => ({
  session_id: session,
  title: summary.title,
  started_at: timeOf(summary.startedAt),
  ended_at: timeOf(summary.endedAt),
  record_count: summary.records,
  thread_count: summary.threads,
  git_branch: summary.branch || null,
  models: summary.models,
  file: path,
});
const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const jsonList = (items: readonly object[], missing: readonly string[]): string[] => {
  const warnings = missing.map((message) => ({ type: 'unreadable_file', message }));
  const list = { items, total: items.length, ...(warnings.length > 0 ? { warnings } : {}) };
  return [`${JSON.stringify(list, null, 1)}\n`];
};
