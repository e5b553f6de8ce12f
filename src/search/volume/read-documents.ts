import type { KeptVolume } from './merge-volumes.ts';
import { filtersOf } from './pairs.ts';
import { eachEntry, postingsOf } from './read-blocks.ts';
import { PAGE_DOCS } from './volume.ts';

/** What each document has: its terms, in order, with how often they stand there. Goes through the whole volume. */
export function documentsOf(volume: KeptVolume): { terms: string[]; pairs: Uint8Array }[] {
  const documents: { terms: string[]; pairs: Uint8Array }[] = [];
  for (let first = 0; first < volume.ids.length; first += PAGE_DOCS) {
    const size = Math.min(PAGE_DOCS, volume.ids.length - first);
    for (const pairs of filtersOf(volume.pairs(first / PAGE_DOCS), size)) documents.push({ terms: [], pairs });
  }
  for (const entry of eachEntry(volume)) {
    const { docs, times } = postingsOf(entry);
    docs.forEach((doc, i) => void documents[doc]?.terms.push(`${entry.text} ${times[i]}`));
  }
  return documents;
}
