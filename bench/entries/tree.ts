import type { Entry, Row } from '../entry.ts';
import { compare } from '../measure.ts';
import { bareLoop, generateInMemory, type MemoryFile, readTrees, sizeOf } from '../read-tree.ts';
import { readReal, realCorpus } from '../real-corpus.ts';

const MIB = 1048576;

/** Parse and tree over the bare loop, the same bytes in memory. */
export const tree: Entry = {
  name: 'tree',
  *run() {
    yield ratio('3 KB a line', generateInMemory({ bytes: 48 * MIB }), 1.5);
    const short = generateInMemory({ bytes: 32 * MIB, lineBytes: 800 });
    yield ratio('800 B a line', short, 2);
    if (realCorpus !== null) yield ratio('real corpus, 3.6 KB a line', readReal(realCorpus, 6), 1.5);
    yield published(short);
    yield surveyed(short);
  },
};

function ratio(name: string, files: readonly MemoryFile[], limit: number): Row {
  const { ratio: figure, note } = compare(
    () => readTrees(files),
    () => bareLoop(files),
  );
  const size = `${(sizeOf(files) / MIB).toFixed(0)} MiB`;
  return { name: `parse + tree / bare loop, ${name}`, figure, unit: '×', limit, note: `${note}; ${size}` };
}

/** What `skein check` does: every key and value is looked at. */
function surveyed(files: readonly MemoryFile[]): Row {
  const { ratio: figure, note } = compare(
    () => readTrees(files, { survey: true }),
    () => bareLoop(files),
  );
  return { name: '… and everything unknown named (check), 800 B a line', figure, unit: '×', limit: null, note };
}

/** What a view asks for besides. */
function published(files: readonly MemoryFile[]): Row {
  const publish = (): void => {
    for (const read of readTrees(files)) for (const record of read.allRecords()) if (record.id === '') return;
  };
  const { ratio: figure, note } = compare(publish, () => bareLoop(files));
  return { name: '… and every record asked for, 800 B a line', figure, unit: '×', limit: null, note };
}
