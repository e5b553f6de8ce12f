import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Check, checkProject, History, isPath, sumChecks, unreadable } from '../../history/index.ts';
import { type Accounting, type Finding, SkeinError } from '../../model/index.ts';
import { paint, print } from '../../terminal/output.ts';
import { jsonText } from '../../views/json/index.ts';
import { printableLine } from '../../views/text/printable.ts';
import { addRootOption, findHistory, type RootOptions } from '../options.ts';
import { dim, formatNumber, plural } from '../table.ts';

interface Options extends RootOptions {
  readonly json?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('[what]', 'a session by its id (or the beginning of it), a .jsonl file, or a folder; all logs without it')
    .option('--json', 'the result as JSON')
    .addHelpText('after', HELP)
    .action((what: string | undefined, options: Options) => run(what, options));
}

const HELP = `
Every line is a record, folded into one, an annotation of one, bookkeeping, or reported; the five add up to the lines read.
Findings name their rule (H…: the lines of a log, M5…: the messages in it), file and line.
Exit code 1 when the sum does not hold, or when there is a finding of severity "error".

Examples:
  skein check
  skein check ~/.claude/projects/-home-me-app --json
  skein check 29ccd257`;

function run(what: string | undefined, options: Options): void {
  const total = sumChecks(what === undefined ? checkAll(findHistory(options)) : checkOne(what, options));
  if (options.json) print(`${jsonText(total, 2)}\n`);
  else print(render(total));
  const holds = sumOf(total.accounted) === total.lines;
  if (!holds || total.findings.some((finding) => finding.severity === 'error')) process.exitCode = 1;
}

/** One project after the other, so that memory holds one of them. What could not be read is among the findings. */
function checkAll(history: History): Check[] {
  if (history.projects.length === 0) {
    const nothing = `No sessions found in ${history.looked.join(', ')}`;
    throw new SkeinError('not_found', [nothing, ...history.problems.map(({ message }) => message)].join(': '));
  }
  const checks = history.projects.map((project) => {
    const check = checkProject(project);
    project.close();
    return check;
  });
  const problems = history.problems.map(({ path, message }) => unreadable(path, message));
  return [...checks, { ...sumChecks([]), findings: problems }];
}

function checkOne(what: string, options: Options): Check[] {
  const history = findHistory(options);
  const known = isPath(what) ? history.findFile(resolve(what)) : history.find(what);
  if (known) return [checkProject(known.project, known.files)];
  const path = resolve(what);
  if (!existsSync(path)) throw new SkeinError('not_found', `${path} does not exist`);
  if (statSync(path).isDirectory()) return checkAll(findHistory({ root: [path] }));
  const lone = History.openFile(path);
  if (lone.projects.length === 0)
    throw new SkeinError('not_found', lone.problems[0]?.message ?? `${path} is not a log that Skein knows`);
  return checkAll(lone);
}

const sumOf = (accounted: Accounting): number => Object.values(accounted).reduce((all, each) => all + each, 0);

function render({ files, lines, accounted, findings }: Check): string {
  const parts = Object.entries(accounted).map(([bucket, count]) => `${formatNumber(count)} ${bucket}`);
  const holds = sumOf(accounted) === lines;
  const verdict = holds
    ? paint(['green'], 'every line is accounted for')
    : paint(['red'], `${formatNumber(lines - sumOf(accounted))} lines are missing`);
  const out = [
    `${plural(files, 'file')}, ${plural(lines, 'line')}: ${verdict}`,
    `  ${parts.join(' + ')} = ${formatNumber(sumOf(accounted))}`,
  ];
  if (findings.length > 0) out.push('', ...findings.map(renderFinding), '', dim(counts(findings)));
  return `${out.join('\n')}\n`;
}

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const;

function renderFinding({ rule, severity, type, message, file, line, version, count }: Finding): string {
  const place = line === null ? file : `${file}:${line}`;
  const times =
    count > 1 ? ` (${formatNumber(count)} times${version ? `, version ${printableLine(version)}` : ''})` : '';
  return `${paint([COLORS[severity]], severity.padEnd(7))}  ${rule}  ${type}  ${printableLine(message)}${times}\n         ${dim(printableLine(place))}`;
}

const counts = (findings: readonly Finding[]): string =>
  (['error', 'warning', 'note'] as const)
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => plural(count, severity))
    .join(', ');
