import { basename } from 'node:path';
import type { Command } from 'commander';
import { type History, openDemo, type Session } from '../../history/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { cutToWidth } from '../../views/text/width.ts';
import { addRootOption, openHistory, type RootOptions } from '../options.ts';
import { bold, COMMAND, dim, formatNumber, formatTable, plural, shortId } from '../table.ts';

const SHOWN = 20;
const TITLE = 80;

export function define(command: Command): void {
  addRootOption(command).action((options: RootOptions) => run(options));
}

function run(options: RootOptions): void {
  const found = openHistory(options);
  const isEmpty = found.projects.length === 0;
  const history = isEmpty ? openDemo() : found;
  if (isEmpty) {
    process.stdout.write(
      `No sessions found. Skein looked in:\n${found.looked.map((path) => `  ${path}\n`).join('')}\nHere is a demo session instead.\n\n`,
    );
  }
  const rows = newest(history);
  process.stdout.write(`${summary(history, rows)}\n\n${table(rows)}\n\n${hint(rows, isEmpty)}\n`);
}

interface Row {
  readonly time: number | null;
  readonly cells: readonly string[];
  readonly id: string;
}

/** Projects are read in the order in which they were last written, until no older one can hold a newer session. */
function newest(history: History): Row[] {
  let rows: Row[] = [];
  for (const project of history.projects) {
    const last = rows[SHOWN - 1];
    if (last && project.modified !== 0 && project.modified < (last.time ?? 0)) break;
    rows.push(...project.sessions().map(rowOf));
    project.close();
    rows = rows.sort((a, b) => (b.time ?? 0) - (a.time ?? 0)).slice(0, SHOWN);
  }
  return rows;
}

function rowOf(session: Session): Row {
  const { facts } = session;
  const folder = facts.cwd ? basename(facts.cwd) : session.project.id;
  const title = cutToWidth(printableLine(session.title ?? '(no title)'), TITLE);
  const threads = facts.threads.length > 1 ? plural(facts.threads.length, 'thread') : '';
  const cells = [
    formatTime(facts.endedAt),
    shortId(session.id),
    title,
    cutToWidth(printableLine(folder), 16),
    formatNumber(facts.recordCount),
    threads,
  ];
  return { time: facts.endedAt, cells, id: session.id };
}

const table = (rows: readonly Row[]): string =>
  formatTable(
    [
      { title: 'LAST ACTIVITY' },
      { title: 'SESSION' },
      { title: 'TITLE', flexible: true },
      { title: 'PROJECT' },
      { title: 'RECORDS', align: 'right' },
      { title: '' },
    ],
    rows.map(({ cells }) => cells),
  );

function summary(history: History, rows: readonly Row[]): string {
  const files = history.projects.reduce(
    (sum, project) => sum + project.files.filter(({ facts }) => facts.role === 'session').length,
    0,
  );
  return (
    bold(`${plural(history.projects.length, 'project')}, ${plural(files, 'session file')}`) +
    dim(`, the newest ${plural(rows.length, 'session')}:`)
  );
}

function hint(rows: readonly Row[], isDemo: boolean): string {
  const id = shortId(rows[0]?.id ?? 'ID');
  const read = `Read one:  ${COMMAND} show ${id}`;
  if (isDemo)
    return dim(
      `${read}\nUse a coding agent (Claude Code, Pi) and come back, or point Skein at a folder: ${COMMAND} --root DIR`,
    );
  return dim(`${read}\nIs everything in it accounted for?  ${COMMAND} check ${id}`);
}
