import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SessionManager } from '../../src/journal/index.ts';
import { readFile } from '../../src/journal/read-file.ts';
import { skimFile } from '../../src/journal/skim-file.ts';
import { skimLine } from '../../src/journal/skim-line.ts';
import { Folder, HEADER, line, linesIn, textOf, user } from '../kit/journal.ts';
import { operations, perform } from '../kit/random-journal.ts';

const folder = new Folder();
const KEYS = ['type', 'id', 'parentId', 'timestamp', 'message'];

function skim(bytes: Buffer) {
  const skimmed = { id: 0, parentId: null as number | null };
  // What stands around the line must not matter.
  const around = Buffer.concat([Buffer.from('"}]\n'), bytes, Buffer.from('\n"}]0000')]);
  return skimLine(around, 4, 4 + bytes.length, skimmed) ? skimmed : null;
}

const lineOf = (message: unknown, id = '0000000a', parentId: string | null = '00000009') =>
  JSON.stringify({ type: 'message', id, parentId, timestamp: 't', message });

describe('J2: a line that is not parsed at once', () => {
  test('is any message as it is usually written', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.nat(0xfffffffe),
        fc.option(fc.nat(0xfffffffe)),
        (message, id, parent) => {
          const hex = (number: number) => number.toString(16).padStart(8, '0');
          const text = lineOf(message, hex(id), parent === null ? null : hex(parent));
          expect(skim(Buffer.from(text))).toEqual({ id: id | 0, parentId: parent === null ? null : parent | 0 });
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is valid JSON, with these keys and no others, whatever was done to its bytes', () => {
    const pieces = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      '-',
      '.',
      'e',
      '+',
      't',
      'true',
      'null',
      '\\u12',
      '\\ud8zz',
    ];
    const piece = fc.oneof(
      fc.constantFrom(...pieces, '\u0010', '\t', ' ', 'é', '"id":"00000001"', ',"id":1'),
      fc.string(),
    );
    const change = fc.record({ at: fc.nat(400), remove: fc.nat(4), piece });
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (message, changes) => {
          let bytes = Buffer.from(lineOf(message));
          for (const { at, remove, piece } of changes) {
            const place = at % (bytes.length + 1);
            bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(piece), bytes.subarray(place + remove)]);
          }
          if (!skim(bytes)) return;
          expect(Object.keys(JSON.parse(bytes.toString()))).toEqual(KEYS);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  test.each([
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    'tru',
    'nul',
    'fals',
    '"\\x"',
    '"\\u00g0"',
    '"\\u\u0010\u0010\u0010\u0010"',
    '"a',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":1,}',
    '{a:1}',
    '[1 ,2]',
    '[1}',
    '{"a":1]',
    '"\u0001"',
    '1 2',
    '1,"id":"00000001"',
    '',
    '[',
    '{"a":',
  ])('is not one with %s for a message', (message) => {
    expect(skim(Buffer.from(lineOf(0).replace('"message":0', `"message":${message}`)))).toBeNull();
  });

  test('is not one that is very deep; it is parsed', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    expect(skim(Buffer.from(lineOf(0).replace('"message":0', `"message":${deep}`)))).toBeNull();
  });
});

describe('J2: a file of which messages are parsed when they are asked for', () => {
  test('says what it says when it is read line by line, whatever was done with it', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        let session = SessionManager.create('/p', folder.path);
        for (const step of steps)
          session = perform(session, step, (old) => SessionManager.open(old.getSessionFile() ?? ''));
        session.close();
        const file = session.getSessionFile() ?? '';
        const skimmed = skimFile(file);
        const lines = readFile(file).entries.slice(1);
        expect(skimmed?.index.nodes).toEqual(lines);
        const opened = SessionManager.open(file);
        expect(lines.map(({ id }) => opened.getEntry(id))).toEqual(lines);
        expect(opened.getEntries().every((entry) => opened.getEntry(entry.id) === entry)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('wide characters, and more entries than a few', () => {
    const lines = Array.from({ length: 200 }, (_, at) => {
      const id = (at + 1).toString(16).padStart(8, '0');
      return line(id, at === 0 ? null : at.toString(16).padStart(8, '0'), {
        message: user(at % 3 ? `é😀 ${at}` : 'plain'),
      });
    });
    const file = folder.file([HEADER, ...lines]);
    expect(skimFile(file)?.index.nodes).toEqual(lines);
    expect(SessionManager.open(file).getBranch()).toEqual(lines);
  });

  test.each([
    ['no newline at its end', textOf([HEADER, line('00000001', null)]).trimEnd()],
    ['a blank line', `${textOf([HEADER])}\n${textOf([line('00000001', null)])}`],
    ['an id twice', textOf([HEADER, line('00000001', null), line('00000001', null)])],
    ['a parent that is not there', textOf([HEADER, line('00000001', '00000002')])],
    ['an entry without id', textOf([HEADER, { type: 'custom', parentId: null }])],
    ['another header', textOf([HEADER, HEADER])],
    ['an older version', textOf([{ ...HEADER, version: 2 }])],
    ['no header', textOf([line('00000001', null)])],
    ['nothing', ''],
  ])('with %s it is read line by line', (_name, text) => {
    expect(skimFile(folder.file(text))).toBeNull();
  });

  test('what is appended, branched and asked for in between is the same', () => {
    const file = folder.file([
      HEADER,
      line('0000000a', null),
      line('0000000b', '0000000a'),
      line('0000000c', '0000000a'),
    ]);
    const session = SessionManager.open(file);
    session.branch('0000000b');
    const id = session.appendMessage(user('on'));
    expect(session.getBranch().map((entry) => entry.id)).toEqual(['0000000a', '0000000b', id]);
    expect(session.getEntries()).toEqual(linesIn(file).slice(1));
  });
});
