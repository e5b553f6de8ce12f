import { buildConversation, type SessionConversation, updateConversation } from '../../src/chat/index.ts';
import type { ContentOf, Line, Parsed, RecordContent } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { contentFrom } from '../../test/kit/chat.ts';
import type { Entry, Row } from '../entry.ts';
import { longSession, longTurn, manyTurns } from '../generate/extremes.ts';
import { collectGarbage, compare, quantile } from '../measure.ts';
import { bareLoop, inMemory, type MemoryFile, readLines, sizeOf } from '../read-tree.ts';

const RECORDS = 100_000;
const FURTHER = 200;
const NOW = Date.UTC(2030, 0, 1);

/** Gives lines of 3 KB, as in real logs; without it they have 700 B. */
const USUAL = 0.4;

/** Grouping a thread over a bare parse of the same bytes, and bringing a long one up to date (C18, C19). What records say is in memory. */
export const chat: Entry = {
  name: 'chat',
  *run() {
    yield* grouping('2,000 turns in 84,000 lines', (times, scale) => manyTurns(2000 * times, 20, scale));
    yield* grouping('one turn of 8,000 calls', (times, scale) => longTurn(8000 * times, scale));
    yield* grouping('4,000 turns', (times, scale) => manyTurns(4000 * times, 1, scale));
    yield updating();
  },
};

function* grouping(name: string, write: (times: number, scale?: number) => Iterable<string>): Generator<Row> {
  yield overBare(`chat of ${name} / bare parse, 3 KB a line`, open(write(1, USUAL)), 0.5);
  const [whole, half] = [open(write(1)), open(write(0.5))];
  yield overBare(`chat of ${name} / bare parse, 700 B a line`, whole, null);
  const { ratio, note } = compare(whole.build, half.build);
  const figure = (ratio * 2 * sizeOf([half.file])) / sizeOf([whole.file]);
  yield { name: `chat of ${name} / half of it`, figure, unit: '×', limit: 2.3, note };
}

function overBare(name: string, { file, build }: Opened, limit: number | null): Row {
  const { ratio, note } = compare(build, () => bareLoop([file]));
  return { name, figure: ratio, unit: '×', limit, note };
}

interface Opened {
  readonly file: MemoryFile;
  readonly build: () => SessionConversation;
}

function open(lines: Iterable<string>): Opened {
  const { file, lines: read, content } = parse(lines);
  const tree = new Tree();
  tree.add(file.facts, read);
  const [session = ''] = tree.sessionIds();
  const thread = tree.session(session).defaultThread;
  const known = remember(tree, content);
  return { file, build: () => buildConversation(tree, session, thread, known, { now: NOW }) };
}

/** What is in the tree is not read again; what comes later is. */
function remember(tree: Tree, content: ContentOf): ContentOf {
  const said = new Map<string, RecordContent>();
  for (const record of tree.allRecords()) said.set(record.id, content(record));
  return (record) => said.get(record.id) ?? content(record);
}

function parse(lines: Iterable<string>): { file: MemoryFile; lines: Line[]; content: ContentOf } {
  const file = inMemory({ path: 'p/s.jsonl', lines });
  const parsed: Parsed[] = [];
  const read: Line[] = [];
  readLines(
    file,
    (batch) => read.push(...batch),
    ({ line, blocks }) => {
      const said = blocks();
      parsed[line.ref.line] = { line, blocks: () => said };
    },
  );
  return { file, lines: read, content: contentFrom(({ line }) => parsed[line]) };
}

/** One more line at the end of a long session. */
function updating(): Row {
  const { file, lines, content: read } = parse(longSession(RECORDS + FURTHER));
  const tree = new Tree();
  tree.add(file.facts, lines.slice(0, -FURTHER));
  const content = remember(tree, read);
  const [session = ''] = tree.sessionIds();
  const thread = tree.session(session).defaultThread;
  const time = <T>(run: () => T): [number, T] => {
    const start = performance.now();
    const made = run();
    return [performance.now() - start, made];
  };
  const build = () => buildConversation(tree, session, thread, content, { now: NOW });
  build();
  let [building, view] = time(build);
  collectGarbage();
  const costs: number[] = [];
  for (const line of lines.slice(-FURTHER)) {
    const change = tree.add(file.facts, [line]);
    const [cost, updated] = time(() => updateConversation(view, tree, change, content, { now: NOW }));
    costs.push(cost);
    view = updated;
  }
  building = Math.min(building, time(build)[0]);
  const median = quantile(costs, 0.5);
  const note = `${(median * 1000).toFixed(0)} µs over ${building.toFixed(0)} ms, worst ${Math.max(...costs).toFixed(1)} ms`;
  const figure = (100 * median) / building;
  return { name: 'chat of 100,000 records and one more line / building it', figure, unit: '%', limit: 1, note };
}
