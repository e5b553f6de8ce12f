import type { Command } from 'commander';
import type { Session } from '../history/index.ts';
import { Redactor } from '../redact/index.ts';
import { remark, warn } from '../terminal/output.ts';
import { jsonText } from '../views/json/index.ts';
import type { Output } from './output.ts';
import { formatTable, plural } from './table.ts';

export interface RedactOptions {
  readonly redact?: boolean;
}

export const addRedactOption = (command: Command): Command =>
  command.option('--redact', 'without home folders, e-mail addresses, keys, tokens, passwords and pictures');

/** One for everything that is written: the same thing gets the same name everywhere. */
export const openRedactor = ({ redact }: RedactOptions): Redactor | null => (redact ? new Redactor() : null);

export const redactSession = (session: Session, redactor: Redactor | null): Session =>
  redactor ? session.redacted(redactor) : session;

/** What is said beside the content, such as the names of files. Only for forms that are plain text. */
export const redactOutput = (output: Output, redactor: Redactor | null): Output =>
  redactor ? { ...output, write: (text) => output.write(redactor.redact(text)) } : output;

/** What was replaced, where and how often, for a file beside what was written: never what it was. */
export function redactionReport({ report }: Redactor): string {
  const items = report.map(({ kind, pseudonym, count, places }) => ({ kind, pseudonym, count, places }));
  const total = items.reduce((sum, { count }) => sum + count, 0);
  return `${jsonText({ items, total: items.length, places: total }, 2)}\n`;
}

/** What was replaced, told on the error stream: never what it was. */
export function reportRedaction(redactor: Redactor | null): void {
  if (!redactor) return;
  const { report } = redactor;
  const times = report.reduce((sum, { count }) => sum + count, 0);
  warn(`${plural(times, 'place')} redacted, ${plural(report.length, 'different value')}`);
  if (report.length === 0) return;
  const rows = report.map(({ kind, pseudonym, count, places }) => [kind, pseudonym, `${count}`, places[0] ?? '']);
  const columns = [
    { title: 'KIND' },
    { title: 'NOW' },
    { title: 'TIMES', align: 'right' as const },
    { title: 'FIRST AT' },
  ];
  remark(`${formatTable(columns, rows)}\n`);
}
