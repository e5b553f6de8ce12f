import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands, home as homeCommand } from '../../src/cli/commands/index.ts';
import { BIN, openHome } from '../kit/home.ts';
import { ACTS, EVIL_NAME, writeHostile } from '../kit/hostile.ts';
import { hasProgram } from '../kit/tmux.ts';

type Line = readonly string[];

const words = (...lines: readonly string[]): Line[] => lines.map((line) => (line === '' ? [] : line.split(' ')));
const each = (before: string, values: string, after = ''): Line[] =>
  words(...values.split(' ').map((value) => `${before} ${value} ${after}`.trim()));
const SESSIONS = 'c0d c0t p0s c1c p1b c2d'.split(' ');
const ofEach = (before: string, after = ''): Line[] =>
  SESSIONS.map((id) => `${before} ${id} ${after}`.trim().split(' '));
/** What a person may type, or paste. */
const typed = (...lines: readonly string[]): Line[] =>
  words(...lines).map((line) => line.map((word) => word.replace('EVIL', `evil${EVIL_NAME}`)));

/** Every form of every command, in the order in which they are run. A new command or option needs a line. */
const LINES: Readonly<Record<string, readonly Line[]>> = {
  status: [...words('status', 'status --json'), ...typed('status --root EVIL')],
  projects: [...words('projects', 'projects --json', 'projects --jsonl'), ...typed('projects --root EVIL')],
  sessions: [
    ...words('sessions --all-threads --full-ids', 'sessions --json', 'sessions --jsonl --all-threads --limit 3'),
    ...words(
      'sessions --on 2026',
      'sessions --prices no.json',
      'sessions --since 2020-01-01 --until 2030-01-01',
      'sessions -p r0',
    ),
    ...typed(
      'sessions -p EVIL',
      'sessions --on EVIL',
      'sessions --since EVIL',
      'sessions --limit EVIL',
      'sessions --root EVIL',
    ),
  ],
  search: [
    ...words('search the', 'search the --json', 'search the --jsonl', 'search the --facets', 'search th.s --regex'),
    ...words('search --has image', 'search the --substring'),
    ...each('search --is', 'error sidechain subagent'),
    ...each('search the --type', 'user assistant tool_use tool_result tool'),
    ...words('search the --session c0d', 'search the --branch main', 'search the --agent pi', 'search --tool Bash'),
    ...each('search the --group', 'session none'),
    ...words('search --file a', 'search --model claude', 'search the -p r0', 'search the --limit 2 --offset 1'),
    ...words('search the --since 2020-01-01 --until 2030-01-01', 'search the --on 2026', 'search the -p r1'),
    ...typed(
      'search EVIL',
      'search EVIL --regex',
      'search the -p EVIL',
      'search the --type EVIL',
      'search ( --root EVIL',
    ),
  ],
  show: [
    ...each('show c0d --as', 'text json chat html markdown messages outline context jsonl'),
    ...ofEach('show', '--verbose'),
    ...ofEach('show', '--file-order --verbose'),
    ...ofEach('show', '--json'),
    ...ofEach('show', '--as html'),
    ...ofEach('show', '--as markdown'),
    ...ofEach('show', '--as chat --text'),
    ...words(
      'show c0d --no-pager',
      'show c0d --redact',
      'show c0d --agent a5c',
      'show c0d --thread zzz',
      'show c0d --at zzz',
    ),
    ...words('show c0 ', 'show c0d --follow', 'show gone', 'show bad0 --file-order', 'show c0d --prices none.json'),
    ...typed(
      'show EVIL',
      'show c0d --as EVIL',
      'show c0d --agent EVIL',
      'show c0d --at EVIL',
      'show c0d --prices EVIL',
    ),
    ...typed('show c0d -o EVIL', 'show c0d -o no/EVIL', 'show c0d --root EVIL', 'show c0d --EVIL', 'show EVIL.jsonl'),
  ],
  file: [
    ...words('file a', 'file a --json', 'file a --jsonl --limit 1', 'file a --on 2026'),
    ...typed('file EVIL', 'file a --root EVIL'),
  ],
  threads: [
    ...ofEach('threads'),
    ...words('threads c0d --json', 'threads c0d --jsonl', 'threads c0d --full-ids'),
    ...typed('threads EVIL', 'threads c0 --root EVIL'),
  ],
  tree: [
    ...ofEach('tree'),
    ...words(
      'tree c0d --json',
      'tree c0d --jsonl',
      'tree c0d --search the',
      'tree c0d --branch',
      'tree c0d --thread zz',
    ),
    ...each('tree p0b --filter', 'default no-tools user-only labeled-only all'),
    ...typed('tree EVIL', 'tree c0d --search EVIL', 'tree c0d --filter EVIL', 'tree c0d --root EVIL'),
  ],
  label: [
    ...typed('label p0s e1 EVIL', 'label c0d zzzz EVIL', 'label EVIL e1 x', 'label c0d d EVIL', 'label c0 --root EVIL'),
    ...words('label', 'label p0s', 'label --json', 'label --jsonl', 'label p0s e3 --clear'),
  ],
  branch: [
    ...words('branch c0d --to pi', 'branch p0b --json', 'branch c0t --at zzzz'),
    ...typed(
      'branch c0d -o EVIL',
      'branch c0d -o EVIL',
      'branch EVIL',
      'branch c0d --to EVIL',
      'branch c0d --root EVIL',
    ),
  ],
  resume: [
    ...ofEach('resume'),
    ...ofEach('resume', '--json'),
    ...words('resume gone', 'resume c0d --thread zz'),
    ...typed('resume EVIL', 'resume c --root EVIL'),
  ],
  context: [
    ...ofEach('context'),
    ...words('context c0d --json', 'context c0d --at zz', 'context c0d --thread zz', 'context c0d --prices no.json'),
    ...typed('context EVIL', 'context c --root EVIL'),
  ],
  stats: [
    ...each('stats --by', 'day week month model project session agent'),
    ...each('stats --csv --by', 'day model project session'),
    ...words(
      'stats --json --breakdown',
      'stats --by session --json',
      'stats --by model --breakdown',
      'stats -p r0',
      'stats --on 2026',
      'stats --since 2020-01-01 --until 2030-01-01',
    ),
    ...typed('stats --by EVIL', 'stats -p EVIL', 'stats --prices EVIL', 'stats --root EVIL'),
  ],
  check: [
    ...words('check', 'check --json'),
    ...ofEach('check'),
    ...ofEach('check', '--json'),
    ...typed('check EVIL', 'check --root EVIL'),
  ],
  export: [
    ...words(
      'export c0d -o one',
      'export --all -o all --as json',
      'export --all -o red --redact --as markdown --verbose',
      'export -p r1 -o r1 --as html',
      'export --all -o r1 --prices no.json',
    ),
    ...typed(
      'export c0d -o EVIL',
      'export --all -o EVIL/EVIL',
      'export EVIL -o x',
      'export --all -o x --root EVIL',
      'export -p EVIL -o x',
    ),
  ],
  index: [
    ...words(
      'index',
      'index --forgotten-lost',
      'index --verify --json',
      'index --json',
      'index --watch',
      'index --watch --json',
    ),
    ...typed('index --root EVIL'),
  ],
  restore: [
    ...words(
      'restore c0d -o back',
      'restore c0d -o back',
      'restore c0d -o back --force --older',
      'restore -p r1 -o back',
    ),
    ...typed(
      'restore c0t -o EVIL',
      'restore EVIL -o back',
      'restore -p EVIL -o back',
      'restore c0d -o back --root EVIL',
    ),
  ],
  settings: [
    ...words('settings', 'settings --json', 'settings fullText on', 'settings fullText --clear'),
    ...typed('settings EVIL', 'settings fullText EVIL'),
  ],
  completion: [...each('completion', 'bash zsh fish'), ...typed('completion EVIL')],
  __complete: [
    ...words('__complete sessions', '__complete sessions c0'),
    ...typed('__complete EVIL EVIL', '__complete sessions c --root EVIL'),
  ],
  forget: [
    ...words('forget c1d', 'forget c1d --yes', 'forget gone --yes', 'forget -p r2 --yes', 'forget p0s --yes'),
    ...typed('forget EVIL --yes', 'forget -p EVIL --yes', 'forget c1 --yes --root EVIL'),
  ],
  '': [
    ...words('', '--no-open', '--help', '--version', 'help', 'help show', 'help nothing'),
    ...typed('EVIL', '--EVIL', 'help EVIL', '--no-open --root EVIL'),
  ],
};
const HELP = commands.map(({ name }): Line => [name, '--help']);
/** What was not found once is not found again. */
const isFound = (line: Line): boolean => !line.some((word) => word.includes('evil'));
/** After an index there is another way to answer. */
const AGAIN = ['projects', 'sessions', 'search', 'stats', 'status', 'restore', 'forget', ''];
const ALL: readonly Line[] = [
  ...Object.values(LINES).flat(),
  ...HELP,
  ...AGAIN.flatMap((name) => (LINES[name] ?? []).filter(isFound)),
];

