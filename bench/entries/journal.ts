import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ours from '../../src/journal/index.ts';
import { loadPi, type Pi } from '../../test/kit/pi.ts';
import type { Entry, Row } from '../entry.ts';
import { compare } from '../measure.ts';

const ENTRIES = 100_000;
const APPENDED = 10_000;

/** A session of 100,000 entries that is written, opened and asked; against the real Pi, if it is installed in test/interop. */
export const journal: Entry = {
  name: 'journal',
  async *run(folder) {
    const file = join(folder, 'session.jsonl');
    write(file, ENTRIES);
    yield row(
      'open / bare parse',
      1.5,
      () => ours.SessionManager.open(file),
      () => parse(file),
    );
    yield* doubling(folder, file);

    const pi = await loadPi();
    if (pi) yield* againstPi(pi, folder, file);
    else console.log('journal    Pi is not installed (npm ci in test/interop): nothing to compare with');
  },
};

function* againstPi(pi: Pi, folder: string, file: string): Generator<Row> {
  yield row(
    `append ${APPENDED} to a file / Pi`,
    0.5,
    appender(ours, join(folder, 'ours')),
    appender(pi, join(folder, 'pi')),
  );
  yield row(
    'open / Pi',
    0.67,
    () => ours.SessionManager.open(file),
    () => pi.SessionManager.open(file),
  );
  const [here, there] = [ours.SessionManager.open(file), pi.SessionManager.open(file)];
  yield row(
    'getBranch / Pi',
    1,
    () => here.getBranch(),
    () => there.getBranch(),
  );
  yield row(
    'getTree / Pi',
    1,
    () => here.getTree(),
    () => there.getTree(),
  );
  yield row(
    'context / Pi',
    1,
    () => here.buildSessionContext(),
    () => there.buildSessionContext(),
  );
}

/** Twice the entries, at most 2.3 times the time, for each thing that can be asked. */
function* doubling(folder: string, file: string): Generator<Row> {
  const half = join(folder, 'half.jsonl');
  write(half, ENTRIES / 2);
  const [all, some] = [ours.SessionManager.open(file), ours.SessionManager.open(half)];
  const asked = ['getBranch', 'getTree', 'buildSessionContext'] as const;
  for (const ask of asked)
    yield row(
      `${ask}, twice the entries`,
      2.3,
      () => all[ask](),
      () => some[ask](),
    );
}

function row(name: string, limit: number, a: () => unknown, b: () => unknown): Row {
  const { ratio, note } = compare(a, b);
  return {
    name: `${name}, ${ENTRIES} entries`.replace(/^(append \d+.*), \d+ entries$/, '$1'),
    figure: ratio,
    unit: '×',
    limit,
    note,
  };
}

const parse = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Goes on with one session per side: what is timed is appending, not the beginning of a file. */
function appender({ SessionManager }: Pi, dir: string): () => void {
  const session = SessionManager.create('/p', dir);
  const messages = Array.from({ length: APPENDED }, (_, at) => messageAt(at));
  return () => {
    for (const message of messages) session.appendMessage(message);
  };
}

function write(file: string, count: number): void {
  const lines = [{ type: 'session', version: 3, id: 's', timestamp: timeAt(0), cwd: '/p' }, ...entries(count)];
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Every hundredth answer is followed by a second one, which stays a dead end. */
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: 'message',
    id: idAt(at),
    parentId: at === 0 ? null : idAt(at % 100 === 1 && at > 1 ? at - 2 : at - 1),
    timestamp: timeAt(at),
    message: messageAt(at),
  }));

const idAt = (at: number): string => (0x10000000 + at).toString(16);
const timeAt = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

const messageAt = (at: number): ours.UserMessage | ours.AssistantMessage =>
  at % 2 === 0
    ? {
        role: 'user',
        content: [{ type: 'text', text: `Question ${at}: ${'why is it so '.repeat(10)}` }],
        timestamp: at,
      }
    : {
        role: 'assistant',
        content: [{ type: 'text', text: `Answer ${at}: ${'because it is '.repeat(10)}` }],
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: COST },
        stopReason: 'stop',
        timestamp: at,
      };
