import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  convertToLlm,
  DEFAULT_COMPACTION_SETTINGS,
  findCutPoint,
  prepareCompaction,
  SessionManager,
} from '../../src/journal/index.ts';
import { Folder, HEADER, linesIn, user } from '../kit/journal.ts';
import { operations, perform } from '../kit/random-journal.ts';

const folder = new Folder();
const dir = folder.dir();
const path = join(dir, 'damaged.jsonl');

/** Asks for everything there is. */
function askAll(session: SessionManager): void {
  session.getTree();
  session.getSessionName();
  session.getFindings();
  for (const { id } of session.getEntries()) {
    session.getBranch(id);
    session.getChildren(id);
    session.getLabel(id);
    session.branch(id);
    convertToLlm(session.buildSessionContext().messages);
    prepareCompaction(session.getBranch(), { ...DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: 5 });
  }
  findCutPoint(session.getEntries(), 0, session.getEntries().length, 5);
}

/** Opening and asking changes no byte; appending keeps every byte and entry that was there. */
async function expectUnharmed(bytes: Buffer): Promise<void> {
  writeFileSync(path, bytes);
  const session = SessionManager.open(path);
  askAll(session);
  await SessionManager.list('/p', dir);
  if (bytes.length > 0) expect(readFileSync(path).equals(bytes)).toBe(true);
  if (!session.isWritable()) return;
  const isList = (session.getHeader()?.version ?? 1) < 2;
  const before = SessionManager.open(path).getEntries();
  const id = session.appendMessage(user('on'));
  const again = SessionManager.open(path);
  expect(again.getEntry(id)).toMatchObject({ message: user('on') });
  expect(again.getEntries().slice(0, -1)).toEqual(before);
  if (!isList && linesBefore(bytes)) expect(readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true);
}

/** A file of version 1 is written anew by the first append. */
const linesBefore = (bytes: Buffer): boolean => bytes.length > 0 && /^[^\n]*"version":[23]/.test(bytes.toString());

test('J7: whatever happens to the bytes of a file, it opens, and nothing that can be read is lost', async () => {
  const damage = fc.array(
    fc.tuple(
      fc.nat(5000),
      fc.nat(300),
      fc.constantFrom('', '\n', '\0\0', '{', '"', '}\n{', '\ufffd', '[1]\n', '{"type":"message"}\n'),
    ),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(operations, damage, async (steps, changes) => {
      let session = SessionManager.create('/p', folder.dir());
      for (const step of steps) session = perform(session, step, (same) => same);
      let bytes = readFileSync(session.getSessionFile() ?? '');
      for (const [at, length, put] of changes) {
        const start = at % (bytes.length + 1);
        bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(start + length)]);
      }
      await expectUnharmed(bytes);
    }),
    { numRuns: 300 },
  );
});

test('J7: whatever entries hold, they can be asked for everything', async () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  // Neither can be made a text of.
  const stubborn = fc.constantFrom({ toString: 1, valueOf: 2 }, [{ toString: null, toJSON: 3 }]);
  const odd = fc.oneof(id, fc.constant(null), stubborn, fc.jsonValue({ maxDepth: 2 }));
  const known =
    'message compaction branch_summary label custom custom_message context_edit session_info model_change ttsr_injection';
  const names =
    'message summary firstKeptEntryId targetId label content replacement name model injectedRules systemMessage provider';
  const message = fc.dictionary(
    fc.constantFrom(
      ...'role content files sections toolsAdded usage summary stopReason command output exitCode'.split(' '),
    ),
    odd,
  );
  const role = fc.constantFrom('user', 'assistant', 'toolResult', 'system', 'custom', 'fileMention', 'bashExecution');
  const entry = fc.record({
    base: fc.record({
      type: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known.split(' ')) }, odd),
      id: fc.oneof({ weight: 9, arbitrary: id }, odd),
      parentId: odd,
      timestamp: odd,
    }),
    more: fc.dictionary(fc.constantFrom(...names.split(' ')), odd),
    message: fc.option(fc.tuple(message, role)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), fc.constantFrom(1, 2, 3), async (entries, version) => {
      const lines = entries.map(({ base, more, message }) => {
        const said = message && { ...message[0], role: message[1] };
        return { ...base, ...more, ...(said ? { message: said, systemMessage: said } : {}) };
      });
      const text = [{ ...HEADER, version }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
      await expectUnharmed(Buffer.from(text));
    }),
    { numRuns: 1000 },
  );
});

test('J7: lines between two damaged ones are found', () => {
  writeFileSync(path, `${JSON.stringify(HEADER)}\n\0\0\0\n{"a":\n`);
  const session = SessionManager.open(path);
  session.appendMessage(user('1'));
  expect(() => linesIn(path)).toThrow();
  expect(SessionManager.open(path).getEntries()).toHaveLength(1);
});
