import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { Project, Session } from '../history/index.ts';
import { Redactor } from '../redact/index.ts';

import { remark, warn } from '../terminal/output.ts';
import { jsonText } from '../views/json/index.ts';

import { redactJsonText } from '../views/json/redact-json-text.ts';

import type { Output } from './output.ts';
import { formatTable, plural } from './table.ts';

export interface RedactOptions {
  readonly redact?: boolean;
}

export const addRedactOption = (command: Command): Command =>
  command.option(
    '--redact',
    'without keys, tokens, passwords, e-mail addresses, the names of home folders, pictures and other media',
  );

export const REDACT_HELP = `
With --redact what is known by its form (the keys of some 80 services, private keys, passwords in addresses) or by its name (password,
API key, Authorization, Cookie, in text, JSON, shell and settings, base64 included), e-mail addresses and the names of all home folders are
replaced, the same by the same everywhere; pictures, sound and documents are left out. What is secret only to who knows it (a password
in the middle of a sentence, the name of a customer) is not found: read it before you publish it.`;

/** One for everything that is written: the same thing gets the same name everywhere. */
export function openRedactor({ redact }: RedactOptions): Redactor | null {
  if (!redact) return null;
  const redactor = new Redactor();
  redactor.names.learnPath(homedir());
  return redactor;
}

export const redactSession = (session: Session, redactor: Redactor | null): Session =>
  redactor ? session.redacted(redactor) : session;

/** All names of everything that will be written, before anything is: what is written first must not say what is told last. */
export function learnNames(redactor: Redactor | null, projects: readonly Project[]): void {
  if (!redactor) return;
  for (const project of projects) redactor.names.learnPath(project.path);
  for (const project of projects) {
    for (const session of project.sessions()) session.teach(redactor);
    project.close();
  }
}

/** What is said beside the content, such as the names of files. A page of HTML holds its own script, which must stay as it is. */
export function redactOutput(output: Output, redactor: Redactor | null, form: 'text' | 'json' | 'html'): Output {
  if (!redactor || form === 'html') return output;
  const redact = (text: string): string =>
    form === 'json' ? redactJsonText(text, (each) => redactor.redact(each)) : redactor.redact(text);
  return { ...output, write: (text) => output.write(redact(text)) };
}

/** What was replaced, where and how often, and what could not be looked into, for a file beside what was written: never what it was. */
export function redactionReport({ report, unseen }: Redactor): string {
  const items = report.map(({ kind, pseudonym, count, places }) => ({ kind, pseudonym, count, places }));
  const total = items.reduce((sum, { count }) => sum + count, 0);
  const said = { items, total: items.length, places: total, not_seen: notSeen({ unseen }) };
  return `${jsonText(said, 2)}\n`;
}

/** Where a reader has to look for himself. */
function notSeen({ unseen: { blobs, names } }: Pick<Redactor, 'unseen'>): string[] {
  return [
    'Secrets without a known form or name, and names of people who have no home folder in these logs, are not found.',
    ...(blobs > 0
      ? [`${plural(blobs, 'long run')} of base64 that is neither text nor a known kind of file stayed.`]
      : []),
    ...(names > 0
      ? [
          `${plural(names, 'home folder')} with a name that is short or an ordinary word: it stays where it is not in a path of a home.`,
        ]
      : []),
  ];
}

/** What was replaced, told on the error stream: never what it was. */
export function reportRedaction(redactor: Redactor | null): void {
  if (!redactor) return;
  const { report } = redactor;
  const times = report.reduce((sum, { count }) => sum + count, 0);
  warn(`${plural(times, 'place')} redacted, ${plural(report.length, 'different value')}`);
  const rows = report.map(({ kind, pseudonym, count, places }) => [kind, pseudonym, `${count}`, places[0] ?? '']);
  const columns = [
    { title: 'KIND' },
    { title: 'NOW' },
    { title: 'TIMES', align: 'right' as const },
    { title: 'FIRST AT' },
  ];
  if (report.length > 0) remark(`${formatTable(columns, rows)}\n`);
  for (const line of notSeen(redactor)) warn(line);
}
