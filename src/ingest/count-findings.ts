import { checkMessages } from '../messages/index.ts';
import type { LogRecord, RecordContent } from '../model/index.ts';
import type { FindingCounts } from '../stores/index.ts';
import type { Tree } from '../tree/index.ts';
import { type ResultsAt, strayResults } from './message-rows.ts';

const NOTHING: RecordContent = { own: [], replies: [], results: new Map(), annotations: [] };

/** How much is odd about a tree and its messages (M5), as `skein check` lists it, but for what only a survey of every key finds. */
export function countFindings(tree: Tree, resultsAt: ResultsAt): FindingCounts {
  const counts = { error: 0, warning: 0, note: 0 };
  const content = (record: LogRecord): RecordContent => {
    const strays = strayResults(record, resultsAt);
    if (strays.length === 0) return NOTHING;
    const own = strays.map(
      ({ at, of }) => ({ type: 'result', at, of: of.call, output: null, isError: of.isError }) as const,
    );
    return { ...NOTHING, own };
  };
  for (const { severity } of tree.findings()) counts[severity]++;
  for (const { severity } of checkMessages(tree, content)) counts[severity]++;
  return counts;
}
