import type { Label } from './labels.ts';
import type { Nodes } from './nodes.ts';
import type { Texts } from './texts.ts';

export const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/**
 * Looks for nodes that say all words, in steps: whoever asks decides how long a step takes. From a node upwards first, then downwards,
 * so that the nearest one above is found at once.
 */
export class Search {
  readonly words: readonly string[];
  /** 1 for every node found so far. */
  readonly hits: Uint8Array;
  found = 0;
  readonly #nodes: Nodes;
  readonly #texts: Texts;
  readonly #labels: ReadonlyMap<string, Label>;
  readonly #among: Uint8Array;
  #up: number;
  #down: number;

  /** `among`: 1 for each node that may be found. */
  constructor(
    query: string,
    from: number,
    among: Uint8Array,
    known: { readonly nodes: Nodes; readonly texts: Texts; readonly labels: ReadonlyMap<string, Label> },
  ) {
    this.words = wordsOf(query);
    this.#nodes = known.nodes;
    this.#texts = known.texts;
    this.#labels = known.labels;
    this.#among = among;
    this.hits = new Uint8Array(known.nodes.length);
    this.#up = Math.min(Math.max(from, 0), known.nodes.length - 1);
    this.#down = this.#up + 1;
  }

  get isDone(): boolean {
    return this.#up < 0 && this.#down >= this.#nodes.length;
  }

  /** Looks at nodes until time is up. */
  step(isTimeUp: () => boolean): void {
    while (!this.isDone) {
      const at = this.#up >= 0 ? this.#up-- : this.#down++;
      if (!this.#among[at]) continue;
      if (this.#texts.holds(at, this.words, this.#labels)) {
        this.hits[at] = 1;
        this.found++;
      }
      if (isTimeUp()) return;
    }
  }
}

/** What stays on the screen: the hits, and everything above them that may be shown. */
export function withAncestors(nodes: Nodes, hits: Uint8Array, passes: Uint8Array): Uint8Array {
  const wanted = new Uint8Array(nodes.length);
  const shown = new Uint8Array(nodes.length);
  for (let at = nodes.length - 1; at >= 0; at--) {
    if (!hits[at] && !wanted[at]) continue;
    if (passes[at]) shown[at] = 1;
    const up = nodes.parent[at] as number;
    if (up >= 0) wanted[up] = 1;
  }
  return shown;
}
