import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { Session, Thread } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import type { LogFile } from '../../sources/index.ts';
import { print, warn } from '../../terminal/output.ts';
import { jsonText } from '../../views/json/index.ts';
import { commandLine, quote } from '../command-line.ts';
import { findSession, findThread } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';

interface Options extends RootOptions {
  readonly thread?: string;
  readonly json?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('<id>', 'a session by its id (or a part of it), or a .jsonl file')
    .option('--thread <id>', 'another thread than the active one')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action((id: string, options: Options) => run(id, options));
}

const HELP = `
Agents go on with the thread of a file that was worked on last; the id of a file that goes on with a session, or forks it,
means the thread that ends there. Any other can be written as a session of its own: "skein branch".

Examples:
  skein resume 29ccd257
  eval "$(skein resume 29ccd257)"`;

/** The command is printed, never run. */
function run(id: string, options: Options): void {
  const session = findSession(id, options);
  const thread = findThread(session, options.thread);
  const own = thread && fileOf(session, thread);
  if (!thread || !own || own.bytes)
    throw new SkeinError('not_found', `Session ${session.id} cannot be continued: it has no file of its own`);
  if (own.kept) {
    const folder = dirname(own.path.slice(0, -own.kept.path.length - 1));
    const restore = commandLine(['restore', session.id, '-o', folder], options);
    throw new SkeinError('not_found', `The file of ${session.id} is gone. First write it back: ${restore}`);
  }
  if (thread.id !== openedWith(session, thread)?.id) {
    const branch = commandLine(['branch', id, '--at', thread.facts.leaf, '--to', 'pi'], options);
    const { title } = session.logs.format;
    throw new SkeinError(
      'not_found',
      `${title} would go on with another thread of ${session.id}. To go on with this one, in Pi: ${branch}`,
    );
  }
  const words = session.logs.format.resume({ resumeId: thread.facts.resumeId, file: own.path });
  const cwd = session.facts.cwd ?? session.project.path;
  if (options.json) {
    const json = {
      session_id: session.id,
      thread_id: thread.id,
      resume_id: thread.facts.resumeId,
      cwd,
      command: words,
    };
    print(`${jsonText(json)}\n`);
    return;
  }
  if (!existsSync(cwd)) warn(`the working folder ${jsonText(cwd)} is not there (any more)`);
  print(`cd ${cwd.startsWith('-') ? '-- ' : ''}${quote(cwd)} && ${words.map(quote).join(' ')}\n`);
}

/** The file a thread goes on in. */
const fileOf = ({ logs, facts }: Session, thread: Thread): LogFile | undefined =>
  logs.files.find((file) => file.facts.native === thread.facts.resumeId) ?? logs.file(facts.files[0] ?? '');

/** Agents are told a file, and take the thread of it that was worked on last. */
const openedWith = ({ defaultThread, threads }: Session, { facts }: Thread): Thread | undefined =>
  [...(defaultThread ? [defaultThread] : []), ...threads].find((each) => each.facts.resumeId === facts.resumeId);
