import type { Nodes } from './nodes.ts';

/** Which nodes are folded: everything below them is out of sight. At first those are the sub-agents, which are long and beside the conversation. */
export class Folds {
  /** 1 for each that is folded. */
  readonly folded: Uint8Array;
  readonly #nodes: Nodes;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
    this.folded = new Uint8Array(nodes.length);
  }

  /** As at first, with one node in sight. */
  reset(inSight: number): void {
    const { length, parent } = this.#nodes;
    for (let at = 0; at < length; at++) this.folded[at] = beginsSubagent(this.#nodes, at) ? 1 : 0;
    for (let at = parent[inSight] ?? -1; at >= 0; at = parent[at] as number) this.folded[at] = 0;
  }

  has(at: number): boolean {
    return this.folded[at] === 1;
  }

  toggle(at: number): void {
    this.folded[at] = this.folded[at] ? 0 : 1;
  }

  open(): void {
    this.folded.fill(0);
  }
}

function beginsSubagent({ agent, parent }: Nodes, at: number): boolean {
  const up = parent[at] as number;
  return agent[at] !== 0 && (up < 0 || agent[up] !== agent[at]);
}
