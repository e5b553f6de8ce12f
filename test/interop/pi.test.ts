/** Our journal and the real Pi on the same files. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ours from '../../src/journal/index.ts';
import { type SessionEntry, SessionManager } from '../../src/journal/index.ts';
import { assistant, Folder, HEADER, linesIn, user } from '../kit/journal.ts';
import { installPi, type Pi } from '../kit/pi.ts';
import { type Operation, operations, perform } from '../kit/random-journal.ts';

const found = await installPi();
if (!found)
  console.warn('Interop with Pi is skipped: it is not installed, and `npm ci` in test/interop did not install it.');
const pi = found as Pi;

const folder = new Folder();
const dir = folder.dir();
const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));
const fileOf = (session: SessionManager) => session.getSessionFile() ?? '';

/** What both sides must agree on. */
function viewOf(session: SessionManager) {
  const { messages, thinkingLevel, model } = session.buildSessionContext();
  return plain({
    header: session.getHeader(),
    entries: session.getEntries(),
    tree: session.getTree(),
    labels: session.getEntries().map(({ id }) => session.getLabel(id)),
    children: session.getEntries().map(({ id }) => session.getChildren(id).map((child) => child.id)),
    branches: session.getEntries().map(({ id }) => session.getBranch(id).map((entry) => entry.id)),
    leaf: session.getLeafId(),
    name: session.getSessionName(),
    contextEntries: session.buildContextEntries(),
    context: { messages, thinkingLevel, model },
  });
}

const expectAgreement = (file: string) =>
  expect(viewOf(SessionManager.open(file))).toEqual(viewOf(pi.SessionManager.open(file)));

/** Pi writes a file with the first answer. */
const FIRST: Operation = { do: 'say', as: 'assistant', text: 'first' };

