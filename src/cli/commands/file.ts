import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import type { Command } from 'commander';
import { SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { isoTime } from '../../views/json/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { commandLine } from '../command-line.ts';
import { openSearch } from '../open-search.ts';
import { addRootOption, openHistory, type RootOptions, readCount } from '../options.ts';
import { type ListOptions, openOutput, writeList } from '../output.ts';
import { findTouches, type Touch } from '../search/find-touches.ts';
import { dim, formatNumber, formatTable, plural, shortId, shortRecordId } from '../table.ts';

interface Options extends RootOptions, ListOptions {
  readonly limit?: number;
}

const LIMIT = 20;

export function define(command: Command): void {
  addRootOption(command)
    .argument('<path>', 'a file, or the end of its path; * stands for anything but /')
    .option('--limit <count>', `so many prompts at most (default: ${LIMIT}; as JSON all)`, readCount)
    .option('--json', 'as JSON')
    .option('--jsonl', 'as JSON, one prompt per line')
    .addHelpText('after', HELP)
    .action((path: string, options: Options) => run(path, options));
}

const HELP = `
Told by the inputs of tools that name a file; what a command line does to files is found by "skein search".

Examples:
  skein file src/clock.ts
  skein file 'migrations/*.sql'
  skein file package.json --json | jq -r '.items[] | select(.changes > 0) | .session_id'`;

async function run(path: string, options: Options): Promise<void> {
  if (path.trim() === '') throw new SkeinError('bad_input', 'Which file? Give a path, or the end of one');
  const history = openHistory(options);
  const search = await openSearch(history, options);
  const here = resolve(path);
  // A file that is there means itself; where nobody touched it, another of that name.
  const exact = existsSync(here) || isAbsolute(path) ? await findTouches(history, search, here) : [];
  const touches = exact.length > 0 || isAbsolute(path) ? exact : await findTouches(history, search, path);
  const isJson = options.json || options.jsonl;
  const shown = touches.slice(0, options.limit ?? (isJson ? touches.length : LIMIT));
  if (isJson) return writeList(openOutput(undefined), shown.map(jsonTouch), touches.length, options);
  if (touches.length === 0)
    throw new SkeinError(
      'not_found',
      `No call that reads or changes ${printableLine(path)} in ${history.looked.join(', ')}`,
    );
  const [first] = shown;
  const hint = first ? `\nOpen the first:  ${openTouch(first, options)}` : '';
  const count = shown.length === touches.length ? '' : `; --limit ${touches.length} shows all`;
  print(`${table(shown)}\n\n${dim(`${plural(touches.length, 'prompt')}${count}${hint}`)}\n`);
}

const openTouch = ({ session, prompt, record }: Touch, options: RootOptions): string =>
  commandLine(['show', shortId(session), '--at', shortRecordId(prompt?.record ?? record, session)], options);

const table = (touches: readonly Touch[]): string =>
  formatTable(
    [
      { title: 'LAST' },
      { title: 'SESSION' },
      { title: 'RECORD' },
      { title: 'PROMPT', flexible: 24, most: 80 },
      { title: 'PROJECT', most: 16, spare: 1 },
      { title: 'READ', align: 'right', spare: 2 },
      { title: 'CHANGED', align: 'right', spare: 3 },
    ],
    touches.map((touch) => [
      formatTime(touch.time),
      shortId(touch.session),
      shortRecordId(touch.prompt?.record ?? touch.record, touch.session),
      printableLine(touch.prompt?.text ?? '(no prompt)'),
      printableLine(basename(touch.project.path)),
      touch.reads === 0 ? '' : formatNumber(touch.reads),
      touch.changes === 0 ? '' : formatNumber(touch.changes),
    ]),
  );

const jsonTouch = (touch: Touch): object => ({
  session_id: touch.session,
  project_id: touch.project.id,
  project_path: touch.project.path,
  agent: touch.agent,
  prompt_uuid: touch.prompt?.record ?? null,
  prompt: touch.prompt?.text ?? null,
  prompted_at: isoTime(touch.prompt?.time ?? null),
  last_record_uuid: touch.record,
  last_at: isoTime(touch.time),
  reads: touch.reads,
  changes: touch.changes,
  paths: touch.paths,
});
