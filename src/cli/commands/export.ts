import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Project, Session } from '../../history/index.ts';
import { sessionRow } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { buildOutline } from '../../outline/index.ts';
import type { Redactor } from '../../redact/index.ts';
import { pageScriptHash, pageStyleHash } from '../../views/html/page-assets.ts';
import { type IndexEntry, renderIndex } from '../../views/html/render-index.ts';
import { jsonOutline } from '../../views/json/json-outline.ts';
import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { findSession } from '../find-session.ts';
import { addRootOption, openHistory, type RootOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { addPricesOption, openPrices, type PriceOptions } from '../prices.ts';
import { addRedactOption, openRedactor, type RedactOptions, redactSession, reportRedaction } from '../redaction.ts';
import { sessionPage } from '../show/html.ts';
import { formatCost, plural } from '../table.ts';

interface Options extends RootOptions, PriceOptions, RedactOptions {
  readonly project?: string;
  readonly all?: boolean;
  readonly output: string;
  readonly as: 'html' | 'markdown' | 'json';
  readonly verbose?: boolean;
}

const ENDINGS = { html: 'html', markdown: 'md', json: 'json' } as const;

export function define(command: Command): void {
  addRedactOption(addPricesOption(addRootOption(command)))
    .argument('[id]', 'a session by its id (or a part of it), or a .jsonl file')
    .option('-p, --project <name>', 'all sessions of one project')
    .option('--all', 'all sessions of all projects')
    .requiredOption('-o, --output <dir>', 'the folder to write to')
    .addOption(new Option('--as <form>', 'in which form').choices(Object.keys(ENDINGS)).default('html'))
    .option('--verbose', 'with all annotations')
    .addHelpText('after', HELP)
    .action((id: string | undefined, options: Options) => run(id, options));
}

const HELP = `
A folder that can be read in any browser, without a network: one page per session, a list per project, a list of all projects. Pages of
sessions that did not change since the last export into the same folder are left as they are.

Examples:
  skein export 29ccd257 -o page
  skein export --all -o ~/transcripts
  skein export -p app --as markdown -o notes`;

function run(id: string | undefined, options: Options): void {
  const given = [id !== undefined, options.project !== undefined, options.all === true].filter(Boolean).length;
  if (given !== 1) throw new SkeinError('bad_input', 'Export what? Give an ID, or -p PROJECT, or --all');
  const redactor = openRedactor(options);
  const target = new Target(options.output);
  if (id !== undefined) {
    const session = redactSession(findSession(id, options), redactor);
    const name = writeSession(session, '', target, options);
    target.finish();
    process.stdout.write(`${join(options.output, name)}\n`);
    reportRedaction(redactor);
    return;
  }
  const history = openHistory(options);
  const projects = options.project === undefined ? history.projects : [history.findProject(options.project)];
  const entries: IndexEntry[] = projects.flatMap((project) => writeProject(project, target, options, redactor));
  if (entries.length === 0) throw new SkeinError('not_found', `No sessions found in ${history.looked.join(', ')}`);
  if (options.as === 'html') target.writeList('index.html', renderIndex('All projects', [{ name: '', entries }]));
  target.finish();
  reportRedaction(redactor);
  process.stdout.write(
    `${plural(target.written, 'file')} written, ${target.kept} unchanged\n${options.as === 'html' ? `${join(options.output, 'index.html')}\n` : ''}`,
  );
}

function writeProject(project: Project, target: Target, options: Options, redactor: Redactor | null): IndexEntry[] {
  const conceal = (text: string): string => redactor?.redact(text) ?? text;
  const folder = safeName(conceal(project.id));
  const sessions = project.sessions().map((session) => redactSession(session, redactor));
  if (sessions.length === 0) return [];
  const entries = sessions.map((session): IndexEntry => {
    const name = writeSession(session, folder, target, options);
    const row = sessionRow(session, { prices: openPrices(options) });
    return {
      title: row.title ?? session.id,
      href: encodeURIComponent(name.slice(folder.length + 1)),
      facts: [
        formatTime(row.endedAt),
        plural(row.recordCount, 'record'),
        formatCost(row.usage),
        ...(row.gitBranch ? [row.gitBranch] : []),
      ],
    };
  });
  if (options.as === 'html')
    target.writeList(
      `${folder}/index.html`,
      renderIndex(conceal(project.path), [{ name: '', entries }], '../index.html'),
    );
  const last = sessions[0]?.facts.endedAt ?? null;
  project.close();
  return [
    {
      title: conceal(project.path),
      href: `${encodeURIComponent(folder)}/index.html`,
      facts: [plural(sessions.length, 'session'), formatTime(last)],
    },
  ];
}

function writeSession(session: Session, folder: string, target: Target, options: Options): string {
  const name = `${folder === '' ? '' : `${folder}/`}${safeName(session.id)}.${ENDINGS[options.as]}`;
  // Names of redacted things depend on everything before them: all pages are made together.
  if (options.redact) target.write(name, pagesOf(session, folder, options));
  else target.writeIfChanged(name, stampOf(session, options), () => pagesOf(session, folder, options));
  return name;
}

function pagesOf(session: Session, folder: string, options: Options): Iterable<string> {
  const verbose = options.verbose ?? false;
  if (options.as === 'html')
    return sessionPage(session, {
      verbose,
      prices: openPrices(options),
      ...(folder === '' ? {} : { up: 'index.html' }),
    });
  const content = (record: Parameters<Session['content']>[0]) => session.content(record, { annotations: true });
  const outline = buildOutline(session.logs.read().tree, session.id, content, {
    verbose,
    title: session.title ?? session.id,
  });
  return options.as === 'json' ? jsonOutline(outline) : renderMarkdown(outline);
}

/** What a page depends on: the files of the session as they are, and how pages look. */
function stampOf(session: Session, { as, verbose }: Options): string {
  const files = session.files.map((id) => {
    const file = session.logs.file(id);
    return [id, file?.size, file?.modified];
  });
  const hash = createHash('sha256').update(
    JSON.stringify([files, as, verbose, session.title, pageScriptHash, pageStyleHash, VERSION]),
  );
  return hash.digest('hex').slice(0, 16);
}

/** Raised when pages come out differently from the same files. */
const VERSION = 2;

/** Names come from logs: nothing in them may lead out of the folder. */
const safeName = (name: string): string =>
  name
    .replace(/[^\w.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 150) || '_';

const MANIFEST = '.skein-export.json';

/** The folder that is written to, and what was written there before. */
class Target {
  written = 0;
  kept = 0;
  readonly #folder: string;
  readonly #stamps: Record<string, string>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#stamps = readStamps(join(folder, MANIFEST));
  }

  writeIfChanged(name: string, stamp: string, pieces: () => Iterable<string>): void {
    if (Object.hasOwn(this.#stamps, name) && this.#stamps[name] === stamp && existsSync(join(this.#folder, name))) {
      this.kept++;
      return;
    }
    this.write(name, pieces());
    this.#stamps[name] = stamp;
  }

  /** Lists are short and made from all sessions: they are made anew, and written where they say something else. */
  writeList(name: string, pieces: Iterable<string>): void {
    const text = [...pieces].join('');
    this.writeIfChanged(name, createHash('sha256').update(text).digest('hex').slice(0, 16), () => [text]);
  }

  /** A page is whole or not there. */
  write(name: string, pieces: Iterable<string>): void {
    const path = join(this.#folder, name);
    try {
      mkdirSync(join(path, '..'), { recursive: true });
    } catch (error) {
      throw new SkeinError(
        'unreadable',
        `${this.#folder} cannot be written (${(error as NodeJS.ErrnoException).code})`,
        error,
      );
    }
    const part = `${path}.part`;
    const output = openOutput(part);
    try {
      for (const piece of pieces) output.write(piece);
    } catch (error) {
      output.close();
      rmSync(part, { force: true });
      throw error;
    }
    output.close();
    renameSync(part, path);
    this.written++;
  }

  finish(): void {
    writeFileSync(join(this.#folder, MANIFEST), `${JSON.stringify(this.#stamps)}\n`, { mode: 0o600 });
  }
}

function readStamps(path: string): Record<string, string> {
  try {
    const stamps: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof stamps === 'object' && stamps !== null ? (stamps as Record<string, string>) : {};
  } catch {
    return {};
  }
}
