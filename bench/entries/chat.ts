import { buildConversation, updateConversation } from '../../src/chat/index.ts';
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

/** Grouping a thread over a bare parse of the same bytes, and bringing a long one up to date (C18, C19). What records say is in memory. */
export const chat: Entry = {
  name: 'chat',
  *run() {
    yield* grouping('2,000 turns in 84,000 lines', (times) => manyTurns(2000 * times, 20));
    yield* grouping('one turn of 8,000 calls', (times) => longTurn(8000 * times));
    yield* grouping('4,000 turns', (times) => manyTurns(4000 * times, 1));
    yield updating();
  },
};

function* grouping(name: string, write: (times: number) => Iterable<string>): Generator<Row> {
  const [whole, half] = [open(write(1)), open(write(0.5))];
  const bare = compare(whole.build, () => bareLoop([whole.file]));
  yield { name: `chat of ${name} / bare parse`, figure: bare.ratio, unit: '×', limit: 0.5, note: bare.note };
  const twice = compare(whole.build, half.build);
  const figure = (twice.ratio * 2 * sizeOf([half.file])) / sizeOf([whole.file]);
  yield { name: `chat of ${name} / half of it`, figure, unit: '×', limit: 2.3, note: twice.note };
}

interface Opened {
  readonly file: MemoryFile;
  readonly build: () => void;
}

function open(lines: Iterable<string>): Opened {
  const { file, lines: read, content } = parse(lines);
  const tree = new Tree();
  tree.add(file.facts, read);
  const said = new Map<string, RecordContent>();
  for (const record of tree.allRecords()) said.set(record.id, content(record));
  const [session = ''] = tree.sessionIds();
  const thread = tree.session(session).defaultThread;
  const known: ContentOf = ({ id }) => said.get(id) as RecordContent;
  const build = (): void => {
    buildConversation(tree, session, thread, known, { now: NOW });
  };
  return { file, build };
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
  const { file, lines, content } = parse(longSession(RECORDS + FURTHER));
  const tree = new Tree();
  tree.add(file.facts, lines.slice(0, -FURTHER));
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
