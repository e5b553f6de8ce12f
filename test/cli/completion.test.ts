import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandSpec, completionScript, type Shell } from '../../src/cli/completion.ts';
import { hasProgram, hasTmux, openTerminal, type Terminal } from '../kit/tmux.ts';

const HOSTILE = `it's "odd" $(touch pwned) \`touch pwned\` [x] a:b \\ %F{red} {a,b} *`;

const SPECS: readonly CommandSpec[] = [
  { name: '', summary: '', options: [{ flags: '--root <dir>', description: 'read this folder' }] },
  {
    name: 'show',
    summary: `one session: ${HOSTILE}`,
    argument: 'session',
    options: [
      { flags: '--as <form>', description: `which form: ${HOSTILE}`, choices: ['text', 'markdown', 'html'] },
      { flags: '-o, --output <file>', description: 'write it into a file' },
      { flags: '--root <dir>', description: 'read this folder' },
      { flags: '--thread <thread-id>', description: 'another thread' },
      { flags: '--verbose', description: 'more' },
    ],
  },
  { name: 'check', summary: 'every oddity', argument: 'file', options: [] },
  { name: 'projects', summary: 'what is there', options: [{ flags: '--json', description: 'as JSON' }] },
];

/** Answers as the hidden command does; the last id must never reach a command line. */
const FAKE = `#!/bin/sh
[ "$1 $2" = "__complete sessions" ] || exit 2
{ printf '%s\\t%s\\n' 29ccd257 'Fix the red test' 29aa1111 "$TITLE" 41ff0000 Third '77$(touch pwned)' bad; } | grep "^$3"
`;

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'skein-completion-'));
  for (const folder of ['bin', 'here/some folder']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'here/own log.jsonl'), '');
  writeFileSync(join(home, 'bin/skein'), FAKE);
  chmodSync(join(home, 'bin/skein'), 0o755);
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    writeFileSync(join(home, `skein.${shell}`), completionScript(shell, SPECS));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const environment = (): Record<string, string> => ({
  PATH: `${join(home, 'bin')}:${process.env.PATH}`,
  HOME: home,
  TITLE: HOSTILE,
  LANG: 'C.UTF-8',
});

