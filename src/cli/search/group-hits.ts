import type { Hit } from '../../search/index.ts';

/** The hits of each session together; the session with the best one first. */
export function groupHits(hits: readonly Hit[]): Hit[][] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const key = `${hit.project.path}\n${hit.session}`;
    const known = groups.get(key);
    if (known) known.push(hit);
    else groups.set(key, [hit]);
  }
  return [...groups.values()];
}
