import type { Hit } from '../../search/index.ts';

/** Of one session, the best first. */
export type HitGroup = readonly [Hit, ...Hit[]];

/** The hits of each session together; the session with the best one first. */
export function groupHits(hits: readonly Hit[]): HitGroup[] {
  const groups = new Map<string, [Hit, ...Hit[]]>();
  for (const hit of hits) {
    const key = `${hit.project.path}\n${hit.session}`;
    const known = groups.get(key);
    if (known) known.push(hit);
    else groups.set(key, [hit]);
  }
  return [...groups.values()];
}