describe.skipIf(!found)('J2: the real Pi', () => {
  test('has no public method and no function that we have not', () => {
    const named = (value: object) =>
      Object.getOwnPropertyNames(value).filter((name) => !/^_|^constructor$|^prototype$/.test(name));
    // TypeScript's `private` is none at run time; `_` marks the rest.
    expect(named(pi.SessionManager.prototype).filter((name) => !(name in SessionManager.prototype))).toEqual([]);
    expect(named(pi.SessionManager).filter((name) => !(name in SessionManager))).toEqual([]);
    const names = ['CURRENT_SESSION_VERSION', 'assertValidSessionId', 'buildContextEntries', 'buildSessionContext'];
    names.push('buildSessionProjection', 'findMostRecentSession', 'getDefaultSessionDir', 'getLatestCompactionEntry');
    names.push('loadEntriesFromFile', 'migrateSessionEntries', 'parseSessionEntries', 'sessionEntryToContextMessages');
    names.push('convertToLlm', 'findCutPoint', 'findTurnStartIndex', 'estimateTokens', 'shouldCompact');
    names.push('calculateContextTokens', 'getLastAssistantUsage', 'prepareCompaction', 'DEFAULT_COMPACTION_SETTINGS');
    for (const name of names) expect([name, typeof (ours as never)[name]]).toEqual([name, typeof (pi as never)[name]]);
  });

  test('opens what we write, with the same tree, labels, summaries, compactions and context', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        let session = SessionManager.create('/p', dir);
        for (const step of steps) session = perform(session, step, reopenOurs);
        session.close();
        expectAgreement(fileOf(session));
      }),
      { numRuns: 150 },
    );
  });

  test('writes what we open', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        let session = pi.SessionManager.create('/p', dir);
        for (const step of [FIRST, ...steps])
          session = perform(session, step, (old) => pi.SessionManager.open(fileOf(old)));
        if (existsSync(fileOf(session))) expectAgreement(fileOf(session));
      }),
      { numRuns: 150 },
    );
  });

  test('and we append in turn, and agree after every turn', () => {
    fc.assert(
      fc.property(fc.array(operations, { maxLength: 6 }), (turns) => {
        const file = fileOf(SessionManager.create('/p', dir));
        turns.forEach((steps, turn) => {
          const here: Operation[] = steps.filter((step) => step.do !== 'fork' && step.do !== 'reopen');
          const session = turn % 2 === 0 ? SessionManager.open(file) : pi.SessionManager.open(file);
          for (const step of here) perform(session, step, (same) => same);
          if (session instanceof SessionManager) session.close();
          expectAgreement(file);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('does the same as we do, step by step', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        // `root` for a summary before everything is the seed's rule; Pi names the leaf that was left.
        const same = steps.filter((step) => !(step.do === 'summarise' && step.at === null) && step.do !== 'reopen');
        const sides = [SessionManager.inMemory('/p'), pi.SessionManager.inMemory('/p')];
        for (const step of same) for (const session of sides) perform(session, step, (old) => old);
        const [here, there] = sides.map((session) => withoutChance(viewOf(session)));
        expect(here).toEqual(there);
      }),
      { numRuns: 200 },
    );
  });

  test('sends the model the same', () => {
    const session = SessionManager.inMemory();
    const steps: Operation[] = ['user', 'assistant', 'call', 'custom', 'bash'].map(
      (as) => ({ do: 'say', as, text: 'x' }) as Operation,
    );
    for (const step of [
      ...steps,
      { do: 'summarise', at: 0, text: 's' } as const,
      { do: 'compact', at: 0 } as const,
      ...steps,
    ])
      perform(session, step, (same) => same);
    const { messages } = session.buildSessionContext();
    expect(ours.convertToLlm(messages)).toEqual(pi.convertToLlm(messages));
    expect(messages.map(ours.estimateTokens)).toEqual(messages.map(pi.estimateTokens));
  });

  test('cuts where we cut, but for settings before a prompt', () => {
    fc.assert(
      fc.property(operations, fc.nat(60), (steps, keep) => {
        const session = SessionManager.inMemory();
        for (const step of steps) if (step.do === 'say') perform(session, step, (same) => same);
        const entries = session.getEntries();
        const cut = ours.findCutPoint(entries, 0, entries.length, keep);
        expect(cut).toEqual(pi.findCutPoint(entries, 0, entries.length, keep));
      }),
      { numRuns: 200 },
    );
  });

  test('migrates to the same conversation', () => {
    const { version: _version, ...header } = HEADER;
    const old = (more: object) => ({ type: 'message', timestamp: HEADER.timestamp, ...more });
    const compaction = {
      type: 'compaction',
      timestamp: HEADER.timestamp,
      summary: 's',
      firstKeptEntryIndex: 2,
      tokensBefore: 1,
    };
    const lines = [
      header,
      old({ message: user('1') }),
      old({ message: assistant('2') }),
      compaction,
      old({ message: user('3') }),
    ];
    const [here, there] = [folder.file(lines), folder.file(lines)];
    const session = SessionManager.open(here);
    expect(session.buildSessionContext().messages).toEqual(
      pi.SessionManager.open(there).buildSessionContext().messages,
    );
    session.migrateFile();
    expectAgreement(here);
  });

  test('finds and lists what we write as we do', async () => {
    const place = folder.dir();
    // Of two that were written to at the same time neither comes first.
    for (const [i, text] of ['one', 'two'].entries()) {
      const session = SessionManager.create('/p', place);
      session.appendMessage(user(text));
      session.appendMessage({ ...assistant(text), timestamp: 1000 + i });
      session.appendSessionInfo(text);
    }
    expect(await SessionManager.list('/p', place)).toEqual(await pi.SessionManager.list('/p', place));
    expect(ours.findMostRecentSession(place)).toBe(pi.findMostRecentSession(place));
    const [listed] = await SessionManager.list('/p', place);
    expect(SessionManager.findById('/p', listed?.id ?? '', place)).toBe(
      pi.SessionManager.findById('/p', listed?.id ?? '', place),
    );
    expect(SessionManager.create('/p', place).getSessionDir()).toBe(
      pi.SessionManager.create('/p', place).getSessionDir(),
    );
  });
});

const LARGE = resolve('../shared/corpus/pi/large-session.jsonl');
describe.skipIf(!existsSync(LARGE))('J9: the large session of the corpus', () => {
  test('has 914 messages in its context, and reading it changes no byte', () => {
    const before = readFileSync(LARGE);
    const session = SessionManager.open(LARGE);
    const { messages, model } = session.buildSessionContext();
    expect([messages.length, model]).toEqual([914, { provider: 'anthropic', modelId: 'claude-sonnet-4-5' }]);
    expect(session.getFindings()).toEqual([]);
    expect(readFileSync(LARGE).equals(before)).toBe(true);
  });

  test.skipIf(!found)('reads the same in Pi, as it is and when we have written it anew', () => {
    const [copy, other] = [join(folder.path, 'copy.jsonl'), join(folder.path, 'other.jsonl')];
    copyFileSync(LARGE, copy);
    copyFileSync(LARGE, other);
    const session = SessionManager.open(copy);
    expect(session.buildSessionContext().messages).toEqual(
      pi.SessionManager.open(other).buildSessionContext().messages,
    );
    session.migrateFile();
    expect(linesIn(copy)).toHaveLength(linesIn(LARGE).length);
    expectAgreement(copy);
  });
});

const reopenOurs = (session: SessionManager): SessionManager => {
  session.close();
  return SessionManager.open(fileOf(session));
};

/** Ids and times are made by chance: each becomes its place. */
function withoutChance(view: ReturnType<typeof viewOf>): unknown {
  const ids = new Map<string, string>();
  for (const [place, { id }] of (view.entries as SessionEntry[]).entries()) ids.set(id, `#${place}`);
  const same = (key: string, value: unknown) => {
    if (key === 'timestamp' || key === 'labelTimestamp' || key === 'header') return undefined;
    // Written for oh-my-pi.
    if (key === 'fromExtension' || (key === 'model' && String(value).startsWith('openai/'))) return undefined;
    if (typeof value !== 'string') return value;
    return ids.get(value) ?? value.replace(/^[0-9a-f]{8}$/, '(left behind)');
  };
  return JSON.parse(JSON.stringify(view, same));
}
