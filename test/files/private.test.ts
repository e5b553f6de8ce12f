import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../../src/files/make-folder.ts';
import { SessionManager } from '../../src/journal/index.ts';
import { type Home, openHome } from '../kit/home.ts';
import { assistant as answer, user as prompt } from '../kit/journal.ts';
import { assistant, piHeader, user } from '../kit/transcript.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** What others may do to any of these files and folders, and those below. */
function openToOthers(...places: readonly string[]): string[] {
  const all = places.flatMap((place) => [
    place,
    ...(statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name))
      : []),
  ]);
  expect(all.length).toBeGreaterThan(0);
  return all.filter((path) => (statSync(path).mode & 0o077) !== 0).map((path) => `${modeOf(path)} ${path}`);
}

let before: number;
beforeEach(() => {
  before = process.umask(0);
});
afterEach(() => void process.umask(before));

describe('attack B5: sessions of the journal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'skein-private-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const VERSION_1 = `${JSON.stringify({ ...piHeader('S'), version: undefined })}\n${JSON.stringify({ type: 'message', message: prompt('go') })}\n`;
  const write = (mode: number): string => {
    const path = join(folder, 'old.jsonl');
    writeFileSync(path, VERSION_1);
    chmodSync(path, mode);
    return path;
  };

  test('a new session is its owner’s, with the folders that are made for it', () => {
    const session = SessionManager.create('/p', join(folder, 'a/b'));
    session.appendMessage(prompt('go'));
    session.createBranchedSession(session.getLeafId() ?? '');
    session.close();
    expect(openToOthers(join(folder, 'a'))).toEqual([]);
  });

  test.each([0o600, 0o640, 0o644])('a file that is written anew may be read by whom it was: mode %o', (mode) => {
    const path = write(mode);
    SessionManager.open(path).migrateFile();
    expect(readFileSync(path, 'utf8')).toContain('"version":3');
    expect(modeOf(path)).toBe(mode.toString(8));
  });

  test('so does the first append to a file of version 1', () => {
    const path = write(0o600);
    const session = SessionManager.open(path);
    session.appendMessage(answer('done'));
    session.close();
    expect(modeOf(path)).toBe('600');
  });

  test('where a link leads to a file, that file is written anew, and the link stays', () => {
    const path = write(0o600);
    const link = join(folder, 'link.jsonl');
    symlinkSync('old.jsonl', link);
    const session = SessionManager.open(link);
    session.appendMessage(answer('done'));
    session.close();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toMatch(/"version":3[\s\S]*"done"/);
    expect(readdirSync(folder).sort()).toEqual(['link.jsonl', 'old.jsonl']);
  });

  test('a file that was deleted behind a link comes back where it was', () => {
    const path = join(folder, 'target.jsonl');
    const link = join(folder, 'link.jsonl');
    writeFileSync(path, `${JSON.stringify(piHeader('S'))}\n`);
    symlinkSync(path, link);
    const session = SessionManager.open(link);
    session.appendMessage(prompt('one'));
    session.close();
    rmSync(path);
    session.appendMessage(prompt('two'));
    session.close();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toMatch(/"one"[\s\S]*"two"/);
    expect(modeOf(path)).toBe('600');
  });
});

describe('attack B5: what the program writes', () => {
  let home: Home;
  beforeAll(() => {
    home = openHome();
    const log = home.write('.claude/projects/-p/aaaa1111.jsonl', [
      user('u1', null, 'go', { cwd: '/p' }),
      assistant('a1', 'u1', 'done'),
    ]);
    chmodSync(log, 0o600);
  });
  afterAll(() => home.remove());

  test.each([
    ['the data folder', ['index'], 'data'],
    ['labels and settings', ['label', 'aaaa', 'u1', 'here'], 'data'],
    ['the pages', ['--no-open'], 'data'],
    ['an export', ['export', '--all', '-o', 'pages'], 'pages'],
    ['a file to write to', ['show', 'aaaa', '-o', 'out.txt'], 'out.txt'],
    ['what is restored', ['restore', 'aaaa', '-o', 'a/back'], 'a'],
    ['a branch for Pi', ['branch', 'aaaa', '--to', 'pi'], '.pi'],
  ])('only their owner may read them, whatever the umask: %s', (_, args, place) => {
    const { code, err } = home.skein(args, { SKEIN_HOME: join(home.path, 'data') });
    expect([code, err]).toEqual([0, expect.anything()]);
    expect(openToOthers(join(home.path, place))).toEqual([]);
  });
});

describe('attack D6: a folder that cannot be made', () => {
  test.runIf(process.platform === 'linux')('is said, below /proc too', () => {
    expect(() => makeFolder('/proc/skein/a/b')).toThrow('ENOENT');
  });

  test.runIf(process.platform === 'linux')('is said by the commands that write', () => {
    const home = openHome();
    home.write('.claude/projects/-p/aaaa1111.jsonl', [user('u1', null, 'go')]);
    const said = ['index', 'settings fullText on', 'label aaaa u1 x', 'export --all -o /proc/skein/x'].map((line) =>
      home.skein(line.split(' '), { SKEIN_HOME: '/proc/skein' }),
    );
    home.remove();
    expect(said.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(said.map(({ err }) => /\/proc\/skein\S* (?:may not|cannot) be written/.test(err))).toEqual(
      said.map(() => true),
    );
  });

  test('is no link to nowhere and no file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'skein-folder-'));
    symlinkSync('nowhere', join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'link'))).toThrow('EEXIST');
    expect(() => makeFolder(join(folder, 'file/below'))).toThrow('EEXIST');
    rmSync(folder, { recursive: true });
  });
});

test.runIf(process.platform === 'linux')('attack D6: too few open files are said to be too few', () => {
  const home = openHome();
  home.write('.claude/projects/-p/aaaa1111.jsonl', [user('u1', null, 'go')]);
  const { out, err } = home.shell(`ulimit -n 26; "$NODE" "$BIN" index`);
  home.remove();
  expect(out + err).toMatch(/Too few files may be open at once here: 26\. Allow more \("ulimit -n 256"\)/);
  expect(err).not.toContain('unexpected error');
});
