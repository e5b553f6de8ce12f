import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { History, Project, SessionRow } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { shippedPrices } from '../../usage/index.ts';
import { isoTime } from '../../views/json/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { addRootOption, openHistory, type RootOptions } from '../options.ts';
import { type ListOptions, openOutput, writeList } from '../output.ts';
import { withIndex } from '../stored-index.ts';
import { dim, formatNumber, formatTable, plural } from '../table.ts';

export function define(command: Command): void {
  addRootOption(command)
    .option('--json', 'as JSON')
    .option('--jsonl', 'as JSON, one project per line')
    .addHelpText('after', '\nExamples:\n  skein projects\n  skein projects --json | jq -r ".items[].path"')
    .action((options: RootOptions & ListOptions) => run(options));
}

interface Row {
  readonly id: string;
  readonly path: string;
  readonly agents: readonly string[];
  readonly sessions: number;
  /** So many of them are prompts only. */
  readonly recovered: number;
  readonly lastActivity: number | null;
}

/** What a row needs to know of a session. */
type Listed = Pick<SessionRow, 'id' | 'endedAt' | 'recovered'> & { readonly path: string };

async function run(options: RootOptions & ListOptions): Promise<void> {
  const history = openHistory(options);
  const listed = await withIndex(history, history.projects, async (lists) => {
    const stored = await lists?.sessions({ prices: shippedPrices });
    return stored?.map((row): Listed => ({ ...row, path: row.project.path })) ?? history.projects.flatMap(sessionsOf);
  });
  const rows = rowsOf(history, listed).sort((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0));
  if (options.json || options.jsonl) {
    writeList(openOutput(undefined), rows.map(jsonOf), rows.length, options);
    return;
  }
  if (rows.length === 0) throw new SkeinError('not_found', `No projects found in ${history.looked.join(', ')}`);
  print(`${table(rows)}\n\n${dim(plural(rows.length, 'project'))}\n`);
}

/** Each project is forgotten when it is looked through: memory holds one of them. */
function sessionsOf(project: Project): Listed[] {
  const sessions = project.sessions().map(({ id, facts }) => ({ id, endedAt: facts.endedAt, path: project.path }));
  project.close();
  return sessions;
}

function rowsOf(history: History, listed: readonly Listed[]): Row[] {
  const ids = new Set(listed.map(({ id }) => id));
  const recovered = history.recovered
    .flatMap(sessionsOf)
    .filter(({ id }) => !ids.has(id))
    .map((session): Listed => ({ ...session, recovered: true }));
  const byPath = Map.groupBy([...listed, ...recovered], ({ path }) => path);
  const agentsOf = Map.groupBy([...history.projects, ...history.recovered], ({ path }) => path);
  const places = new Map([...history.projects, ...history.recovered].map(({ path, id }) => [path, id]));
  return [...places].map(([path, id]) => {
    const own = byPath.get(path) ?? [];
    return {
      id,
      path,
      agents: [...new Set(agentsOf.get(path)?.flatMap(({ agents }) => agents))],
      sessions: own.length,
      recovered: own.filter((session) => session.recovered).length,
      lastActivity: own.reduce<number | null>((last, { endedAt }) => newer(last, endedAt), null),
    };
  });
}

const newer = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const jsonOf = ({ id, path, agents, sessions, recovered, lastActivity }: Row) => ({
  id,
  path,
  agent: agents.join(','),
  agents,
  session_count: sessions,
  ...(recovered > 0 ? { recovered_count: recovered } : {}),
  last_activity: isoTime(lastActivity),
});

function table(rows: readonly Row[]): string {
  const home = homedir();
  const short = (path: string) => printableLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
  return formatTable(
    [
      { title: 'LAST ACTIVITY' },
      { title: 'SESSIONS', align: 'right' },
      { title: 'AGENT', spare: 2 },
      { title: 'PATH', flexible: 60, cut: 'start' },
      { title: 'PROJECT', spare: 1 },
    ],
    rows.map(({ id, path, agents, sessions, recovered, lastActivity }) => [
      formatTime(lastActivity),
      formatNumber(sessions) + (recovered > 0 ? ` (${formatNumber(recovered)} prompts only)` : ''),
      agents.join(', '),
      short(path),
      printableLine(id),
    ]),
  );
}
