import type { KeptVolume } from './merge-volumes.ts';
import { filtersOf } from './neighbours.ts';
import { eachEntry, postingsOf } from './read-blocks.ts';
import { PAGE_DOCS } from './volume.ts';

/** What each document has: its terms, in order, with how often they stand there. Goes through the whole volume. */
export function documentsOf(volume: KeptVolume): { terms: string[]; neighbours: Uint8Array }[] {
  const documents: { terms: string[]; neighbours: Uint8Array }[] = [];
  for (let first = 0; first < volume.ids.length; first += PAGE_DOCS) {
    const size = Math.min(PAGE_DOCS, volume.ids.length - first);
    for (const neighbours of filtersOf(volume.neighbours(first / PAGE_DOCS), size))
      documents.push({ terms: [], neighbours });
  }
  for (const entry of eachEntry(volume)) {
    const { docs, times } = postingsOf(entry);
    docs.forEach((doc, i) => void documents[doc]?.terms.push(`${entry.text} ${times[i]}`));
  }
  return documents;
}
