import { checkMessages } from '../messages/index.ts';
import type { Accounting, Finding } from '../model/index.ts';
import type { Logs } from './logs.ts';
import type { Project } from './project.ts';
import { findingOf } from './unread.ts';

/** What `check` says about some files of a project. */
export interface Check {
  readonly files: number;
  readonly lines: number;
  readonly accounted: Accounting;
  readonly findings: readonly Finding[];
}

/** All files of the project, or `only` these. */
export const checkProject = (project: Project, only?: readonly string[]): Check =>
  sumChecks(project.logs.map((logs) => checkLogs(logs, only)));

function checkLogs(logs: Logs, only?: readonly string[]): Check {
  const { tree, lines, problems } = logs.read({ survey: true });
  const files = (only ?? [...lines.keys()]).filter((id) => lines.has(id));
  const findings = [...tree.findings(only), ...checkMessages(tree, only && new Set(only))];
  for (const { path, message } of problems) findings.push(unreadable(path, message));
  return {
    files: files.length,
    lines: files.reduce((sum, id) => sum + (lines.get(id) ?? 0), 0),
    accounted: tree.accounting(files),
    findings,
  };
}

const NOTHING: Accounting = { records: 0, folded: 0, annotations: 0, bookkeeping: 0, reported: 0 };

export function sumChecks(checks: readonly Check[]): Check {
  const accounted = { ...NOTHING } as { -readonly [bucket in keyof Accounting]: number };
  for (const check of checks)
    for (const bucket of Object.keys(NOTHING) as (keyof Accounting)[]) accounted[bucket] += check.accounted[bucket];
  return {
    files: checks.reduce((all, check) => all + check.files, 0),
    lines: checks.reduce((all, check) => all + check.lines, 0),
    accounted,
    findings: checks.flatMap((check) => check.findings),
  };
}

export const unreadable = (path: string, message: string): Finding =>
  findingOf({ path, message, line: null, count: 1 });
