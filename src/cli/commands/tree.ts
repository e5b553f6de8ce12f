import type { Command } from 'commander';
import { Option } from 'commander';
import type { Session } from '../../history/index.ts';
import { readRows } from '../../library/read-rows.ts';
import { SkeinError } from '../../model/index.ts';
import { buildNodes, buildPrompts, FILTER_MODES, type FilterMode, Selector } from '../../selector/index.ts';
import { print } from '../../terminal/output.ts';
import { activeLeaf } from '../active-leaf.ts';
import { findSession, findThread } from '../find-session.ts';
import { readNotes } from '../notes.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { openOutput, writeList } from '../output.ts';
import { jsonRows, printTree } from '../print-tree.ts';
import { labelsOf } from '../session-labels.ts';
import { settingsOf } from '../settings.ts';

interface Options extends RootOptions {
  readonly filter: FilterMode;
  readonly search?: string;
  readonly thread?: string;
  readonly branch?: boolean;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('<id>', 'a session by its id (or a part of it), or a .jsonl file')
    .addOption(new Option('--filter <mode>', 'what is shown at first').choices(FILTER_MODES).default('default'))
    .option('--search <words>', 'only what says all of these words, and what it hangs on')
    .option('--thread <id>', 'another thread as the active one, by its first or last record')
    .option('--branch', 'the prompts as a list instead, to branch before one of them')
    .option('--json', 'as JSON')
    .option('--jsonl', 'as JSON, one row per line')
    .addHelpText('after', HELP)
    .action((id: string, options: Options) => run(id, options));
}

const HELP = `
On a terminal the tree can be walked; into a pipe or file it is printed, each row with the id of its record.

Keys:
  ↑ ↓ PgUp PgDn Home End   move
  ← →                      fold and unfold a branch, or go to where it begins, or to the next one
  Space, Tab               fold or unfold
  Ctrl+O                   the next filter: ${FILTER_MODES.join(', ')}
  / or typing              search (all words, in any order); arrows go from hit to hit
  Esc                      clear the search, then leave
  Enter                    read on from there, in $PAGER (or less)
  Shift+L                  edit the label
  b                        branch: what leads there becomes a new session of Pi

"skein settings doubleEscapeAction tree" makes --branch show the whole tree.

Examples:
  skein tree 29ccd257
  skein tree 29ccd257 --filter user-only
  skein tree 29ccd257 --json | jq '.items[] | select(.label) | .uuid'`;

async function run(id: string, options: Options): Promise<void> {
  if (options.branch && options.thread !== undefined)
    throw new SkeinError('bad_input', '--branch lists the prompts of every thread: leave out --thread');
  const session = findSession(id, options);
  const selector = await openSelector(session, options);
  if (options.json || options.jsonl) {
    selector.unfoldAll();
    selector.finish();
    writeList(openOutput(undefined), jsonRows(selector), selector.length, options, () => session.unreadable);
  } else if (process.stdin.isTTY && process.stdout.isTTY) {
    const { walkTree } = await import('../walk-tree.ts');
    const said = await walkTree(session, selector, await choiceFor(options));
    if (said !== null) print(`${said}\n`);
  } else {
    if (options.filter === 'all') selector.unfoldAll();
    selector.finish();
    if (selector.length === 0) process.exitCode = 1;
    printTree(selector, session, openOutput(undefined));
  }
}

async function openSelector(session: Session, options: Options): Promise<Selector> {
  const { tree } = session.logs.read();
  const thread = options.thread === undefined ? null : findThread(session, options.thread);
  const isList = (await choiceFor(options)) === 'prompts';
  const nodes = isList
    ? buildPrompts(tree, session.facts)
    : buildNodes(tree, session.facts, thread?.facts.leaf ?? activeLeaf(session));
  const labels = await labelsOf(session);
  const selector = new Selector(nodes, readRows(session), { labels, mode: options.filter });
  if (options.search !== undefined) selector.setQuery(options.search);
  return selector;
}

async function choiceFor({ branch }: Options): Promise<'tree' | 'prompts'> {
  if (!branch) return 'tree';
  const { doubleEscapeAction } = settingsOf(await readNotes((notes) => notes.settings(), new Map()));
  return doubleEscapeAction === 'tree' ? 'tree' : 'prompts';
}
