import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Entry } from '../entry.ts';
import { quantile } from '../measure.ts';
import { writeJournal } from './journal.ts';

const ENTRIES = 100_000;
const ROUNDS = 3;

interface Times {
  readonly read: number;
  readonly open: number;
  readonly arrange: number;
  readonly wall?: readonly number[];
  readonly cpu?: readonly number[];
}

/** `skein tree` of 100,000 entries, with the real screen. */
export const selector: Entry = {
  name: 'selector',
  *run(folder) {
    const [file, half] = [join(folder, 'all.jsonl'), join(folder, 'half.jsonl')];
    writeJournal(file, ENTRIES);
    writeJournal(half, ENTRIES / 2);
    const rounds = Array.from({ length: ROUNDS }, () => ({
      all: runChild<Times>('selector', file, 'keys'),
      half: runChild<Times>('selector', half),
    }));
    const middle = (of: (round: (typeof rounds)[number]) => number): number => quantile(rounds.map(of), 0.5);
    const times = (which: 'wall' | 'cpu'): number[] => rounds.flatMap(({ all }) => all[which] ?? []);
    const note = (which: 'wall' | 'cpu'): string =>
      `median ${quantile(times(which), 0.5).toFixed(1)}, worst ${Math.max(...times(which)).toFixed(0)} ms of ${times(which).length} keys`;
    yield {
      name: 'first frame of 100,000 entries / reading them',
      figure: middle(({ all }) => all.open / all.read),
      unit: '×',
      limit: 1,
      note: `${middle(({ all }) => all.open).toFixed(0)} over ${middle(({ all }) => all.read).toFixed(0)} ms`,
    };
    yield {
      name: 'rows after a change of the filter, 100,000 entries over 50,000',
      figure: middle(({ all, half: small }) => all.arrange / small.arrange),
      unit: '×',
      limit: 2.5,
      note: `${middle(({ all }) => all.arrange).toFixed(1)} ms`,
    };
    yield {
      name: 'a key to its frame, 100,000 entries, CPU, 95 %',
      figure: quantile(times('cpu'), 0.95),
      unit: 'ms',
      limit: 50,
      note: note('cpu'),
    };
    yield {
      name: 'the same by the clock',
      figure: quantile(times('wall'), 0.95),
      unit: 'ms',
      limit: 50,
      note: note('wall'),
    };
  },
};
