import type { Key } from '../model/index.ts';
import { RowArranger, type Rows } from './arrange-rows.ts';
import { type FilterMode, filterNodes, needsTexts, nextMode } from './filters.ts';
import { Folds } from './folds.ts';
import type { Label } from './labels.ts';
import { keyOf, type Nodes, type SelectorNode } from './nodes.ts';
import { Search, withAncestors } from './search.ts';
import { type ReadText, type RowText, Texts } from './texts.ts';

export interface SelectorOptions {
  readonly labels?: ReadonlyMap<Key, Label>;
  readonly mode?: FilterMode;
  /** Selected at first; else the active leaf, or the last. */
  readonly selected?: Key;
}

/** One row as it is shown. */
export interface Row {
  readonly node: SelectorNode;
  readonly index: number;
  readonly depth: number;
  readonly isSelected: boolean;
  /** On the way to the active leaf. */
  readonly isActive: boolean;
  /** Only here because something below it was found. */
  readonly isDim: boolean;
  readonly fold: 'open' | 'folded' | null;
  /** What the filter lets through below it. */
  readonly below: number;
  readonly label: Label | null;
  readonly text: RowText;
}

/**
 * A session tree to walk: which rows there are under a filter, a search and folds, and which is selected. What rows say is read when a
 * row is shown; searching reads the rest step by step (`work`). Nothing here knows a screen.
 */
export class Selector {
  readonly nodes: Nodes;
  readonly texts: Texts;
  readonly #labels: Map<Key, Label>;
  readonly #folds: Folds;
  readonly #unfolded: Uint8Array;
  readonly #arranger: RowArranger;
  #mode: FilterMode;
  #query = '';
  #search: Search | null = null;
  /** The selected node. Under a filter that hides it, its row is the nearest one above. */
  #anchor: number;
  #passes: Uint8Array | null = null;
  #rows: Rows | null = null;
  /** The next text that is read ahead. */
  #ahead = 0;
  #top = 0;

  constructor(nodes: Nodes, read: ReadText, { labels = new Map(), mode = 'default', selected }: SelectorOptions = {}) {
    this.nodes = nodes;
    this.texts = new Texts(nodes, read);
    this.#labels = new Map(labels);
    this.#mode = mode;
    this.#folds = new Folds(nodes);
    this.#unfolded = new Uint8Array(nodes.length);
    this.#arranger = new RowArranger(nodes);
    const asked = selected === undefined ? -1 : nodes.find(selected);
    this.#anchor = asked >= 0 ? asked : nodes.leaf >= 0 ? nodes.leaf : nodes.length - 1;
    this.#folds.reset(this.#anchor);
  }

  get mode(): FilterMode {
    return this.#mode;
  }

  get query(): string {
    return this.#query;
  }

  /** How many rows there are. */
  get length(): number {
    return this.rows.length;
  }

  /** What a search found so far; null: nothing is looked for. */
  get found(): { readonly count: number; readonly isDone: boolean } | null {
    return this.#search && { count: this.#search.found, isDone: this.#search.isDone };
  }

