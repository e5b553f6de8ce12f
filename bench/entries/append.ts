import type { Line } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import type { Entry, Row } from '../entry.ts';
import { longSession } from '../generate/extremes.ts';
import { collectGarbage, quantile } from '../measure.ts';
import { inMemory, readLines } from '../read-tree.ts';

const RECORDS = 100_000;
const FURTHER = 2000;
const LIMIT = 20;
/** Where asking again takes long, fewer lines tell as much. */
const PATIENCE_MS = 8000;

/** A session of 100,000 records is followed while it grows: what one more line costs. */
export const append: Entry = {
  name: 'append',
  *run() {
    const file = inMemory({ path: 'p/s.jsonl', lines: longSession(RECORDS + FURTHER) });
    const lines: Line[] = [];
    readLines(file, (batch) => lines.push(...batch));
    const known = lines.length - FURTHER;
    const further = lines.slice(known);

    const grow = (ask: boolean): number[] => {
      const tree = new Tree();
      tree.add(file.facts, lines.slice(0, known));
      const [id = ''] = tree.sessionIds();
      tree.session(id);
      collectGarbage();
      const costs: number[] = [];
      const end = performance.now() + PATIENCE_MS;
      for (const line of further) {
        const start = performance.now();
        tree.add(file.facts, [line]);
        if (ask) tree.session(id);
        costs.push((performance.now() - start) * 1000);
        if (performance.now() > end) break;
      }
      return costs;
    };
    yield* rows('add', grow(false));
    yield* rows('add + session()', grow(true));
  },
};

function* rows(name: string, costs: readonly number[]): Generator<Row> {
  const note = `${costs.length} further lines, worst ${Math.max(...costs).toFixed(0)} µs`;
  for (const share of [0.5, 0.95]) {
    const figure = quantile(costs, share);
    yield {
      name: `one more line at 100,000 records, ${name}, p${share * 100}`,
      figure,
      unit: 'µs',
      limit: LIMIT,
      note,
    };
  }
}