const home = openHome();
const env = { ...home.env, SKEIN_HOME: join(home.path, `data${EVIL_NAME}`), XDG_CACHE_HOME: join(home.path, 'cache') };
beforeAll(() => writeHostile(home));
afterAll(() => home.remove());

describe('attack B2: the lines of this test', () => {
  test('every command has one', () => {
    expect(Object.keys(LINES).sort()).toEqual([...commands.map(({ name }) => name), ''].sort());
  });

  test.each(['', ...commands.map(({ name }) => name)])(
    'every option of "skein %s" is in one, with each of its values',
    async (name) => {
      const load = commands.find((command) => command.name === name)?.load ?? homeCommand;
      const command = new Command(name);
      (await load()).define(command);
      const used = (LINES[name] ?? []).map((line) => ` ${line.join(' ')} `);
      const wanted = command.options.flatMap((option) => {
        const names = [option.long, option.short].filter((each) => each !== undefined);
        const values = option.argChoices ?? [''];
        return values.map((value) => names.map((each) => ` ${each}${value === '' ? '' : ` ${value}`} `));
      });
      expect(wanted.filter((forms) => !forms.some((form) => used.some((line) => line.includes(form))))).toEqual([]);
    },
  );
});

const STAYS = /--follow|--watch/;
const MINUTES = 10 * 60_000;

