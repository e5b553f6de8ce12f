import type { Node, Spot } from './nodes.ts';

/** The record a reply answers: its parent, or where it has none the record written before it. */
export function findHost(node: Node): Node | null {
  const place = node.spot.place;
  if (place.as !== 'reply') return null;
  const accepts = (other: Node): boolean =>
    other.spot.place.as === 'record' &&
    other.scope === node.scope &&
    place.of.includes(other.spot.kind) &&
    other !== node;
  let above = node.target;
  // Hooks may have written in between; further output comes after output.
  for (let steps = 0; above && steps < 64 && isPassed(above, place.makes === null); steps++) above = above.target;
  if (above && accepts(above)) return above;
  if (place.to === 'parent' && node.parentSlot) return null;
  for (const before of linesBefore(node)) {
    if (!isPassed(before, true)) return accepts(before) ? before : null;
  }
  return null;
}

/** The lines written before one in its file, of the main line or of sub-agents; steps of the queue come and go. */
function* linesBefore({ spot: { file, lineNumber }, scope }: Node): Generator<Node> {
  const { spots } = file;
  for (let at = spotsBefore(spots, lineNumber) - 1, steps = 0; at >= 0 && steps < 64; at--) {
    const { node, more } = spots[at] as Spot;
    if (((node?.scope ?? null) === null) !== (scope === null)) continue;
    if (node && !more?.step) yield node;
    steps++;
  }
}

/** How many of the spots of a file stand before a line. */
function spotsBefore(spots: readonly Spot[], lineNumber: number): number {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spots[middle] as Spot).lineNumber < lineNumber) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isPassed({ spot: { place } }: Node, replies: boolean): boolean {
  return place.as === 'annotation' ? !place.gathers : replies && place.as === 'reply';
}
