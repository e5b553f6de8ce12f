import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { Project, SessionRow } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
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
  readonly lastActivity: number | null;
}

async function run(options: RootOptions & ListOptions): Promise<void> {
  const history = openHistory(options);
  const listed = await withIndex(history, history.projects, async (lists) =>
    lists ? storedRows(history.projects, await lists.sessions({ prices: shippedPrices })) : history.projects.map(rowOf),
  );
  const rows = listed.sort((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0));
  if (options.json || options.jsonl) {
    writeList(openOutput(undefined), rows.map(jsonOf), rows.length, options);
    return;
  }
  if (rows.length === 0) throw new SkeinError('not_found', `No projects found in ${history.looked.join(', ')}`);
  process.stdout.write(`${table(rows)}\n\n${dim(plural(rows.length, 'project'))}\n`);
}

/** Each project is forgotten when its row is made: memory holds one of them. */
function rowOf(project: Project): Row {
  const sessions = project.sessions();
  project.close();
  return {
    id: project.id,
    path: project.path,
    agents: project.agents,
    sessions: sessions.length,
    lastActivity: sessions[0]?.facts.endedAt ?? null,
  };
}

function storedRows(projects: readonly Project[], sessions: readonly SessionRow[]): Row[] {
  const byPath = Map.groupBy(sessions, ({ project }) => project.path);
  return projects.map(({ id, path, agents }) => {
    const own = byPath.get(path) ?? [];
    return { id, path, agents, sessions: own.length, lastActivity: own[0]?.endedAt ?? null };
  });
}

const jsonOf = ({ id, path, agents, sessions, lastActivity }: Row) => ({
  id,
  path,
  agent: agents.join(','),
  agents,
  session_count: sessions,
  last_activity: isoTime(lastActivity),
});

function table(rows: readonly Row[]): string {
  const home = homedir();
  const short = (path: string) => printableLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
  return formatTable(
    [
      { title: 'LAST ACTIVITY' },
      { title: 'SESSIONS', align: 'right' },
      { title: 'AGENT' },
      { title: 'PATH', flexible: true },
      { title: 'PROJECT' },
    ],
    rows.map(({ id, path, agents, sessions, lastActivity }) => [
      formatTime(lastActivity),
      formatNumber(sessions),
      agents.join(', '),
      short(path),
      printableLine(id),
    ]),
  );
}
