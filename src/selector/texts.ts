import type { Label } from './labels.ts';
import { keyOf, type Nodes, type SelectorNode } from './nodes.ts';

/** What a row says, as it stands in the log: whoever shows it makes it printable. */
export interface RowText {
  /** `user`, `assistant`, `compaction` … */
  readonly role: string;
  readonly text: string;
  /** The calls of an answer, each in a few words. */
  readonly calls: readonly string[];
  /** There is more than calls in it. */
  readonly isSaid: boolean;
  /** Something failed: a call, or the answer itself. */
  readonly isError: boolean;
}

/** Reads what a node says, from the file. */
export type ReadText = (node: SelectorNode) => RowText;

/** What rows say. Each is read when it is first needed, and kept. */
export class Texts {
  readonly #nodes: Nodes;
  readonly #read: ReadText;
  readonly #known: (RowText | undefined)[];
  readonly #lower: (string | undefined)[];
  /** How many were read. */
  reads = 0;

  constructor(nodes: Nodes, read: ReadText) {
    this.#nodes = nodes;
    this.#read = read;
    this.#known = new Array(nodes.length);
    this.#lower = new Array(nodes.length);
  }

  known(at: number): RowText | undefined {
    return this.#known[at];
  }

  get(at: number): RowText {
    const known = this.#known[at];
    if (known) return known;
    const text = this.#read(this.#nodes.nodes[at] as SelectorNode);
    this.#known[at] = text;
    this.reads++;
    return text;
  }

  /** Whether a node says all of these words (in small letters), wherever, its label included. */
  holds(at: number, words: readonly string[], labels: ReadonlyMap<string, Label>): boolean {
    let text = this.#lower[at];
    if (text === undefined) {
      const row = this.get(at);
      text = `${row.role}: ${row.text} ${row.calls.join(' ')}`.toLowerCase();
      this.#lower[at] = text;
    }
    const said = text;
    const label = labels.get(keyOf(this.#nodes.nodes[at] as SelectorNode) ?? '')?.text.toLowerCase() ?? '';
    return words.every((word) => said.includes(word) || label.includes(word));
  }
}
