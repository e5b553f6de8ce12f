import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import type { DigestedRoot } from './roots.ts';

/** What was asked, and a digest of the answer. */
export type Digests = Record<string, string>;

const LISTS = [
  'projects',
  'sessions --all-threads',
  'stats --by session',
  'stats --by day',
  'stats --by model --breakdown',
  'stats --by project',
  'check',
  'search x',
  'search is:error',
];
const FORMS = ['html', 'markdown', 'json'];
const SHOWN = ['text', 'text --verbose', 'json --verbose', 'chat', 'outline', 'messages'];
const BIN = resolve('bin/skein.cjs');

/** Asks the program whatever can be asked about a root; `everySession`: also for each of its sessions. */
export async function digestRoot(
  { name, path }: DigestedRoot,
  folder: string,
  { everySession = false }: { readonly everySession?: boolean } = {},
): Promise<Digests> {
  const digests: Digests = {};
  const home = join(folder, name.replace(/\W/g, '-'));
  const env = { PATH: process.env.PATH ?? '', HOME: home, SKEIN_HOME: join(home, 'data'), TZ: 'UTC' };
  const plain = (text: string): string =>
    text
      .replaceAll(path, 'ROOT')
      .replaceAll(home, 'HOME')
      .replaceAll(BIN, 'skein')
      .replaceAll(basename(folder), 'TEMP');
  const ask = (args: readonly string[]): Promise<string> =>
    new Promise((done) => {
      execFile(process.execPath, [BIN, ...args, '--root', path], { env, maxBuffer: 1 << 28 }, (error, out, err) =>
        done(`${error?.code ?? 0}\n${plain(out)}\n${plain(err)}`),
      );
    });
  const keep = async (what: string, args: readonly string[]): Promise<void> => {
    digests[`${name}: ${what}`] = digestOf(await ask(args));
  };
  const lists = (when: string) => LISTS.map((line) => () => keep(`${line}${when}`, [...line.split(' '), '--json']));
  await inTurn(lists(''));
  await inTurn(
    FORMS.map((form) => async () => {
      const pages = join(home, form);
      await ask(['export', '--all', '--as', form, '-o', pages]);
      digests[`${name}: export --as ${form}`] = digestOf(plain(readFolder(pages)));
    }),
  );
  if (everySession)
    await inTurn(
      (await sessionsIn(ask)).flatMap((id) => questionsAbout(id).map((args) => () => keep(args.join(' '), args))),
    );
  await ask(['index']);
  digests[`${name}: index`] = await digestOf(plain(await rowsOf(join(home, 'data', 'index.db'))));
  await inTurn(lists(', from the index'));
  return digests;
}

const questionsAbout = (id: string): string[][] => [
  ...SHOWN.map((form) => ['show', id, '--as', ...form.split(' ')]),
  ['context', id, '--json'],
  ['threads', id, '--json'],
  ['tree', id, '--json'],
];

async function sessionsIn(ask: (args: readonly string[]) => Promise<string>): Promise<string[]> {
  const lines = (await ask(['sessions', '--jsonl'])).split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line).session_id);
}

/** Its rows name files by their whole place. */
async function rowsOf(path: string): Promise<string> {
  const store = SqliteIndex.openToRead(path);
  if (!store) return 'none';
  const sessions = (await store.sessions()).map(({ tree: _tree, ...session }) => session);
  await store.close();
  return JSON.stringify(sessions, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/** What an export wrote, but for its own notes of when. */
const readFolder = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file.slice(folder.length)}\n${readFileSync(file, 'utf8')}`)
    .join('\n');

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A few at a time. */
async function inTurn(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = left.shift(); job; job = left.shift()) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}
