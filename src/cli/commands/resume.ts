import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { SkeinError } from '../../model/index.ts';
import { printable } from '../../views/text/printable.ts';
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
    .addHelpText('after', '\nExamples:\n  skein resume 29ccd257\n  eval "$(skein resume 29ccd257)"')
    .action((id: string, options: Options) => run(id, options));
}

/** The command is printed, never run. */
function run(id: string, options: Options): void {
  const session = findSession(id, options);
  const thread = findThread(session, options.thread);
  const file = session.logs.file(session.facts.files[0] ?? '');
  if (!thread || !file || file.bytes || file.kept)
    throw new SkeinError('not_found', `Session ${session.id} cannot be continued: it has no file of its own`);
  const own = session.logs.files.find(({ facts }) => facts.native === thread.facts.resumeId) ?? file;
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
    process.stdout.write(`${JSON.stringify(json)}\n`);
    return;
  }
  if (!existsSync(cwd))
    process.stderr.write(`skein: the working folder ${JSON.stringify(cwd)} is not there (any more)\n`);
  process.stdout.write(`cd ${cwd.startsWith('-') ? '-- ' : ''}${quote(cwd)} && ${words.map(quote).join(' ')}\n`);
}

/** For bash and zsh. The log names the folder: nothing in it may be more than a word, and no escape may reach the terminal. */
function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (/[\t\n]/.test(word) || printable(word) !== word) {
    const bytes = [...new TextEncoder().encode(word)].map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, '0')}`,
    );
    return `$'${bytes.join('')}'`;
  }
  return `'${word.replaceAll("'", "'\\''")}'`;
}
