import { resolve } from 'node:path';
import type { Command } from 'commander';
import { History, isPath, type Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { renderRecord } from '../../views/text/render-record.ts';
import { addRootOption, openHistory, type RootOptions } from '../options.ts';

interface Options extends RootOptions {
  readonly thread?: string;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('<id>', 'a session by its id (or the beginning of it), or a .jsonl file')
    .option('--thread <id>', 'another thread than the active one, by its first or last record')
    .addHelpText('after', '\nExamples:\n  skein show 29ccd257\n  skein show session.jsonl')
    .action((id: string, options: Options) => run(id, options));
}

function run(id: string, options: Options): void {
  const session = findSession(id, options);
  const thread = options.thread === undefined ? session.facts.defaultThread : findThread(session, options.thread);
  for (const record of session.thread(thread)) {
    const own = session.blocks(record);
    const text = renderRecord(record, {
      own,
      replies: session.blocks(record, 'reply'),
      results: session.results(record),
    });
    if (text !== '') process.stdout.write(`${text}\n\n`);
  }
}

function findSession(id: string, options: Options): Session {
  if (!isPath(id)) {
    const history = openHistory(options);
    return (history.projects.length === 0 ? History.demo() : history).find(id);
  }
  const [session] = History.openFile(resolve(id)).projects.flatMap((project) => project.sessions());
  if (!session) throw new SkeinError('not_found', `No session found in ${resolve(id)}`);
  return session;
}

function findThread({ facts }: Session, name: string): string {
  const found = facts.threads.filter(({ id, leaf }) => id.startsWith(name) || leaf.startsWith(name));
  if (found.length === 1 && found[0]) return found[0].id;
  const list = facts.threads.map(({ id }) => `\n  - ${id}`).join('');
  throw new SkeinError(
    found.length === 0 ? 'not_found' : 'ambiguous',
    `${found.length === 0 ? 'No thread found matching' : 'Ambiguous thread'} '${name}'. Threads:${list}`,
  );
}
