import type { Command } from 'commander';
import { Option } from 'commander';
import { print, remark } from '../../terminal/output.ts';
import { jsonText } from '../../views/json/index.ts';
import { refuseAgentPlace } from '../agent-places.ts';
import { type Branched, branchSession } from '../branch-session.ts';
import { findRecord, findSession, findThread } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { formatNumber, plural } from '../table.ts';

interface Options extends RootOptions {
  readonly at?: string;
  readonly to: string;
  readonly output?: string;
  readonly json?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('<id>', 'a session by its id (or a part of it), or a .jsonl file')
    .option('--at <record>', 'up to this record and with it, by its id or a part of it; else up to the end')
    .addOption(new Option('--to <agent>', 'for which agent').choices(['pi']).default('pi'))
    .option('-o, --output <file>', 'the file to write; without it one in the folder where Pi looks for sessions')
    .option('--json', 'the report as JSON')
    .addHelpText('after', HELP)
    .action((id: string, options: Options) => run(id, options));
}

const HELP = `
Writes the way from the beginning to a record as a session of its own, which Pi opens. The session it is taken from stays as it is.
What Pi has no place for (sub-agents, signatures of thoughts, annotations …) is counted on the error stream, or in the JSON.

Examples:
  skein branch 29ccd257 --at b1e5 --to pi
  skein branch 29ccd257 --at b1e5 --to pi -o branch.jsonl && pi --session branch.jsonl`;

async function run(id: string, options: Options): Promise<void> {
  if (options.output !== undefined) refuseAgentPlace(options.output, options);
  const session = findSession(id, options);
  const at = options.at ?? findThread(session, undefined)?.facts.leaf ?? '';
  const record = findRecord(session, at);
  const branched = await branchSession(session, record, options.output === undefined ? {} : { file: options.output });
  const source = { agent: session.agent, session_id: session.id, uuid: record.id };
  if (options.json) print(`${jsonText(jsonOf(branched, source))}\n`);
  else {
    print(`${branched.path}\n`);
    remark(reportOf(branched));
  }
}

const jsonOf = ({ path, id, records, entries, losses }: Branched, source: object) => ({
  path,
  session_id: id,
  entries,
  ...(records === null ? {} : { records }),
  source,
  losses,
});

function reportOf({ records, entries, losses }: Branched): string {
  const what = records === null ? 'copied' : `from ${plural(records, 'record')}`;
  const lost = losses.map((loss) => `\n  ${formatNumber(loss.count).padStart(6)}  ${loss.what}`);
  const all = lost.length === 0 ? '; nothing was left behind' : `. Not carried over:${lost.join('')}`;
  return `skein: ${plural(entries, 'entry', 'entries')} ${what}${all}\n`;
}
