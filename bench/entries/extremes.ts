import type { Entry, Row } from '../entry.ts';
import { longSession, longTurn, wideAnswer } from '../generate/extremes.ts';
import { compare } from '../measure.ts';
import { bareLoop, generateInMemory, inMemory, type MemoryFile, readTrees, sizeOf } from '../read-tree.ts';

/** Inputs in which something is far larger than usual: whatever grows with its square shows here. */
export const extremes: Entry = {
  name: 'extremes',
  *run() {
    yield overBare('one file of 87 MB', generateInMemory({ bytes: 87e6, files: 1 }), 1.5);
    yield double('one turn of 8,000 tool calls', longTurn, 8000);
    yield double('one answer of 8,000 tool calls', wideAnswer, 8000);
    yield double('one session of 100,000 records', longSession, 100_000);
  },
};

function overBare(name: string, files: readonly MemoryFile[], limit: number): Row {
  const { ratio, note } = compare(
    () => readTrees(files),
    () => bareLoop(files),
  );
  return { name: `${name} / bare loop`, figure: ratio, unit: '×', limit, note };
}

function double(name: string, write: (count: number) => Iterable<string>, count: number): Row {
  const file = (lines: Iterable<string>): MemoryFile[] => [inMemory({ path: 'p/s.jsonl', lines })];
  const [whole, half] = [file(write(count)), file(write(count / 2))];
  const { ratio, note } = compare(
    () => readTrees(whole),
    () => readTrees(half),
  );
  const figure = (ratio * 2 * sizeOf(half)) / sizeOf(whole);
  return { name: `${name} / half of it`, figure, unit: '×', limit: 2.3, note };
}
