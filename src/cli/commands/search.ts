import { type Command, Option } from 'commander';
import { SkeinError } from '../../model/index.ts';
import { type Facets, type Found, RANKED } from '../../search/index.ts';
import { print } from '../../terminal/output.ts';
import { jsonText, jsonWarnings } from '../../views/json/index.ts';
import type { Json } from '../../views/json/json-record.ts';
import { jsonFacets, jsonHit, jsonHitGroup } from '../../views/json/json-search.ts';
import { printableLine } from '../../views/text/printable.ts';
import { moreElsewhere } from '../archived-elsewhere.ts';
import { openSearch } from '../open-search.ts';
import { addRangeOptions, addRootOption, openHistory, type RootOptions, readCount } from '../options.ts';
import type { ListOptions } from '../output.ts';
import { countMessages, countSessions } from '../search/count-found.ts';
import { drawFlat, drawGroup, snippetWidth } from '../search/draw-hit.ts';
import { groupHits } from '../search/group-hits.ts';
import { type QueryOptions, readWanted } from '../search/read-request.ts';
import { bold, dim, formatNumber } from '../table.ts';
import { tellMissing } from '../unread.ts';

interface Options extends RootOptions, ListOptions, QueryOptions {
  readonly limit?: number;
  readonly group?: 'session' | 'none';
  readonly facets?: boolean;
}

const LIMIT = 20;
/** So many messages of a session where sessions are listed. */
const BEST = 3;

export function define(command: Command): void {
  addRangeOptions(addRootOption(command))
    // `-word` leaves out what has the word.
    .allowUnknownOption()
    .argument('[query...]', 'what to look for; on a terminal without it: search while typing')
    .option('-p, --project <name>', 'only projects with this in their name or path')
    .addOption(new Option('--type <type>', 'only messages of this type').choices(TYPES))
    .option('--tool <name>', 'only calls and results of tools with this in their name')
    .option('--model <name>', 'only answers of models with this in their name')
    .option('--file <file>', 'only calls that read or change this file')
    .option('--branch <name>', 'only on this branch')
    .option('--agent <name>', 'only of this agent: claude-code, pi')
    .option('--session <session>', 'only in this session')
    .addOption(
      new Option('--is <what>', 'only errors, or what sub-agents said').choices(['error', 'sidechain', 'subagent']),
    )
    .addOption(new Option('--has <what>', 'only messages with an image').choices(['image']))
    .option('--substring', 'look for the text as it stands, ignoring case')
    .option('--regex', 'look for a regular expression')
    .option('--facets', 'how many of the hits are in each project, type, tool, model')
    .addOption(new Option('--group <how>', 'by session, or not at all').choices(['session', 'none']))
    .option(
      '--limit <count>',
      `so many messages at most, with --group session so many sessions (default: ${LIMIT})`,
      readCount,
    )
    .option('--json', 'as JSON')
    .option('--jsonl', 'as JSON, one message per line')
    .addHelpText('after', HELP)
    .action((words: readonly string[], options: Options) => run(queryOf(words), options));
}

const TYPES = ['user', 'assistant', 'tool_use', 'tool_result', 'tool'];

const HELP = `
A query has words that must all be there. "phrase"  prefix*  a OR b  -not  (groups)
  project:  session:  agent:  type:  tool:  model:  file:  branch:  after:  before:
  is:error  is:subagent  is:sidechain  has:image
Case and accents do not count. Words with signs in them are looked for as they stand:
parse_zebra  src/a.ts  node:fs. The best of the newest 1,000 hits come first.

Examples:
  skein search clock format
  skein search '"cannot read" -test tool:Bash is:error'
  skein search 'parseZebra after:"2 weeks ago"'
  skein search 'file:src/clock.ts type:tool_use'
  skein search --substring '=> {' --tool Edit
  skein search --regex 'TS\\d{4}' -p app
  skein search zebra --json | jq -r '.items[].session_id'`;

