import type { Accounting } from '../model/index.ts';
import { arrange } from './arrange-threads.ts';
import type { FileState, Spot } from './nodes.ts';

type Bucket = keyof Accounting;

/** Where every line went (H23): the first bucket that fits. */
export function accountLines(files: Iterable<FileState>): Accounting {
  const sums: Record<Bucket, number> = { records: 0, folded: 0, annotations: 0, bookkeeping: 0, reported: 0 };
  for (const file of files) {
    const copies = file.facts.role === 'session' ? arrange(file.component).folded : null;
    sums.reported += file.reported;
    sums.bookkeeping += file.bookkeeping;
    for (const spot of file.spots) {
      const bucket = bucketOf(spot);
      const copied = bucket === 'records' && spot.node?.draft && copies?.has(spot.node.draft);
      sums[copied ? 'folded' : bucket]++;
    }
  }
  return sums;
}

function bucketOf(spot: Spot): Bucket {
  const { node } = spot;
  if (spot.more?.reported) return 'reported';
  if (!node) return spot.file.steps.get(spot) === 'folded' ? 'folded' : 'bookkeeping';
  if (node.spot !== spot) return 'folded';
  if (node.role === 'annotation') {
    const first = node.slot.first;
    if (first !== node && first?.spot.digest === spot.digest) return 'folded';
    return spot.key === `${stemOf(spot)}:${spot.lineNumber}` ? 'bookkeeping' : 'annotations';
  }
  return node.draft && node.draft.head === node && node.role !== 'reply' ? 'records' : 'folded';
}

const stemOf = (spot: Spot): string => (spot.file.facts.path.split('/').pop() ?? '').replace(/\.jsonl$/, '');
