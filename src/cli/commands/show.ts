import type { Command } from 'commander';
import { Option } from 'commander';
import type { Project, Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { findSubagent, findThread, lookFor } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { type Output, openOutput } from '../output.ts';
import { type Selection, type ShowOptions, showAs } from '../show/index.ts';

interface Options extends RootOptions, ShowOptions {
  readonly as: string;
  readonly thread?: string;
  readonly agent?: string;
  readonly fileOrder?: boolean;
  readonly follow?: boolean;
  readonly output?: string;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('[id]', 'a session by its id (or a part of it), or a .jsonl file; on a terminal without it: pick one')
    .addOption(new Option('--as <form>', 'how to show it').choices(Object.keys(showAs)).default('text'))
    .option('--thread <id>', 'another thread than the active one, by its first or last record')
    .option('--agent <id>', 'one of its sub-agents instead')
    .option('--file-order', 'its file exactly as written, without choosing a branch')
    .option('--verbose', 'with thinking, annotations and whole outputs')
    .option('--follow', 'stay and show what is added')
    .option('-o, --output <file>', 'write to a file')
    .addHelpText('after', HELP)
    .action((id: string | undefined, options: Options) => run(id, options));
}

const HELP = `
Examples:
  skein show                        pick a session
  skein show 29ccd257               its active thread
  skein show 29ccd257 --thread b1   another thread ("skein threads 29ccd257" lists them)
  skein show 29ccd257 --as json     for programs
  skein show session.jsonl          a file, wherever it lies
  skein show 29ccd257 --follow      live, while the agent works`;

async function run(what: string | undefined, options: Options): Promise<void> {
  const id = what ?? (await (await import('../pick-session.ts')).pickSession(options));
  if (id === null) return;
  const found = lookFor(id, options);
  const { located } = found;
  if (located && located.file.size >= LONG && isPlain(options)) {
    const { streamText } = await import('../show/text.ts');
    return write(options, located.project, (output) => streamText(located, found.session, output));
  }
  const session = found.session();
  if (options.fileOrder || options.follow) {
    if (options.as !== 'text')
      throw new SkeinError('bad_input', `--${options.follow ? 'follow' : 'file-order'} shows text only`);
    if (options.fileOrder && options.follow)
      throw new SkeinError('bad_input', '--follow and --file-order exclude each other');
  }
  if (options.follow) return (await import('../show/follow.ts')).follow(session, select(session, options), options);
  await write(options, session.project, async (output) => {
    if (options.fileOrder) (await import('../show/file-order.ts')).showFile(session, id, output, options);
    else await showAs[options.as]?.(select(session, options), output, options);
  });
}

/** The logs themselves are never written to. */
async function write(options: Options, { files }: Project, run: (output: Output) => Promise<void>): Promise<void> {
  const output = openOutput(options.output, () => files.map(({ path }) => path));
  try {
    await run(output);
  } finally {
    output.close();
  }
}

/** From here on one waits for a file to be read. */
const LONG = 8 * 1024 * 1024;

/** The default thread as text, and no more of it. */
const isPlain = ({ as, thread, agent, fileOrder, follow, verbose }: Options): boolean =>
  as === 'text' && thread === undefined && agent === undefined && !fileOrder && !follow && !verbose;

function select(session: Session, options: Options): Selection {
  if (options.agent === undefined) return { session, thread: findThread(session, options.thread), subagent: null };
  if (options.thread !== undefined) throw new SkeinError('bad_input', '--agent and --thread exclude each other');
  return { session, thread: null, subagent: findSubagent(session, options.agent) };
}
