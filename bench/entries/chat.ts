import { buildConversation, type SessionConversation, updateConversation } from '../../src/chat/index.ts';
import type { ContentOf, Line, Parsed, RecordContent } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { contentAt } from '../../test/kit/content.ts';
import type { Entry, Row } from '../entry.ts';
import { longSession, longTurn, manyTurns } from '../generate/extremes.ts';
import { collectGarbage, compare, quantile } from '../measure.ts';
import { bareLoop, inMemory, type MemoryFile, readLines, sizeOf } from '../read-tree.ts';
import { readReal, realCorpus } from '../real-corpus.ts';

const RECORDS = 100_000;
const FURTHER = 200;
const NOW = Date.UTC(2030, 0, 1);

/** Grouping a thread over a bare parse of the same bytes, and bringing a long one up to date (C18, C19). What records say is in memory. */
export const chat: Entry = {
  name: 'chat',
  *run() {
    // The scale gives lines of 3 KB, as in real logs; without it they have 700 B.
    yield* grouping('2,000 turns in 84,000 lines', 0.4, (times, scale) => manyTurns(2000 * times, 20, scale));
    yield* grouping('one turn of 8,000 calls', 0.4, (times, scale) => longTurn(8000 * times, scale));
    yield* grouping('4,000 turns', 0.7, (times, scale) => manyTurns(4000 * times, 1, scale));
    if (realCorpus !== null)
      yield overBare('chat of the real corpus / bare parse, 3.6 KB a line', open(readReal(realCorpus, 2)), 0.5);
    yield updating();
  },
};

function* grouping(
  name: string,
  usual: number,
  write: (times: number, scale?: number) => Iterable<string>,
): Generator<Row> {
  const make = (times: number, scale?: number): Opened =>
    open([inMemory({ path: 'p/s.jsonl', lines: write(times, scale) })]);
  const long = make(1, usual);
  yield overBare(`chat of ${name} / bare parse, 3 KB a line`, long, 0.5);
  yield overBare(
    `the same, every group looked at / bare parse`,
    { ...long, build: () => lookAt(long.build() as SessionConversation[]) },
    null,
  );
  const [whole, half] = [make(1), make(0.5)];
  yield overBare(`chat of ${name} / bare parse, 700 B a line`, whole, null);
  const look = ({ build }: Opened) => lookAt(build() as SessionConversation[]);
  const { ratio, note } = compare(
    () => look(whole),
    () => look(half),
  );
  const figure = (ratio * 2 * sizeOf(half.files)) / sizeOf(whole.files);
  yield { name: `chat of ${name}, every group looked at / half of it`, figure, unit: '×', limit: 2.3, note };
}

/** Groups are worked out when somebody looks at them: gives how much was seen. */
function lookAt(views: readonly SessionConversation[]): number {
  let seen = 0;
  for (const { items } of views)
    for (const { type, group } of items)
      if (type === 'ai') seen += group.displayItems.length + group.stepGroups.length + group.status.length;
  return seen;
}

function overBare(name: string, { files, build }: Opened, limit: number | null): Row {
  const { ratio, note } = compare(build, () => bareLoop(files));
  return { name, figure: ratio, unit: '×', limit, note };
}

interface Opened {
  readonly files: readonly MemoryFile[];
  /** The first thread of every session. */
  readonly build: () => unknown;
}

function open(files: readonly MemoryFile[]): Opened {
  const { trees, content } = parse(files);
  const threads = trees.flatMap((tree) => {
    const known = remember(tree, content);
    return tree.sessionIds().map((id) => ({ tree, id, thread: tree.session(id).defaultThread, known }));
  });
  const build = () =>
    threads.map(({ tree, id, thread, known }) => buildConversation(tree, id, thread, known, { now: NOW }));
  return { files, build };
}

/** One tree per project, and what its lines say. */
function parse(files: readonly MemoryFile[]): { trees: Tree[]; content: ContentOf } {
  const trees = new Map<string, Tree>();
  const parsed = new Map<string, Parsed[]>();
  for (const file of files) {
    const { id, project } = file.facts;
    const lines: Parsed[] = [];
    parsed.set(id, lines);
    const tree = trees.get(project) ?? new Tree();
    trees.set(project, tree);
    readLines(
      file,
      (batch) => tree.feed(file.facts, batch),
      (read) => {
        const said = read.blocks();
        lines[read.line.ref.line] = { line: read.line, blocks: () => said };
      },
    );
  }
  for (const tree of trees.values()) tree.commit();
  return { trees: [...trees.values()], content: contentAt(({ file, line }) => parsed.get(file)?.[line]) };
}

/** What is in the tree is not read again; what comes later is. */
function remember(tree: Tree, content: ContentOf): ContentOf {
  const said = new Map<string, RecordContent>();
  for (const record of tree.allRecords()) said.set(record.id, content(record));
  return (record) => said.get(record.id) ?? content(record);
}

/** One more line at the end of a long session. */
function updating(): Row {
  const file = inMemory({ path: 'p/s.jsonl', lines: longSession(RECORDS + FURTHER) });
  const lines: Line[] = [];
  readLines(file, (batch) => lines.push(...batch));
  const tree = new Tree();
  tree.add(file.facts, lines.slice(0, -FURTHER));
  const content = remember(tree, parse([file]).content);
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
