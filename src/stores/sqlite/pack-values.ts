import type { LineRef } from '../../model/index.ts';
import { At, type PackedMessages, REF_WIDTH } from '../packed-rows.ts';

/** How values lie in columns, where the plain text would take twice the room. */

/**
 * The further places of a packed row, whose numbers begin at `row`, as numbers in one text: relative to its own where they are in the same
 * file, otherwise with the number of theirs. They are those from `first` on.
 */
export function packRefs(
  { numbers, more }: PackedMessages,
  row: number,
  first: number,
  numberOf: (file: number) => number,
): string {
  const count = numbers[row + At.more] as number;
  const [file, line, offset] = numbers.subarray(row + At.ref, row + At.ref + REF_WIDTH) as unknown as Ref;
  return Array.from({ length: count }, (_, i) => {
    const at = (first + i) * REF_WIDTH;
    const ref = more.subarray(at, at + REF_WIDTH) as unknown as Ref;
    return ref[0] === file
      ? `${ref[1] - line},${ref[2] - offset},${ref[3]}`
      : `${ref[1]},${ref[2]},${ref[3]},${numberOf(ref[0])}`;
  }).join(' ');
}

type Ref = readonly [file: number, line: number, offset: number, bytes: number];

export function unpackRefs(packed: string | null, at: LineRef, idOf: (file: number) => string): LineRef[] {
  if (packed === null) return [];
  return packed.split(' ').map((text) => {
    const [line = 0, offset = 0, bytes = 0, file] = text.split(',').map(Number);
    return file === undefined
      ? { file: at.file, line: at.line + line, offset: at.offset + offset, bytes }
      : { file: idOf(file), line, offset, bytes };
  });
}

/** Equal texts for equal values: the order in which fields were set says nothing. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
