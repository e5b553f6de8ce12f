import { statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { SkeinError } from '../../model/index.ts';
import type { Redactor } from '../../redact/index.ts';
import { print } from '../../terminal/output.ts';
import { refuseAgentPlace } from '../agent-places.ts';
import { REDACTED } from '../export/export-project.ts';
import { exportProjects } from '../export/export-projects.ts';
import { ENDINGS, type Form, renderSession } from '../export/forms.ts';
import { PageFolder } from '../export/page-folder.ts';
import { pricesStamp } from '../export/prices-stamp.ts';
import { pageName, safeName } from '../export/safe-name.ts';
import { writeLists } from '../export/write-lists.ts';
import { writePage } from '../export/write-page.ts';
import { findSession } from '../find-session.ts';
import { addRootOption, openHistory, type RootOptions } from '../options.ts';
import { addPricesOption, openPrices, type PriceOptions } from '../prices.ts';
import { showProgress } from '../progress.ts';
import {
  addRedactOption,
  learnNames,
  openRedactor,
  REDACT_HELP,
  type RedactOptions,
  redactionReport,
  redactSession,
  reportRedaction,
} from '../redaction.ts';
import { summarize } from '../summarize.ts';
import { formatNumber, plural } from '../table.ts';
import { tellMissing } from '../unread.ts';

interface Options extends RootOptions, PriceOptions, RedactOptions {
  readonly project?: string;
  readonly all?: boolean;
  readonly output: string;
  readonly as?: Form;
  readonly verbose?: boolean;
}

const FORMS = Object.keys(ENDINGS) as Form[];

export function define(command: Command): void {
  addRedactOption(addPricesOption(addRootOption(command)))
    .argument('[id]', 'a session by its id (or a part of it), or a .jsonl file')
    .option('-p, --project <name>', 'all sessions of one project')
    .option('--all', 'all sessions of all projects')
    .requiredOption('-o, --output <dir>', 'the folder to write to; of one session, a .html, .md or .json file too')
    .addOption(new Option('--as <form>', 'in which form (default: html, or what the file ends with)').choices(FORMS))
    .option('--verbose', 'with all annotations')
    .addHelpText('after', REDACT_HELP)
    .addHelpText('after', HELP)
    .action((id: string | undefined, options: Options) => run(id, options));
}

const HELP = `
A folder that can be read in any browser, without a network: one page per session, a list per project, a list of all projects. Pages of
sessions that did not change since the last export into the same folder are left as they are; what was interrupted is gone on with.
Only you may read what is written; for a web server open it: chmod -R a+rX DIR
What could not be read or made is named in the lists and on the error stream; the exit code is 2 then, and it is tried again the next time.
With --redact everything is written anew, pages that an export without it left in the folder are removed, and redaction.json says what was
replaced and where, never what it was, and what nobody could look into.

Examples:
  skein export 29ccd257 -o session.md
  skein export --all -o ~/transcripts
  skein export -p app --as markdown --redact -o notes`;

async function run(id: string | undefined, options: Options): Promise<void> {
  const given = [id !== undefined, options.project !== undefined, options.all === true].filter(Boolean).length;
  if (given !== 1) throw new SkeinError('bad_input', 'Export what? Give an ID, or -p PROJECT, or --all');
  const redactor = openRedactor(options);
  let folder = options.output;
  if (id === undefined) await exportMany(options, redactor);
  else {
    const path = exportOne(id, options, redactor);
    folder = dirname(path);
    print(`${path}\n`);
  }
  if (redactor) writePage(join(folder, 'redaction.json'), [redactionReport(redactor)]);
  reportRedaction(redactor);
}

function exportOne(id: string, options: Options, redactor: Redactor | null): string {
  const file = fileOf(options);
  const form = file ?? options.as ?? 'html';
  const session = redactSession(findSession(id, options), redactor);
  const path = file
    ? options.output
    : join(options.output, `${pageName(session.conceal(session.id))}.${ENDINGS[form]}`);
  refuseAgentPlace(path, options);
  const summary = summarize(session, openPrices(options));
  writePage(path, renderSession(session, summary, form, { verbose: options.verbose ?? false }));
  return path;
}

/** The form of the file that is named; null: a folder is. */
function fileOf({ output, as }: Options): Form | null {
  const ending = extname(output).slice(1);
  if (/[\\/]$/.test(output) || isFolder(output) || !/^[a-z]\w{0,4}$/i.test(ending)) return null;
  const form = FORMS.find((each) => ENDINGS[each] === ending.toLowerCase());
  if (form !== undefined && (as ?? form) === form) return form;
  const endings = as === undefined ? '.html, .md or .json' : `.${ENDINGS[as]} (--as ${as})`;
  throw new SkeinError('bad_input', `A file to write ends in ${endings}; to make it a folder: -o ${output}/`);
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function exportMany(options: Options, redactor: Redactor | null): Promise<void> {
  const { as: form = 'html' } = options;
  const history = openHistory(options);
  const projects = options.project === undefined ? history.projects : [history.findProject(options.project)];
  // A project is a folder in there: one that is called like it may be what it was made from.
  for (const place of [options.output, ...projects.map(({ id }) => join(options.output, safeName(id)))])
    refuseAgentPlace(place, options);
  learnNames(redactor, projects);
  const target = new PageFolder(options.output);
  if (redactor) target.dropUnless(REDACTED);
  const progress = showProgress('Writing pages');
  const { written, kept, problems } = await exportProjects(projects, target, {
    roots: options.root ? { root: options.root } : {},
    style: { form, verbose: options.verbose ?? false, pricesStamp: pricesStamp(options) },
    pricesFile: options.prices,
    redactor,
    onProgress: progress.show,
  }).finally(progress.end);
  for (const problem of problems) tellMissing(problem);
  if (written + kept + problems.length === 0)
    throw new SkeinError('not_found', `No sessions found in ${history.looked.join(', ')}`);
  const lists = writeLists(target, form);
  if (redactor) for (const other of FORMS) if (other !== form && target.has(other)) writeLists(target, other);
  target.save();
  print(
    `${plural(written + lists.written, 'file')} written, ${formatNumber(kept + lists.kept)} unchanged\n${join(options.output, `index.${ENDINGS[form]}`)}\n`,
  );
}
