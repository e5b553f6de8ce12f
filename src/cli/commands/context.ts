import type { Command } from 'commander';
import { type ContextView, type ContextWindow, windowAt } from '../../context/index.ts';
import type { Session, Thread } from '../../history/index.ts';
import { type LogRecord, SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { jsonContext, jsonText, jsonWarnings } from '../../views/json/index.ts';
import { drawContext } from '../draw-context.ts';
import { findRecord, findSession, findThread } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { addPricesOption, openPrices, type PriceOptions } from '../prices.ts';
import { threadContext } from '../thread-context.ts';

interface Options extends RootOptions, PriceOptions {
  readonly at?: string;
  readonly thread?: string;
  readonly json?: boolean;
}

export function define(command: Command): void {
  addPricesOption(addRootOption(command))
    .argument('<id>', 'a session by its id (or a part of it), or a .jsonl file')
    .option('--at <record>', 'after this record, by its id or a part of it, instead of at the end')
    .option('--thread <id>', 'another thread than the active one, by its first or last record')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action((id: string, options: Options) => run(id, options));
}

const HELP = `
Tokens are estimates, four characters each; beside them stands what the provider counted for the last response. What is not attributed
is the system prompt, the descriptions of the tools, and what the estimate missed: the log does not hold them.

Examples:
  skein context 29ccd257                 the window at the end of the session
  skein context 29ccd257 --at b1e5       … after that record
  skein context 29ccd257 --json          for programs`;

function run(id: string, options: Options): void {
  const session = findSession(id, options);
  const { thread, record } = findPlace(session, options);
  const { view, window } = readContext(session, thread, record, options);
  const timeOf = (key: string) => session.record(key)?.time ?? null;
  const json = () => ({ ...jsonContext(window, view, timeOf), ...jsonWarnings(session.unreadable) });
  if (options.json) print(`${jsonText(json(), 2)}\n`);
  else print(drawContext(window, view, timeOf(window.record)));
}

interface Place {
  readonly thread: Thread;
  readonly record: string;
}

/** A record alone says which thread is meant: the active one if it is on it. */
function findPlace(session: Session, { at, thread: name }: Options): Place {
  const thread = findThread(session, name);
  if (!thread) throw new SkeinError('not_found', `Session ${session.id} has no thread: only sub-agents are left of it`);
  if (at === undefined) return { thread, record: thread.facts.leaf };
  const records = name === undefined ? session.records() : thread.records();
  const { id } = findRecord(session, at, records);
  const isOn = (each: Thread) => [...each.records()].some((record: LogRecord) => record.id === id);
  return { thread: isOn(thread) ? thread : (session.threads.find(isOn) ?? thread), record: id };
}

function readContext(
  session: Session,
  thread: Thread,
  record: string,
  options: Options,
): { view: ContextView; window: ContextWindow } {
  const view = threadContext(session, thread);
  const window = windowAt(view, session.logs.read().tree, record, openPrices(options));
  if (!window) throw new SkeinError('not_found', `${record} is on no thread of session ${session.id}`);
  return { view, window };
}