function run(program: string, args: readonly string[]): string {
  const cwd = join(home, 'here');
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', cwd, env: environment() });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(cwd)).not.toContain('pwned');
  return stdout;
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('bash', () => {
  const TAB = 9;
  const LIST = 63;
  const DRIVER = `source "$1"; COMP_TYPE=$2; shift 2
compopt() { printf 'compopt %s\\n' "$*"; }
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _skein; printf '%s\\n' "\${COMPREPLY[@]}"`;

  /** What bash is told for a command line of these words, the last one being typed. */
  const complete = (words: readonly string[], type = TAB): string[] =>
    lines(run('bash', ['--norc', '-c', DRIVER, 'bash', join(home, 'skein.bash'), `${type}`, 'skein', ...words]));

  test.each([
    ['names of commands', [''], ['show', 'check', 'projects']],
    ['one by its beginning', ['sh'], ['show']],
    ['options of skein alone', ['--'], ['--root', '--help']],
    ['options of the command', ['projects', '-'], ['--json', '-h', '--help']],
    ['nothing where nothing is taken', ['projects', ''], []],
    ['nothing for an unknown command', ['nothing', ''], []],
    ['choices', ['show', '--as', 'm'], ['markdown']],
    ['choices after =', ['show', '--as', '=', 'h'], ['html']],
    ['all choices after =', ['show', '--as', '='], ['text', 'markdown', 'html']],
    ['nothing for a value nobody knows', ['show', '--thread', ''], []],
    ['folders', ['show', '--root', ''], ['compopt -o dirnames']],
    ['files', ['show', '-o', ''], ['compopt -o default']],
    ['files as argument', ['check', ''], ['compopt -o default']],
    ['session ids, in their order', ['show', '2'], ['compopt -o nosort', '29ccd257', '29aa1111']],
    ['session ids after options', ['show', '--verbose', '--as', 'text', '29c'], ['compopt -o nosort', '29ccd257']],
    ['session ids after =', ['show', '--as', '=', 'text', '29c'], ['compopt -o nosort', '29ccd257']],
    ['no second session', ['show', '29ccd257', ''], []],
    ['a path where a session may stand', ['show', './'], ['compopt -o default']],
    ['no id that bash could run', ['show', '77'], ['compopt -o default']],
  ])('P3 completes %s', (_what, words, expected) => {
    expect(complete(words)).toEqual(expected);
  });

  test('P6 titles are listed as they are, and not with a single id', () => {
    expect(complete(['show', '29'], LIST)).toEqual([
      'compopt -o nosort',
      '29ccd257  Fix the red test',
      `29aa1111  ${HOSTILE}`.slice(0, 78),
    ]);
    expect(complete(['show', '41'], LIST)).toEqual(['compopt -o nosort', '41ff0000']);
  });
});

const zshHere = hasProgram('zsh');
const fishHere = hasProgram('fish');

describe('syntax', () => {
  const here: Readonly<Record<Shell, boolean>> = { bash: true, zsh: zshHere, fish: fishHere };
  for (const [shell, is] of Object.entries(here))
    test.skipIf(!is)(`P3 ${shell} reads its script${is ? '' : ` (skipped: ${shell} is not installed)`}`, () => {
      expect(run(shell, ['-n', join(home, `skein.${shell}`)])).toBe('');
    });
});

describe.skipIf(!fishHere)(`fish${fishHere ? '' : ' (skipped: fish is not installed)'}`, () => {
  const complete = (line: string): string[] =>
    lines(run('fish', ['--no-config', '-c', `source ${join(home, 'skein.fish')}; complete -C '${line}'`]));

  test.each([
    ['skein ', ['check\tevery oddity', 'projects\twhat is there', `show\tone session: ${HOSTILE}`]],
    ['skein --r', ['--root\tread this folder']],
    ['skein projects --', ['--help\thow to use it', '--json\tas JSON']],
    ['skein projects ', []],
    ['skein show --as h', [`html\twhich form: ${HOSTILE}`]],
    ['skein show --as=h', [`--as=html\twhich form: ${HOSTILE}`]],
    ['skein show --root ', ['some folder/\tDirectory']],
    ['skein show -o own', ['own log.jsonl']],
    ['skein check own', ['own log.jsonl']],
    ['skein show 2', ['29ccd257\tFix the red test', `29aa1111\t${HOSTILE}`]],
    ['skein show --as text --verbose 29c', ['29ccd257\tFix the red test']],
    ['skein show 29ccd257 ', []],
    ['skein show own', ['own log.jsonl']],
    ['skein show 77', []],
  ])('P3 completes "%s"', (line, expected) => expect(complete(line)).toEqual(expected));
});

const zshSkipped = zshHere ? (hasTmux ? '' : ' (skipped: tmux is not installed)') : ' (skipped: zsh is not installed)';
describe.skipIf(zshSkipped !== '')(`zsh${zshSkipped}`, () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = openTerminal(['zsh', '-f', '-i'], { cwd: join(home, 'here'), columns: 120, env: environment() });
    terminal.type(`PS1='> '; autoload -Uz compinit; compinit -u -D; source ${join(home, 'skein.zsh')}; echo rea''dy`);
    terminal.press('Enter');
    await terminal.shows(/^ready$/m);
  });
  afterAll(() => terminal.close());

  test.each([
    ['skein ', /^show +-- one session: (.*)$/m, HOSTILE],
    ['skein show --', /^--as +-- which form: (.*)$/m, HOSTILE],
    ['skein show --as ', /^html +markdown +(text)$/m, 'text'],
    ['skein show --as=h', /^> (.*=html)/m, 'skein show --as=html'],
    ['skein show 29', /^29ccd257 {2}Fix the red test\n29aa1111 {2}(.*)$/m, HOSTILE],
    ['skein show 29c', /^> (.* 29ccd257)/m, 'skein show 29ccd257'],
    ['skein show ./o', /^> (.*jsonl)/m, 'skein show ./own\\ log.jsonl'],
    ['skein show --root s', /^> (.*)\/$/m, 'skein show --root some\\ folder'],
    ['skein check o', /^> (.*jsonl)/m, 'skein check own\\ log.jsonl'],
  ])('P3 completes "%s"', async (line, wanted, expected) => {
    terminal.press('C-u', 'C-l');
    terminal.type(line);
    await terminal.shows(new RegExp(`^> ${line.trimEnd()}$`, 'm'));
    terminal.press('Tab');
    expect(wanted.exec(await terminal.shows(wanted))?.[1]).toBe(expected);
    expect(readdirSync(join(home, 'here'))).not.toContain('pwned');
  });
});

test('a name that is not plain is a mistake of ours', () => {
  expect(() => completionScript('bash', [{ name: 'a b', summary: '', options: [] }])).toThrow('Not a plain word');
});
