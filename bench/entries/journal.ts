import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPi } from '../../test/kit/pi.ts';
import { runChild } from '../child.ts';
import type { Entry, Row } from '../entry.ts';
import { quantile } from '../measure.ts';

const ENTRIES = 100_000;
const ROUNDS = 5;

/** Milliseconds of CPU, by what was done. */
type Times = Readonly<Record<string, number>>;

/**
 * A session of 100,000 entries that is written, opened and asked; against the real Pi, if it is installed in test/interop. Every side has a
 * process of its own in each round: in one process they would share the heap and what the compiler learned, and the ratios turn out
 * differently.
 */
export const journal: Entry = {
  name: 'journal',
  async *run(folder) {
    const [file, twice] = [join(folder, 'all.jsonl'), join(folder, 'twice.jsonl')];
    writeJournal(file, ENTRIES);
    // Not half of it: 50,000 entries fit into the processor's own memory, and 100,000 do not.
    writeJournal(twice, ENTRIES * 2);
    const hasPi = (await loadPi()) !== null;
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const run = (side: string, path: string) =>
        runChild<Times>('journal', side, path, join(folder, `${side}${round}`));
      return {
        all: run('ours', file),
        twice: run('ours', twice),
        parse: run('parse', file),
        pi: hasPi ? run('pi', file) : null,
      };
    });
    const row = (name: string, limit: number | null, pairs: readonly (readonly [number, number])[]): Row => {
      const ratios = pairs.map(([a, b]) => a / b);
      const [a, b] = [0, 1].map((side) =>
        quantile(
          pairs.map((pair) => pair[side] ?? 0),
          0.5,
        ).toFixed(0),
      );
      const note = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}; ${a} over ${b} ms`;
      return { name, figure: quantile(ratios, 0.5), unit: '×', limit, note };
    };
    const against = (other: 'parse' | 'pi', what: string) =>
      rounds.map((round) => [round.all[what] ?? 0, round[other]?.[what] ?? 0] as const);
    const doubled = (what: string) => rounds.map((round) => [round.twice[what] ?? 0, round.all[what] ?? 0] as const);

    yield row('open 100,000 entries / bare parse', 1.5, against('parse', 'open'));
    for (const what of ['open', 'getBranch', 'getTree', 'context'])
      yield row(`${what}, 200,000 entries over 100,000`, 2.3, doubled(what));
    if (!hasPi) console.log('journal    Pi is not installed (npm ci in test/interop): nothing to compare with');
    else {
      yield row('append 10,000 to a file / Pi', 0.5, against('pi', 'append'));
      yield row('open 100,000 entries / Pi', 0.67, against('pi', 'open'));
      // Messages are parsed when they are asked for: here all of them are.
      yield row('open and context, 100,000 entries / Pi', null, against('pi', 'openAll'));
      for (const what of ['getBranch', 'getTree', 'context'])
        yield row(`${what}, 100,000 entries / Pi`, 1, against('pi', what));
    }
  },
};

export function writeJournal(file: string, count: number): void {
  const lines = [{ type: 'session', version: 3, id: 's', timestamp: timeAt(0), cwd: '/p' }, ...entries(count)];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** One entry of every hundred is a dead end. */
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

const messageAt = (at: number) =>
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
