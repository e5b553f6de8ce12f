import type { Block, RecordContent } from './block.ts';
import { lineFinder } from './find-line.ts';
import type { LogRecord, RecordLine } from './record.ts';

/** What a record says itself. A result that stands beside something typed is what its call gave, where that is known, and shown there. */
export function ownBlocks({ lines }: LogRecord, { own }: RecordContent): readonly Block[] {
  if (!lines.some(({ paired }) => paired?.includes(true))) return own;
  const lineAt = lineFinder(lines);
  const seen = new Map<RecordLine, number>();
  return own.filter((block) => {
    const line = block.type === 'result' ? lineAt(block.at) : undefined;
    if (!line) return true;
    const nth = seen.get(line) ?? 0;
    seen.set(line, nth + 1);
    return line.paired?.[nth] !== true;
  });
}
