import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  loadEntriesFromFile,
  migrateFile,
  migrateSessionEntries,
  parseSessionEntries,
  SessionManager,
} from '../../src/journal/index.ts';
import { assistant, Folder, HEADER, line, linesIn, textOf, user, wordOf } from '../kit/journal.ts';

const writes = vi.hoisted(() => ({ most: Number.POSITIVE_INFINITY, before: () => {}, fail: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (fd: number, data: string | Uint8Array, at = 0, length?: number) => {
    if (writes.fail) throw new Error('ENOSPC: no space left on device, write');
    const bytes = (typeof data === 'string' ? Buffer.from(data) : data).subarray(at, length && at + length);
    const part = bytes.subarray(0, Math.min(bytes.length, writes.most));
    const written = fs.writeSync(fd, part);
    const then = writes.before;
    writes.before = () => {};
    then();
    return written;
  };
  return { ...fs, writeSync, default: { ...fs, writeSync } };
});
afterEach(() => Object.assign(writes, { most: Number.POSITIVE_INFINITY, before: () => {}, fail: false }));

const folder = new Folder();
const { version: _version, ...V1 } = HEADER;
const read = (path: string) => readFileSync(path, 'utf8');
const words = (session: SessionManager) => session.buildSessionContext().messages.map(wordOf);
const types = (session: SessionManager) => session.getFindings().map(({ type }) => type);
const v1 = (text: string) => ({ type: 'message', timestamp: HEADER.timestamp, message: user(text) });

describe('J6: migrations', () => {
  const compaction = {
    type: 'compaction',
    timestamp: HEADER.timestamp,
    summary: 's',
    firstKeptEntryIndex: 3,
    tokensBefore: 9,
  };

  test('check 12: version 1 becomes a chain; the place that a compaction names, counted with the header, becomes an id', () => {
    const session = SessionManager.open(folder.file([V1, v1('1'), v1('2'), v1('3'), compaction]));
    const [one, two, three, last] = session.getEntries();
    expect([one, two, three, last].map((entry) => entry?.parentId)).toEqual([null, one?.id, two?.id, three?.id]);
    expect(last).toMatchObject({ firstKeptEntryId: three?.id });
    expect(last).not.toHaveProperty('firstKeptEntryIndex');
    expect(session.getHeader()?.version).toBe(3);
    expect(words(session)).toEqual(['compactionSummary:s', '3']);
  });

  test('check 13: version 2 keeps its ids; what hooks said, extensions say', () => {
    const hook = { role: 'hookMessage', customType: 'h', content: 'said', display: true, timestamp: 1 };
    const path = folder.file([{ ...HEADER, version: 2 }, line('e1', null, { message: hook })]);
    const session = SessionManager.open(path);
    expect(session.getEntry('e1')).toMatchObject({ message: { role: 'custom', content: 'said' } });
    session.appendMessage(user('2'));
    expect(linesIn(path)[1]).toMatchObject({ message: { role: 'hookMessage' } });
    expect(words(SessionManager.open(path))).toEqual(['said', '2']);
  });

  test('reading changes no byte; asked to, the file is written anew, and then there is nothing to do', () => {
    const path = folder.file([V1, v1('1'), v1('2'), compaction]);
    const before = read(path);
    const session = SessionManager.open(path);
    expect(read(path)).toBe(before);
    expect(session.migrateFile()).toBe(true);
    const after = read(path);
    expect(SessionManager.open(path).getEntries()).toEqual(session.getEntries());
    expect([session.migrateFile(), SessionManager.open(path).migrateFile(), read(path)]).toEqual([false, false, after]);
  });

  test('a list cannot hold a tree: the first append to version 1 writes the file anew', () => {
    const path = folder.file([V1, v1('1'), v1('2')]);
    const session = SessionManager.open(path);
    const [first] = session.getEntries();
    session.branch(first?.id ?? '');
    session.appendMessage(user('3'));
    session.appendMessage(user('4'));
    expect(words(SessionManager.open(path))).toEqual(['1', '3', '4']);
    expect(SessionManager.open(path).getEntries()).toEqual(session.getEntries());
  });

  test('lines that cannot be read are still there when the file is written anew', () => {
    const path = folder.file(`${textOf([V1, v1('1')])}half a li\n\n${textOf([v1('2')])}torn`);
    expect(SessionManager.open(path).migrateFile()).toBe(true);
    expect(read(path).split('\n')).toEqual([
      expect.any(String),
      expect.any(String),
      'half a li',
      '',
      expect.any(String),
      'torn',
      '',
    ]);
    expect(words(SessionManager.open(path))).toEqual(['1', '2']);
  });

  test('if the new file cannot be written, the old one is there and nothing else', () => {
    const dir = folder.dir();
    const path = join(dir, 'old.jsonl');
    writeFileSync(path, textOf([V1, v1('1')]));
    const before = read(path);
    const session = SessionManager.open(path);
    writes.fail = true;
    expect(() => session.migrateFile()).toThrow('ENOSPC');
    expect([read(path), readdirSync(dir)]).toEqual([before, ['old.jsonl']]);
  });

  test('a newer version is read as it is', () => {
    const path = folder.file([{ ...HEADER, version: 4 }, line('e1', null)]);
    expect(SessionManager.open(path).getHeader()?.version).toBe(4);
  });

  test('migrateSessionEntries works on entries from anywhere', () => {
    const entries = parseSessionEntries(textOf([V1, v1('1')]));
    migrateSessionEntries(entries);
    expect(entries).toMatchObject([{ version: 3 }, { id: expect.stringMatching(/^[0-9a-f]{8}$/), parentId: null }]);
  });
});

describe('J7: nothing is destroyed', () => {
  test('check 14: a torn tail is reported, and stays; the next entry begins on a line of its own', () => {
    const text = `${textOf([HEADER, line('e1', null)])}{"type":"message","id":"e2","par`;
    const path = folder.file(text);
    const session = SessionManager.open(path);
    expect([types(session), read(path)]).toEqual([['torn_last_line'], text]);
    session.appendMessage(user('2'));
    expect(read(path).startsWith(`${text}\n{`)).toBe(true);
    expect(words(SessionManager.open(path))).toEqual(['e1', '2']);
  });

  test('a last entry that only lacks its newline is an entry', () => {
    const path = folder.file(textOf([HEADER, line('e1', null)]).trimEnd());
    const session = SessionManager.open(path);
    expect(types(session)).toEqual([]);
    session.appendMessage(user('2'));
    expect(linesIn(path)).toHaveLength(3);
  });

  test.each([
    ['a bad first line', `{"type":"session","ver\n${textOf([line('e1', null), line('e2', 'e1')])}`],
    ['no header', textOf([line('e1', null), line('e2', 'e1')])],
    ['a header without id', textOf([{ type: 'session', version: 3 }, line('e1', null), line('e2', 'e1')])],
  ])('check 15: %s: the file can be read, not written', (_, text) => {
    const path = folder.file(text);
    const session = SessionManager.open(path);
    expect(words(session)).toEqual(['e1', 'e2']);
    expect([session.isWritable(), session.getHeader()]).toEqual([false, null]);
    expect(session.getFindings()).toContainEqual(expect.objectContaining({ type: 'missing_required_field', line: 1 }));
    expect(() => session.appendMessage(user('3'))).toThrow('can only be read');
    session.branch('e1');
    session.close();
    expect([read(path), words(session)]).toEqual([text, ['e1']]);
  });

  test('what is no session at all is read as nothing and left alone', () => {
    const path = folder.file('notes\nof mine\n');
    const session = SessionManager.open(path);
    expect([session.getEntries(), session.isWritable(), read(path)]).toEqual([[], false, 'notes\nof mine\n']);
    expect(loadEntriesFromFile(path)).toEqual([]);
  });

  test('bad lines, odd types and missing ids are reported with their line', () => {
    const path = folder.file(
      `${textOf([HEADER, line('e1', null)])}oops\n[1]\n${textOf([{ ...line('e2', 'e1'), type: 'dream' }, { type: 'message' }, line('e3', 'e2')])}`,
    );
    const session = SessionManager.open(path);
    expect(session.getFindings().map(({ type, line }) => [type, line])).toEqual([
      ['unparsable_line', 3],
      ['unparsable_line', 4],
      ['missing_required_field', 6],
      ['unknown_record_type', 5],
    ]);
    expect(words(session)).toEqual(['e1', 'e3']);
  });

  test('an empty file is begun; a file that is not there too', () => {
    const empty = folder.file('');
    const missing = join(folder.dir(), 'deep', 'new.jsonl');
    for (const path of [empty, missing]) {
      const session = SessionManager.open(path);
      session.appendMessage(user('1'));
      expect(linesIn(path).map(({ type }) => type)).toEqual(['session', 'message']);
    }
  });

  test('a byte order mark, CRLF and blank lines do no harm', () => {
    const path = folder.file(`\uFEFF${textOf([HEADER])}\r\n\n${textOf([line('e1', null)]).replace('\n', '\r\n')}`);
    const session = SessionManager.open(path);
    expect([words(session), types(session), session.isWritable()]).toEqual([['e1'], [], true]);
  });

  test('the title that oh-my-pi keeps before the header is no bad header', () => {
    const session = SessionManager.open(folder.file([{ type: 'title', v: 1, title: 't' }, HEADER, line('e1', null)]));
    expect([session.isWritable(), types(session)]).toEqual([true, []]);
  });

  test('lines longer than a chunk and wide characters are read whole', () => {
    const text = '😀é'.repeat(700_000);
    const session = SessionManager.open(
      folder.file([HEADER, line('e1', null, { message: user(text) }), line('e2', 'e1')]),
    );
    expect(words(session)).toEqual([text, 'e2']);
  });

  test('a write that stops short is completed', () => {
    const session = SessionManager.create('/p', folder.dir());
    writes.most = 7;
    session.appendMessage(user('1'));
    writes.most = Number.POSITIVE_INFINITY;
    session.appendMessage(user('2'));
    expect(linesIn(session.getSessionFile())).toHaveLength(3);
  });

  test('if somebody wrote after the part, the entry is written anew', () => {
    const path = folder.file([HEADER]);
    const session = SessionManager.open(path);
    writes.most = 7;
    writes.before = () => {
      writes.most = Number.POSITIVE_INFINITY;
      appendFileSync(path, textOf([line('x1', null)]));
    };
    const id = session.appendMessage(user('1'));
    const again = SessionManager.open(path);
    expect(again.getEntry(id)).toBeDefined();
    expect(types(again)).toEqual(['unparsable_line']);
  });

  test('if somebody stopped short before it, the entry is written anew', () => {
    const path = folder.file([HEADER]);
    const session = SessionManager.open(path);
    appendFileSync(path, '{"half');
    const id = session.appendMessage(user('1'));
    expect(SessionManager.open(path).getEntry(id)).toBeDefined();
  });

  test('after the first write error nothing more is written, and the session is as it was', () => {
    const session = SessionManager.create('/p', folder.dir());
    const first = session.appendMessage(user('1'));
    writes.fail = true;
    expect(() => session.appendMessage(user('2'))).toThrow('ENOSPC');
    expect(() => session.branchWithSummary(null, 's')).toThrow('ENOSPC');
    writes.fail = false;
    expect(() => session.appendMessage(user('3'))).toThrow('ENOSPC');
    expect(() => session.flush()).toThrow('ENOSPC');
    expect([session.getLeafId(), words(session)]).toEqual([first, ['1']]);
    expect(linesIn(session.getSessionFile())).toHaveLength(2);
  });

  test('what goes wrong with a file is told as an error that names it', () => {
    const file = folder.file('');
    const below = join(file, 'dir');
    expect(() => SessionManager.create('/p', below)).toThrow(
      expect.objectContaining({ code: 'unwritable', message: expect.stringContaining(below) }),
    );
    expect(() => SessionManager.open(folder.dir())).toThrow(expect.objectContaining({ code: 'unreadable' }));
  });

  test('what cannot be JSON changes nothing', () => {
    const session = SessionManager.create('/p', folder.dir());
    expect(() => session.appendCustomEntry('x', 1n)).toThrow();
    session.appendMessage(user('1'));
    expect(linesIn(session.getSessionFile())).toHaveLength(2);
  });

  test('a file that was deleted is there again whole', () => {
    const session = SessionManager.create('/p', folder.dir());
    const path = session.getSessionFile() ?? '';
    session.appendMessage(user('1'));
    rmSync(path);
    session.appendMessage(assistant('2'));
    session.close();
    rmSync(path);
    session.appendMessage(user('3'));
    expect(words(SessionManager.open(path))).toEqual(['1', '2', '3']);
    expect(linesIn(path)).toHaveLength(4);
  });

  test.each([3, 300])('what happens while %i entries are appended at once is noticed and made good', async (count) => {
    const happenings: ((path: string) => void)[] = [
      (path) => rmSync(path),
      (path) => appendFileSync(path, '{"half'),
      (path) => appendFileSync(path, textOf([line('x1', null)])),
      (path) => {
        // As oh-my-pi writes a file anew.
        writeFileSync(`${path}.new`, textOf([HEADER]));
        renameSync(`${path}.new`, path);
      },
      (path) => migrateFile(path),
    ];
    for (const happen of happenings) {
      const path = folder.file([{ ...HEADER, version: 2 }]);
      const session = SessionManager.open(path);
      const ids: string[] = [];
      for (let at = 0; at < count; at++) {
        if (at === count - 2) happen(path);
        ids.push(session.appendMessage(user(`${at}`)));
      }
      await Promise.resolve();
      const again = SessionManager.open(path);
      // Whoever replaces a file takes away what it held until then; what was appended together with that is there.
      const since = String(happen).includes('renameSync') ? ids.slice(-2) : ids;
      expect(since.filter((id) => !again.getEntry(id))).toEqual([]);
      const lines = readFileSync(path, 'utf8').split('\n');
      for (const id of since)
        expect(lines.filter((each) => each.startsWith(`{"type":"message","id":"${id}"`))).toHaveLength(1);
    }
  });

  test('an error that is noticed only afterwards stays, too', async () => {
    const dir = folder.dir();
    const session = SessionManager.create('/p', dir);
    session.appendMessage(user('1'));
    rmSync(dir, { recursive: true });
    session.appendMessage(user('2'));
    await Promise.resolve();
    expect(() => session.appendMessage(user('3'))).toThrow(/^Cannot write .*ENOENT/);
    expect(() => session.flush()).toThrow(/^Cannot write .*ENOENT/);
  });

  test('a file that another process wrote anew gets what is appended', async () => {
    const path = folder.file([{ ...HEADER, version: 2 }, line('e1', null)]);
    const [one, other] = [SessionManager.open(path), SessionManager.open(path)];
    one.appendMessage(user('2'));
    expect(other.migrateFile()).toBe(true);
    one.appendMessage(user('3'));
    await Promise.resolve();
    expect(words(SessionManager.open(path))).toEqual(['e1', '2', '3']);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});
