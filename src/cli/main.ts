import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { SkeinError } from '../model/index.ts';
import { onBrokenOutput, print, remark, warn } from '../terminal/output.ts';
import { commands, home } from './commands/index.ts';
import { loadArchive } from './options.ts';
import { tellUnread } from './unread.ts';

// A reader that went away (`| head`) has seen enough.
onBrokenOutput((error) => {
  if (error.code === 'EPIPE') process.exit(0);
  warn(`the output cannot be written (${error.code})`);
  process.exit(2);
});

async function run(given: readonly string[]): Promise<void> {
  const args = given[0] === 'help' ? askHelp(given[1]) : given;
  const program = new Command('skein')
    .description('Reads the session logs of coding agents: Claude Code, Pi and oh-my-pi.')
    .option('-V, --version', 'which version this is')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: remark, outputError: () => undefined })
    .showSuggestionAfterError()
    .addHelpText('after', HELP);
  const [first] = args;
  if (first === '--version' || first === '-V') return void print(`${readVersion()}\n`);
  const chosen = commands.find((command) => command.name === first);
  // Only the command that runs is loaded; for the others a name and a sentence are enough.
  for (const { name, usage, summary, isHidden = false, load } of commands) {
    const isChosen = name === chosen?.name;
    const command = program
      .command(isChosen ? name : usage, { hidden: isHidden })
      .summary(summary)
      .description(summary);
    if (isChosen) (await load()).define(command);
  }
  // Without a command, options alone mean `skein`; anything else is left to the program to complain about.
  if (first === undefined || (first.startsWith('-') && first !== '--help' && first !== '-h'))
    (await home()).define(program);
  await loadArchive();
  await program.parseAsync(args, { from: 'user' });
}

/** `skein help stats` is `skein stats --help`; what is no command is left to the program to complain about. */
function askHelp(about: string | undefined): string[] {
  if (about === undefined || about === 'help') return ['--help'];
  return commands.some(({ name }) => name === about) ? [about, '--help'] : [about];
}

/** The same distance from the sources and from `dist`. */
const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

const HELP = `
Examples:
  skein                             what is on this machine, newest first, and as pages in the browser (--no-open: not opened)
  skein show                        pick a session and read it
  skein show 29ccd257               read one session, by the beginning of its id
  skein search '"cannot read"'       where something was said, done or printed
  skein sessions --on yesterday     what was worked on
  skein resume 29ccd257             how to go on with it
  skein check                       is every line of every log accounted for?

"skein help COMMAND" says more about a command.
Exit codes: 0, 1 when nothing was found, 2 when something was wrong or could not be read.`;

/** The one place where an error becomes text: what, where, what to do. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    remark(`${error.message.replace(/^error: /, 'skein: ')}\n`);
    return 2;
  }
  const isKnown = error instanceof SkeinError;
  const allowed = openFilesAllowed();
  if (isKnown) warn(error.message);
  else if (!isOutOfFiles(error))
    warn(`unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  // SQLite and the system do not always say why a file cannot be opened.
  const isAsked = isKnown && ['not_found', 'ambiguous', 'bad_input'].includes(error.code);
  if (isOutOfFiles(error) || (allowed < FILES_NEEDED && !isAsked))
    warn(`Too few files may be open at once here: ${allowed}. Allow more ("ulimit -n 256") and run it again`);
  return isKnown && (error.code === 'not_found' || error.code === 'ambiguous') ? 1 : 2;
}

const FILES_NEEDED = 64;

const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  (/^E[MN]FILE$/.test((error as NodeJS.ErrnoException).code ?? '') || isOutOfFiles(error.cause));

/** What `ulimit -n` says; infinity where nothing does. */
function openFilesAllowed(): number {
  const { userLimits } = (process.report?.getReport() ?? {}) as unknown as UserLimits;
  return Number(userLimits?.open_files?.soft ?? Number.NaN) || Number.POSITIVE_INFINITY;
}

interface UserLimits {
  readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
}

// What is thrown where nobody waits: Node would print it as it is, with pieces of a log in it.
process.on('uncaughtException', (error) => process.exit(report(error)));

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
tellUnread();