/** Everything that came out of a pipe: what was asked for, and what was said beside it. */
function run(line: Line): Promise<readonly [string, string]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...line], { cwd: home.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said: readonly [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk) => said[0].push(chunk));
    child.stderr.on('data', (chunk) => said[1].push(chunk));
    if (STAYS.test(line.join(' '))) setTimeout(() => child.kill('SIGTERM'), 1500);
    child.on('close', () => resolve([`${Buffer.concat(said[0])}`, `${Buffer.concat(said[1])}`]));
  });
}

/** Where something acts, with what stands around it. */
function actsIn(line: Line, text: string): string[] {
  const found = ACTS.exec(text);
  if (!found) return [];
  return [`skein ${line.join(' ')}: ${JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 20))}`];
}

test(
  'attack B2: nothing that acts comes out of a pipe, whatever the command and the field',
  async () => {
    const found: string[] = [];
    let bytes = 0;
    for (const line of ALL) {
      const [out, err] = await run(line);
      bytes += out.length;
      found.push(...actsIn(line, out), ...actsIn(line, err));
      // JSON says what the log says; only of labels a terminal's part is left out when they are given.
      const isExact = line.some((word) => word.startsWith('--json')) && !['label', 'tree'].includes(line[0] ?? '');
      if (isExact && /[\u2400-\u2421]/.test(out))
        found.push(`skein ${line.join(' ')}: a picture instead of the character`);
    }
    expect(found).toEqual([]);
    expect(bytes).toBeGreaterThan(1_000_000);
  },
  MINUTES,
);

test.each(['text', 'json', 'chat', 'html', 'markdown', 'messages', 'outline'])(
  'attack B2: a pipe is given what -o writes to a file: %s',
  async (form) => {
    const [out] = await run(['show', 'c0d', '--as', form]);
    await run(['show', 'c0d', '--as', form, '-o', `written.${form}`]);
    expect(out === readFileSync(join(home.path, `written.${form}`), 'utf8')).toBe(true);
    expect(out.length).toBeGreaterThan(1000);
  },
);

const SHELL_WORD = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
const END = '@@ end of a line @@';

const hasScript = hasProgram('script');
describe.skipIf(!hasScript)(
  `attack B2: on a terminal${hasScript ? '' : ' (skipped: there is no program "script")'}`,
  () => {
    /** What each line sends to a terminal. */
    const runAll = (lines: readonly Line[], more: Readonly<Record<string, string>>): string[] => {
      const command = (line: Line): string =>
        `${STAYS.test(line.join(' ')) ? 'timeout 2 ' : ''}"$NODE" "$BIN" ${line.map(SHELL_WORD).join(' ')} </dev/null; echo '${END}'`;
      const file = join(home.path, 'lines.sh');
      writeFileSync(file, `stty cols 120 rows 40\n${lines.map((line) => `${command(line)}\n`).join('')}`);
      const { stdout } = spawnSync('script', ['-qec', `sh ${file}`, '/dev/null'], {
        cwd: home.path,
        env: { ...env, NODE: process.execPath, BIN, TERM: 'xterm-256color', LANG: 'C.UTF-8', PAGER: 'cat -u', ...more },
        input: '',
        maxBuffer: 1 << 30,
      });
      return stdout.toString().replaceAll('\r\n', '\n').split(END);
    };
    /** Each form once: what they are told about is in the pipes above. */
    const SOME = Object.values(LINES).flatMap((lines) => lines.filter((_, i) => i % 4 === 0));
    /** A line of progress takes the place of the one before. */
    const PROGRESS = '\r\u001b[K';

    test(
      'nothing that acts is sent to it, and without colours no escape at all',
      () => {
        const said = runAll(SOME, { NO_COLOR: '1' });
        expect(said).toHaveLength(SOME.length + 1);
        expect(said.join('').length).toBeGreaterThan(100_000);
        const sent = said.map((text) => text.replaceAll(PROGRESS, ''));
        expect(SOME.flatMap((line, i) => actsIn(line, sent[i] ?? ''))).toEqual([]);
      },
      MINUTES,
    );

    test('colours are ours, and nothing else is sent', () => {
      const lines = words(
        '',
        'sessions',
        'search the --facets',
        'show c0d',
        'show c0t',
        'check',
        'stats',
        'context c0d',
      );
      const said = runAll(lines, {});
      const sent = said.map((text) => text.replaceAll(PROGRESS, '').replace(COLOR, ''));
      expect(said.join('')).toMatch(COLOR);
      expect(lines.flatMap((line, i) => actsIn(line, sent[i] ?? ''))).toEqual([]);
    });
  },
);

/** Bold, dim and seven colours, each with its end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOR = /\u001b\[(?:1|2|22|3[1-6]|39)m/g;
