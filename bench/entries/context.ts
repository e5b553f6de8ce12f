import { buildContext, updateContext } from '../../src/context/index.ts';
import type { Block, CallResult, ContentOf, Line, LogRecord } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import type { Entry } from '../entry.ts';
import { longSession } from '../generate/extremes.ts';
import { collectGarbage, compare, quantile } from '../measure.ts';
import { bareLoop, inMemory, readLines } from '../read-tree.ts';

const RECORDS = 100_000;
const FURTHER = 400;

/** The window of a session of 100,000 records, built whole and followed while it grows; what records say lies in memory. */
export const context: Entry = {
  name: 'context',
  *run() {
    const file = inMemory({ path: 'p/s.jsonl', lines: longSession(RECORDS + FURTHER) });
    const lines: Line[] = [];
    const said: (readonly Block[])[] = [];
    readLines(
      file,
      (batch) => lines.push(...batch),
      (parsed) => said.push(parsed.blocks()),
    );
    const content: ContentOf = (record) => ({ own: ownOf(record, said), replies: [], results: NONE, annotations: [] });
    const tree = new Tree();
    tree.add(file.facts, lines.slice(0, -FURTHER));
    const [id = ''] = tree.sessionIds();
    const thread = tree.session(id).defaultThread ?? '';
    const build = () => buildContext(tree, id, thread, content);

    const { ratio, note } = compare(build, () => bareLoop([file]));
    yield { name: 'context of 100,000 records / bare loop, 480 B a line', figure: ratio, unit: '×', limit: 3, note };

    let view = build();
    const whole = Math.min(...[1, 2, 3].map(() => timeOf(() => (view = build()))));
    collectGarbage();
    const costs: number[] = [];
    for (const line of lines.slice(-FURTHER)) {
      costs.push(timeOf(() => (view = updateContext(view, tree, tree.add(file.facts, [line]), content))));
    }
    const [middle, most] = [quantile(costs, 0.5), quantile(costs, 0.95)];
    const spread = `${(middle * 1000).toFixed(0)} µs of ${whole.toFixed(0)} ms, p95 ${(most * 1000).toFixed(0)} µs, with adding the line`;
    yield {
      name: 'one more line / building it anew, in percent',
      figure: (middle / whole) * 100,
      unit: '%',
      limit: 1,
      note: spread,
    };
  },
};

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

const NONE: ReadonlyMap<string, CallResult> = new Map();

const ownOf = ({ lines }: LogRecord, said: readonly (readonly Block[])[]): readonly Block[] =>
  lines.flatMap(({ ref }) => said[ref.line - 1] ?? []);
