import type { LineRef } from './ids.ts';
import type { RecordLine } from './record.ts';

/** Finds the line of a record that stands at a place: blocks and calls keep the id and the time of theirs. */
export function lineFinder(lines: readonly RecordLine[]): (at: LineRef) => RecordLine | undefined {
  const isAt = ({ ref }: RecordLine, at: LineRef): boolean => ref.line === at.line && ref.file === at.file;
  if (lines.length < MANY) return (at) => lines.find((line) => isAt(line, at));
  // An answer may have thousands, and each of its blocks asks.
  const byLine = Map.groupBy(lines, ({ ref }) => ref.line);
  return (at) => byLine.get(at.line)?.find((line) => isAt(line, at));
}

const MANY = 16;