/** What begins with two dashes and is no option is a slip, unless `--` says that it is text. */
function queryOf(words: readonly string[]): string {
  const unknown = process.argv.includes('--') ? undefined : words.find((word) => /^--\w/.test(word));
  if (unknown !== undefined)
    throw new SkeinError('bad_input', `unknown option '${unknown}'; to look for it: skein search -- ${unknown}`);
  return words.join(' ');
}

async function run(query: string, options: Options): Promise<void> {
  const isJson = options.json || options.jsonl;
  if (query === '' && !isJson && process.stdin.isTTY && process.stderr.isTTY) return searchWhileTyping(options);
  const wanted = readWanted(query, options);
  if (!wanted)
    throw new SkeinError(
      'bad_input',
      'What to look for? Give a word: skein search WORD ("skein search --help" says more)',
    );
  const history = openHistory(options);
  const search = await openSearch(history, options);
  const facets = options.facets ?? false;
  const limit = options.limit ?? LIMIT;
  const isGrouped = options.group === 'session';
  const found = await search.search({
    ...wanted,
    facets,
    exact: true,
    // How many messages it takes for so many sessions is not known.
    limit: isGrouped ? RANKED : limit,
    ...(!isJson && { snippet: snippetWidth() }),
  });
  for (const { message } of found.problems) tellMissing(message);
  const groups = groupHits(found.hits);
  const shown = isGrouped ? groups.slice(0, limit) : groups;
  if (isJson) {
    const { root } = options;
    const items = isGrouped
      ? shown.map((group) => jsonHitGroup(group, root))
      : found.hits.map((hit) => jsonHit(hit, root));
    return writeJson(found, items, options);
  }
  if (found.total === 0) throw new SkeinError('not_found', nothing(query, history.looked));
  const most = isGrouped ? BEST : RANKED;
  const hits =
    options.group === 'none'
      ? found.hits.map((hit) => drawFlat(hit, options))
      : shown.map((group) => drawGroup(group, most, options));
  const count = isGrouped ? countSessions(found, groups.length, limit) : countMessages(found, limit);
  print(`${hits.join('\n\n')}\n\n${found.facets ? `${drawFacets(found.facets)}\n\n` : ''}${dim(count)}\n`);
}

async function searchWhileTyping(options: Options): Promise<void> {
  const search = await openSearch(openHistory(options), options, { isInteractive: true });
  const { searchOnScreen } = await import('../search/search-screen.ts');
  const hit = await searchOnScreen(search, (query) => readWanted(query, options, { isTyping: true }));
  if (hit) await (await import('../search/open-hit.ts')).openHit(hit, options);
}

const nothing = (query: string, looked: readonly string[]): string =>
  `Nothing found${query === '' ? '' : ` for ${printableLine(query)}`} in ${looked.join(', ')}${moreElsewhere(looked)}`;

function writeJson(found: Found, items: readonly Json[], { jsonl }: Options): void {
  if (found.total === 0) process.exitCode = 1;
  if (jsonl) {
    for (const item of items) print(`${jsonText(item)}\n`);
    return;
  }
  const whole = {
    items,
    total: found.total,
    total_capped: found.isCapped,
    ...(found.facets ? { facets: jsonFacets(found.facets) } : {}),
    ...jsonWarnings(found.problems),
  };
  print(`${jsonText(whole)}\n`);
}

const SHOWN = 8;

function drawFacets(facets: Facets): string {
  const rows = (['project', 'type', 'tool', 'model'] as const).flatMap((name) => {
    const values = facets[name]
      .slice(0, SHOWN)
      .map(({ value, count }) => `${printableLine(value)} ${dim(formatNumber(count))}`);
    const rest = facets[name].length > SHOWN ? [`… ${facets[name].length - SHOWN} more`] : [];
    return values.length > 0 ? [`${bold(name.padEnd(8))} ${[...values, ...rest].join('  ')}`] : [];
  });
  return rows.join('\n');
}
