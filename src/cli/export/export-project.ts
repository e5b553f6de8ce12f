import { join } from 'node:path';
import type { Project, Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import type { Redactor } from '../../redact/index.ts';
import type { LogFile } from '../../sources/index.ts';
import type { PriceTable } from '../../usage/index.ts';
import { redactSession } from '../redaction.ts';
import { type SessionSummary, summarize } from '../summarize.ts';
import { ENDINGS, type Form, lookOf, renderSession } from './forms.ts';
import { digest, distinctNames, pageName } from './safe-name.ts';
import { writePage } from './write-page.ts';

export interface PageStyle {
  readonly form: Form;
  readonly verbose: boolean;
  readonly prices: PriceTable;
  /** Tells one table of prices from another. */
  readonly pricesStamp: string;
}

/** What of a project is to be written. */
export interface Task {
  /** Where its pages go. */
  readonly folder: string;
  /** Stamps of the pages that are there. */
  readonly known: Readonly<Record<string, string>>;
  /** Only so many sessions, the newest; null: all. */
  readonly newest: number | null;
  /** Paths of files whose sessions are left out. */
  readonly omit: ReadonlySet<string>;
  /** Of several that share the work, which one this is: each takes every `of`th session. */
  readonly share: { readonly number: number; readonly of: number };
}

/** One session as a page. */
export interface PageReport {
  readonly name: string;
  readonly stamp: string;
  readonly session: string;
  readonly summary: SessionSummary;
  readonly isWritten: boolean;
  /** Of its logs. */
  readonly bytes: number;
}

/** What could not be shown, and why. */
export interface PageProblem {
  readonly problem: string;
  /** The page that is not there for it, or is as it was; null: nobody knows which. */
  readonly page: string | null;
}

/** Writes the pages of a project, the newest first, as far as they are not there as they should be. */
export function* exportProject(
  project: Project,
  task: Task,
  style: PageStyle,
  redactor: Redactor | null = null,
): Generator<PageReport | PageProblem> {
  const { share, newest, omit } = task;
  const all = project.sessions();
  const ending = ENDINGS[style.form];
  const conceal = (text: string): string => redactor?.redact(text) ?? text;
  const names = distinctNames(
    all.toSorted((a, b) => (a.agent < b.agent ? -1 : 1)),
    ({ id }) => pageName(conceal(id)),
    ({ id, agent }) => `${agent} ${id}`,
  );
  const wanted = all.filter((session) => !filesOf(session).some(({ path }) => omit.has(path)));
  const own = wanted.slice(0, newest ?? wanted.length).filter((_each, i) => i % share.of === share.number);
  for (const session of own) {
    const page = `${names.get(session)}.${ending}`;
    try {
      yield exportSession(redactSession(session, redactor), page, task, style);
    } catch (error) {
      // One session that cannot be shown does not keep the others from being written.
      if (error instanceof SkeinError) throw error;
      yield { problem: `The page of ${session.id} could not be made: ${(error as Error).message}`, page };
    }
  }
  for (const { logs, unread } of project.logs.flatMap((each) =>
    each.unread.map((unread) => ({ logs: each, unread })),
  )) {
    const file = logs.file(unread.file);
    if (file && omit.has(file.path)) continue;
    const owner = file && pageName(conceal(file.facts.session ?? file.facts.native));
    yield { problem: unread.message, page: owner === undefined ? null : `${owner}.${ending}` };
  }
}

/** The stamp of a page without what must not leave the machine: raised when less of it stays. */
export const REDACTED = 'redacted 2';

function exportSession(session: Session, name: string, task: Task, style: PageStyle): PageReport {
  const { form, verbose } = style;
  const files = filesOf(session);
  const summary = summarize(session, style.prices);
  // Names of redacted things depend on everything before them: all pages are made together.
  const stamp = session.isRedacted ? REDACTED : digest([lookOf(style), summary.title, stampOf(files)].join('\n'));
  const isKnown = !session.isRedacted && Object.hasOwn(task.known, name) && task.known[name] === stamp;
  if (!isKnown) {
    const up = `index.${ENDINGS[form]}`;
    writePage(join(task.folder, name), renderSession(session, summary, form, { verbose, up }));
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  // What is missing on a page may be there the next time, though nobody writes to the log.
  const isWhole = session.unread.length === 0;
  const id = session.conceal(session.id);
  return { name, stamp: isWhole ? stamp : '', session: id, summary, isWritten: !isKnown, bytes };
}

const filesOf = (session: Session): LogFile[] => session.files.flatMap((id) => session.logs.file(id) ?? []);

/** Another one when a file was written to. */
export const stampOf = (files: readonly LogFile[]): string =>
  JSON.stringify(files.map(({ path, size, modified }) => [path, size, modified]));
