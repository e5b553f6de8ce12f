import type { Entry, Row } from '../entry.ts';
import type { GenerateOptions } from '../generate/index.ts';
import { compare } from '../measure.ts';
import { generateInMemory, readTrees, sizeOf } from '../read-tree.ts';

const MIB = 1048576;

/** Twice the input, at most 2.3 times the time. */
export const doubling: Entry = {
  name: 'doubling',
  *run() {
    yield double('a corpus, 48 MiB over 24', { bytes: 24 * MIB });
    yield double('one file, 32 MiB over 16, 800 B a line', { bytes: 16 * MIB, files: 1, lineBytes: 800 });
  },
};

function double(name: string, options: GenerateOptions): Row {
  const once = generateInMemory(options);
  const twice = generateInMemory({ ...options, bytes: options.bytes * 2 });
  const { ratio, note } = compare(
    () => readTrees(twice),
    () => readTrees(once),
  );
  // Generated sizes are not exact.
  const figure = (ratio * 2 * sizeOf(once)) / sizeOf(twice);
  return { name: `doubling ${name}`, figure, unit: '×', limit: 2.3, note };
}
