import { join } from 'node:path';
import type { Project, Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import type { Redactor } from '../../redact/index.ts';
import type { LogFile } from '../../sources/index.ts';
import type { PriceTable } from '../../usage/index.ts';
import { redactSession } from '../redaction.ts';
import { type SessionSummary, summarize } from '../summarize.ts';
import { ENDINGS, type Form, lookOf, renderSession } from './forms.ts';
import { digest, safeName } from './safe-name.ts';
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

/** What of it could not be shown, and why. */
export interface PageProblem {
  readonly problem: string;
}

/** Writes the pages of a project, the newest first, as far as they are not there as they should be. */
export function* exportProject(
  project: Project,
  task: Task,
  style: PageStyle,
  redactor: Redactor | null = null,
): Generator<PageReport | PageProblem> {
  const { share, newest, omit } = task;
  const wanted = project.sessions().filter((session) => !filesOf(session).some(({ path }) => omit.has(path)));
  const own = wanted.slice(0, newest ?? wanted.length).filter((_each, i) => i % share.of === share.number);
  for (const session of own) {
    try {
      yield exportSession(redactSession(session, redactor), task, style, redactor);
    } catch (error) {
      // One session that cannot be shown does not keep the others from being written.
      if (error instanceof SkeinError) throw error;
      yield { problem: `The page of ${session.id} could not be made: ${(error as Error).message}` };
    }
  }
}

function exportSession(session: Session, task: Task, style: PageStyle, redactor: Redactor | null): PageReport {
  const { form, verbose } = style;
  const name = `${safeName(session.id)}.${ENDINGS[form]}`;
  const files = filesOf(session);
  const summary = summarize(session, style.prices);
  // Names of redacted things depend on everything before them: all pages are made together.
  const stamp = redactor ? '' : digest([lookOf(style), summary.title, stampOf(files)].join('\n'));
  const isKnown = stamp !== '' && Object.hasOwn(task.known, name) && task.known[name] === stamp;
  if (!isKnown) {
    const up = `index.${ENDINGS[form]}`;
    writePage(join(task.folder, name), renderSession(session, summary, form, { verbose, up }));
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { name, stamp, session: session.id, summary, isWritten: !isKnown, bytes };
}

const filesOf = (session: Session): LogFile[] => session.files.flatMap((id) => session.logs.file(id) ?? []);

/** Another one when a file was written to. */
export const stampOf = (files: readonly LogFile[]): string =>
  JSON.stringify(files.map(({ path, size, modified }) => [path, size, modified]));
