import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Project, Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import type { Redactor } from '../../redact/index.ts';
import { warn } from '../../terminal/output.ts';
import { refuseAgentPlace } from '../agent-places.ts';
import { findRecord, findSession, findSubagent, findThread } from '../find-session.ts';
import { addRootOption, findHistory, type RootOptions } from '../options.ts';
import { type Output, openOutput } from '../output.ts';
import { addPricesOption } from '../prices.ts';
import {
  addRedactOption,
  openRedactor,
  REDACT_HELP,
  type RedactOptions,
  redactOutput,
  redactSession,
  reportRedaction,
} from '../redaction.ts';
import { type Selection, type ShowOptions, showAs } from '../show/index.ts';
import { selectFrom } from '../show/select-from.ts';

interface Options extends RootOptions, ShowOptions, RedactOptions {
  readonly as: string;
  readonly json?: boolean;
  readonly thread?: string;
  readonly agent?: string;
  readonly at?: string;
  readonly fileOrder?: boolean;
  readonly follow?: boolean;
  readonly output?: string;
  readonly pager: boolean;
}

export function define(command: Command): void {
  addRedactOption(addPricesOption(addRootOption(command)))
    .argument('[id]', 'a session by its id (or a part of it), or a .jsonl file; on a terminal without it: pick one')
    .addOption(new Option('--as <form>', 'how to show it').choices(Object.keys(showAs)).default('text'))
    .option('--json', 'the same as --as json')
    .option('--text', 'with --as chat: as text, one line per item')
    .option('--thread <id>', 'another thread than the active one, by its first or last record')
    .option('--agent <id>', 'one of its sub-agents instead')
    .option('--at <record>', 'begin there, in the thread or sub-agent it belongs to')
    .option('--file-order', 'its file exactly as written, without choosing a branch')
    .option('--verbose', 'with thinking, annotations and whole outputs')
    .option('--follow', 'stay and show what is added')
    .option('-o, --output <file>', 'write to a file')
    .option('--no-pager', 'on a terminal: all at once, not through $PAGER (or less)')
    .addHelpText('after', REDACT_HELP)
    .addHelpText('after', HELP)
    .action((id: string | undefined, options: Options) => run(id, withForm(options)));
}

const HELP = `
Examples:
  skein show                        pick a session
  skein show 29ccd257               its active thread
  skein show 29ccd257 --thread b1   another thread ("skein threads 29ccd257" lists them)
  skein show 29ccd257 --at 9f2c      from one record on, as "skein search" names it
  skein show 29ccd257 --as json     for programs
  skein show 29ccd257 --as html -o session.html   with all branches and sub-agents; so outline and messages (--thread narrows)
  skein show session.jsonl          a file, wherever it lies
  skein show 29ccd257 --follow      live, while the agent works`;

/** `--json` as every command has it; chat, outline and messages are JSON already. */
const withForm = (options: Options): Options =>
  options.json && options.as === 'text' ? { ...options, as: 'json' } : options;

async function run(what: string | undefined, options: Options): Promise<void> {
  const id = what ?? (await (await import('../pick-session.ts')).pickSession(options));
  if (id === null) return;
  refuseContradictions(options);
  const redactor = openRedactor(options);
  const session = redactSession(findSession(id, options), redactor);
  if (session.project.isRecovered && options.as !== 'text') warn(ANSWERS_GONE);
  if (options.follow) return (await import('../show/follow.ts')).follow(session, select(session, options), options);
  // Before a pager opens for what there is not.
  const selection = options.fileOrder ? null : select(session, options);
  await write(options, session.project, redactor, async (output) => {
    if (session.project.isRecovered && options.as === 'text') output.write(`${ANSWERS_GONE}\n\n`);
    if (selection === null) {
      (await import('../show/file-order.ts')).showFile(session, id, output, options);
      return;
    }
    const isRead = options.as === 'text' && output.columns !== null;
    if (isRead) (await import('../show/header.ts')).showHeader(selection, output, options);
    await showAs[options.as]?.(selection, output, options);
    if (isRead) (await import('../show/hints.ts')).showHints(selection, output, options);
  });
}

const ANSWERS_GONE =
  'This session was deleted before it was archived. Its prompts are recovered from the history of prompts; the answers are gone.';

/** The logs themselves are never written to. */
async function write(
  options: Options,
  project: Project,
  redactor: Redactor | null,
  run: (output: Output) => Promise<void>,
): Promise<void> {
  const isPaged = options.output === undefined && options.pager && process.stdout.isTTY;
  const pager = isPaged ? (await import('../pager.ts')).openPager() : null;
  const file = pager ?? openOutput(options.output, (path) => refuseLogs(path, project, options));
  const output = redactOutput(file, redactor, writtenAs(options));
  let isWhole = false;
  try {
    await run(output);
    isWhole = true;
  } finally {
    await output.close(isWhole);
  }
  reportRedaction(redactor);
}

const writtenAs = ({ as, text }: Options): 'text' | 'json' | 'html' =>
  as === 'html' ? 'html' : text || as === 'text' || as === 'markdown' ? 'text' : 'json';

function refuseContradictions({ as, text, redact, fileOrder, follow, thread, agent, at, output }: Options): void {
  const refuse = (message: string): never => {
    throw new SkeinError('bad_input', message);
  };
  if (redact && (fileOrder || follow)) refuse(`--redact does not go with --${fileOrder ? 'file-order' : 'follow'}`);
  if (fileOrder && follow) refuse('--follow and --file-order exclude each other');
  if ((fileOrder || follow) && as !== 'text') refuse(`--${follow ? 'follow' : 'file-order'} shows text only`);
  if (at !== undefined && (fileOrder || follow)) refuse(`--at does not go with --${follow ? 'follow' : 'file-order'}`);
  if (at !== undefined && (thread !== undefined || agent !== undefined))
    refuse('--at finds the thread or sub-agent itself: leave out --thread and --agent');
  if (at !== undefined && as !== 'text' && as !== 'json') refuse('--at shows text or json');
  if (text && as !== 'chat') refuse('--text goes with --as chat');
  if (fileOrder && thread !== undefined) refuse('--file-order shows every thread of a file: leave out --thread');
  if (follow && output !== undefined) refuse('--follow does not end and cannot write to a file: leave out --output');
}

/** Neither in the agents' folders, nor over anything they wrote, wherever the session lies itself and whatever the file is called there. */
function refuseLogs(path: string, project: Project, options: Options): void {
  const place = placeOf(path);
  const logs = [...findHistory(options).projects, project].flatMap(({ files }) => files);
  if (place !== null && logs.some((log) => placeOf(log.path) === place))
    throw new SkeinError('bad_input', `${path} is a log of an agent; Skein does not write to it`);
  refuseAgentPlace(path, options);
}

/** The same for every name a file has. */
function placeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}

function select(session: Session, options: Options): Selection {
  if (options.at !== undefined) return selectFrom(session, findRecord(session, options.at));
  if (options.agent === undefined) {
    const thread = findThread(session, options.thread);
    const [first, ...others] = session.facts.subagents;
    // The file of a sub-agent that is read alone.
    return { session, thread, subagent: !thread && first && others.length === 0 ? first : null };
  }
  if (options.thread !== undefined) throw new SkeinError('bad_input', '--agent and --thread exclude each other');
  return { session, thread: null, subagent: findSubagent(session, options.agent) };
}