  get rows(): Rows {
    this.#rows ??= this.#arranger.arrange(
      this.#search ? withAncestors(this.nodes, this.#search.hits, this.#passing) : this.#passing,
      // What is found is shown, folded away or not.
      this.#search ? this.#unfolded : this.#folds.folded,
    );
    return this.#rows;
  }

  /** The row that is selected; -1 when there is none. */
  get selected(): number {
    const { rows } = this;
    if (rows.length === 0) return -1;
    for (let at = this.#anchor; at >= 0; at = this.nodes.parent[at] as number) {
      const row = rows.rowOf[at] as number;
      if (row >= 0 && this.#isSelectable(row)) return row;
    }
    const beside = this.#search ? this.#nearest(this.#rowAt(this.#anchor), -1) : -1;
    return beside >= 0 ? beside : this.#search ? this.#nearest(0, 1) : rows.length - 1;
  }

  get selectedNode(): SelectorNode | null {
    return this.nodes.nodes[this.rows.node[this.selected] ?? -1] ?? null;
  }

  row(index: number, selected = this.selected): Row | null {
    const { rows } = this;
    const at = rows.node[index];
    const node = at === undefined ? undefined : this.nodes.nodes[at];
    if (at === undefined || !node) return null;
    return {
      node,
      index,
      depth: rows.depth[index] as number,
      isSelected: index === selected,
      isActive: this.nodes.active[at] === 1,
      isDim: this.#search !== null && !this.#search.hits[at],
      fold: this.isFoldable(index) ? (this.#isFolded(at) ? 'folded' : 'open') : null,
      below: rows.below[at] as number,
      label: this.#labels.get(keyOf(node) ?? '') ?? null,
      text: this.texts.get(at),
    };
  }

  /** The rows that fit a page, the selected one among them; what is shown moves as little as it can. */
  page(height: number): Row[] {
    const { selected } = this;
    const lowest = Math.max(0, this.length - height);
    this.#top = Math.min(lowest, Math.max(selected - height + 1, Math.min(Math.max(selected, 0), this.#top)));
    const shown: Row[] = [];
    for (let i = this.#top; i < Math.min(this.length, this.#top + height); i++)
      shown.push(this.row(i, selected) as Row);
    return shown;
  }

  /** While something is looked for, only what was found can be selected. */
  move(by: number): void {
    const { selected } = this;
    if (selected < 0) return;
    const wanted = Math.min(this.length - 1, Math.max(0, selected + by));
    const way = by < 0 ? -1 : 1;
    const row = [this.#nearest(wanted, way), this.#nearest(wanted, -way as 1 | -1)].find((each) => each >= 0);
    if (row !== undefined) this.#select(row);
  }

  setMode(mode: FilterMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#passes = null;
    this.#folds.reset(this.#anchor);
    this.#restart();
  }

  cycleMode(): void {
    this.setMode(nextMode(this.#mode));
  }

  setQuery(query: string): void {
    const isSame = query.trim() === this.#query.trim();
    this.#query = query;
    if (isSame) return;
    if (this.#search) this.#anchor = this.rows.node[this.selected] ?? this.#anchor;
    this.#folds.reset(this.#anchor);
    this.#restart();
  }

  isFoldable(row: number): boolean {
    const { rows } = this;
    const at = rows.node[row];
    return at !== undefined && this.#search === null && (rows.below[at] as number) > 0 && rows.head[row] === row;
  }

  /** Folds the branch that the selected row begins, or unfolds it. */
  toggleFold(): void {
    const at = this.rows.node[this.selected];
    if (at === undefined || !this.isFoldable(this.selected)) return;
    this.#folds.toggle(at);
    this.#anchor = at;
    this.#rows = null;
  }

  /** Folds the branch the selected row begins; inside a branch, and where it is folded already, goes up to where it begins. */
  foldOrRise(): void {
    const { selected, rows } = this;
    const at = rows.node[selected];
    if (at === undefined) return;
    if (this.isFoldable(selected) && !this.#folds.has(at)) {
      this.toggleFold();
      return;
    }
    const head = rows.head[selected] as number;
    const up = head >= 0 && head !== selected ? head : (rows.parent[selected] as number);
    const wanted = head < 0 ? 0 : up;
    if (wanted >= 0) this.#select(this.#search ? this.#nearest(wanted, 1) : wanted);
  }

  /** Unfolds; where nothing is folded, goes down to the next row that begins a branch. */
  unfoldOrSink(): void {
    const { selected, rows } = this;
    const at = rows.node[selected];
    if (at === undefined) return;
    if (this.#folds.has(at) && this.isFoldable(selected)) {
      this.toggleFold();
      return;
    }
    let row = selected + 1;
    while (row < rows.length && !(rows.head[row] === row && this.#isSelectable(row))) row++;
    this.#select(row < rows.length ? row : this.#nearest(rows.length - 1, -1));
  }

  unfoldAll(): void {
    this.#folds.open();
    this.#rows = null;
  }

  labelOf(node: SelectorNode): Label | null {
    return this.#labels.get(keyOf(node) ?? '') ?? null;
  }

  setLabel(key: Key, label: Label | null): void {
    if (label) this.#labels.set(key, label);
    else this.#labels.delete(key);
    this.#passes = null;
    this.#restart();
  }

  /**
   * Goes on with what takes longer than a frame: searching, and reading what the filter must know. Says whether something is left to
   * do. `isTimeUp` is asked after each text.
   */
  work(isTimeUp: () => boolean): boolean {
    const search = this.#search;
    if (search && !search.isDone) {
      const before = search.found;
      search.step(isTimeUp);
      if (search.found !== before) this.#rows = null;
      return true;
    }
    if (!needsTexts(this.#mode)) return false;
    for (; this.#ahead < this.nodes.length; this.#ahead++) {
      const isKnown = this.texts.known(this.#ahead) !== undefined;
      if (!this.texts.get(this.#ahead).isSaid) this.#forgetPasses();
      if (!isKnown && isTimeUp()) return true;
    }
    return false;
  }

  /** Does all of that now. */
  finish(): void {
    while (this.work(() => false));
  }

  get #passing(): Uint8Array {
    this.#passes ??= filterNodes(this.nodes, this.#mode, this.#labels, this.texts);
    return this.#passes;
  }

  #forgetPasses(): void {
    this.#passes = null;
    this.#rows = null;
  }

  #restart(): void {
    this.#rows = null;
    const known = { nodes: this.nodes, texts: this.texts, labels: this.#labels };
    this.#search = this.#query.trim() === '' ? null : new Search(this.#query, this.#anchor, this.#passing, known);
  }

  #select(row: number): void {
    this.#anchor = this.rows.node[row] ?? this.#anchor;
  }

  #isFolded(at: number): boolean {
    return this.#search === null && this.#folds.has(at);
  }

  #isSelectable(row: number): boolean {
    return this.#search === null || this.#search.hits[this.rows.node[row] as number] === 1;
  }

  /** From a row on, the first that can be selected; -1: none. */
  #nearest(row: number, way: number): number {
    for (let at = row; at >= 0 && at < this.length; at += way) if (this.#isSelectable(at)) return at;
    return -1;
  }

  /** The row of a node, or of the nearest one before it that has a row. */
  #rowAt(node: number): number {
    const { rowOf } = this.rows;
    for (let at = node; at >= 0; at--) if ((rowOf[at] as number) >= 0) return rowOf[at] as number;
    return 0;
  }
}
