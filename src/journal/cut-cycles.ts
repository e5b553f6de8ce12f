/** Cuts every ring of parents at its first entry, which then has none, and gives these entries. Parents are places; -1: none. */
export function cutCycles(parents: Int32Array): number[] {
  const cuts: number[] = [];
  /** By which walk an entry was reached first. */
  const reached = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const walk = start + 1;
    let at = start;
    while (at >= 0 && reached[at] === 0) {
      reached[at] = walk;
      at = parents[at] ?? -1;
    }
    if (at < 0 || reached[at] !== walk) continue;
    const first = firstInRing(at, parents);
    parents[first] = -1;
    cuts.push(first);
  }
  return cuts;
}

function firstInRing(start: number, parents: Int32Array): number {
  let first = start;
  for (let at = parents[start] ?? -1; at !== start; at = parents[at] ?? -1) first = Math.min(first, at);
  return first;
}
