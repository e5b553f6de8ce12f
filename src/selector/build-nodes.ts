import type { Annotation, Key, LogRecord, Segment, Session, SessionId, Subagent } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { isPrompt, keyOf, type Nodes, type SelectorNode } from './nodes.ts';

/** The tree of a session: the active branch first, the others as they were begun; a sub-agent hangs on the record that started it. */
export function buildNodes(tree: Tree, session: Session, leaf: Key | null = session.leaf): Nodes {
  const builder = new Builder(tree, session, session.subagents, tree.storesBranches(session.id));
  const end = tree.record(leaf ?? threadLeaf(session) ?? '')?.id ?? null;
  builder.addAll(session.annotations, orderSegments(tree.segments(session.id), end));
  return builder.finish(end);
}

/** Only the prompts, in the order they were written, on whatever branch. */
export function buildPrompts(tree: Tree, session: Session): Nodes {
  const builder = new Builder(tree, session, [], false);
  for (const id of tree.records(session.id)) {
    const record = tree.record(id);
    if (record && !record.hidden && isPrompt({ record, annotation: null })) builder.addRecord(record, -1, 0);
  }
  return builder.finish(null);
}

const threadLeaf = ({ threads, defaultThread }: Session): Key | null =>
  threads.find(({ id }) => id === defaultThread)?.leaf ?? threads[0]?.leaf ?? null;

/** A run of records that follow each other, and what comes after the last. */
interface Run {
  readonly keys: readonly Key[];
  readonly next: readonly Segment[];
  readonly agent: number;
  at: number;
  above: number;
}

/** An annotation, and what hangs on it. */
interface Aside {
  readonly node: SelectorNode & { readonly annotation: Annotation };
  readonly agent: number;
  readonly below: (Run | Aside)[];
  above: number;
}

class Builder {
  readonly #tree: Tree;
  readonly #session: SessionId;
  readonly #isStored: boolean;
  readonly #spawned = new Map<Key, Subagent[]>();
  readonly #loose: Subagent[] = [];
  readonly #nodes: SelectorNode[] = [];
  readonly #parent: number[] = [];
  readonly #agent: number[] = [];
  readonly #byKey = new Map<Key, number>();
  #agents = 0;

  /** `isStored`: the log says what hangs on what, annotations included. Else these are read where they stand. */
  constructor(tree: Tree, { id }: Session, subagents: readonly Subagent[], isStored: boolean) {
    this.#tree = tree;
    this.#session = id;
    this.#isStored = isStored;
    for (const subagent of subagents) {
      if (subagent.hidden) continue;
      const spawn = subagent.spawn ? (tree.record(subagent.spawn.record)?.id ?? null) : null;
      if (spawn === null) this.#loose.push(subagent);
      else {
        const known = this.#spawned.get(spawn);
        if (known) known.push(subagent);
        else this.#spawned.set(spawn, [subagent]);
      }
    }
  }

  /** Depth first, without recursion: a log may nest as deep as it likes. */
  addAll(opening: readonly Annotation[], segments: readonly Segment[]): void {
    const stack: (Run | Aside)[] = this.#loose.map((subagent) => this.#runOf(subagent, -1)).reverse();
    this.#follow(stack, { record: null, annotations: opening, node: -1, agent: 0 }, runsOf(segments));
    for (let item = stack.pop(); item; item = stack.pop()) {
      if ('below' in item) {
        put(stack, item.below, this.#add(item.node, item.above, item.agent));
        continue;
      }
      const { keys, next, agent } = item;
      const key = keys[item.at++];
      const record = key === undefined ? null : this.#tree.record(key);
      const follows = item.at < keys.length ? [item] : runsOf(next);
      if (!record) {
        put(stack, follows, item.above);
        continue;
      }
      const node = this.addRecord(record, item.above, agent);
      this.#follow(stack, { record, annotations: record.annotations, node, agent }, follows);
      const spawned = this.#spawned.get(record.id);
      if (!spawned) continue;
      // A log that says that a sub-agent started itself is believed once.
      this.#spawned.delete(record.id);
      for (const subagent of spawned.reverse()) stack.push(this.#runOf(subagent, node));
    }
  }

  addRecord(record: LogRecord, above: number, agent: number): number {
    const node = this.#add({ record, annotation: null }, above, agent);
    for (const alias of record.aliases) if (!this.#byKey.has(alias)) this.#byKey.set(alias, node);
    return node;
  }

  finish(leafKey: Key | null): Nodes {
    const parent = Int32Array.from(this.#parent);
    const active = new Uint8Array(parent.length);
    const leaf = leafKey === null ? -1 : (this.#byKey.get(leafKey) ?? -1);
    for (let at = leaf; at >= 0; at = parent[at] ?? -1) active[at] = 1;
    const byKey = this.#byKey;
    return {
      length: parent.length,
      nodes: this.#nodes,
      parent,
      agent: Int32Array.from(this.#agent),
      active,
      leaf,
      find: (key) => byKey.get(key) ?? -1,
    };
  }

  #runOf(subagent: Subagent, above: number): Run {
    return {
      keys: this.#tree.subagentRecords(subagent.id, this.#session),
      next: [],
      agent: ++this.#agents,
      at: 0,
      above,
    };
  }

  /** What comes after a record: its annotations, and the records below it. */
  #follow(stack: (Run | Aside)[], place: Place, follows: readonly Run[]): void {
    if (this.#isStored && place.annotations.length > 0) {
      put(stack, this.#hang(place, follows), place.node);
      return;
    }
    let above = place.node;
    for (const annotation of place.annotations)
      above = this.#add({ record: place.record, annotation }, above, place.agent);
    put(stack, follows, above);
  }

  /** Each on the annotation that it hangs on, or on the record itself; what leads to no record comes last. */
  #hang({ record, annotations, agent }: Place, follows: readonly Run[]): (Run | Aside)[] {
    const top: (Run | Aside)[] = [];
    const asides = annotations.map(
      (annotation): Aside => ({ node: { record, annotation }, agent, below: [], above: -1 }),
    );
    const byKey = new Map(asides.map((aside, at) => [aside.node.annotation.key, at]));
    const placed = new Set<Aside>();
    /** `before`: what an annotation hangs on stands before it, or the way would go round. */
    const place = (item: Run | Aside, on: Key | null, before: number): void => {
      for (;;) {
        const at = byKey.get(on) ?? before;
        const aside = on === null || at >= before ? undefined : asides[at];
        (aside?.below ?? top).push(item);
        if (!aside || placed.has(aside)) return;
        placed.add(aside);
        [item, on, before] = [aside, aside.node.annotation.parent, at];
      }
    };
    for (const run of follows) place(run, this.#tree.hangsOn(run.keys[run.at] ?? ''), asides.length);
    for (const [at, aside] of asides.entries()) {
      if (placed.has(aside)) continue;
      placed.add(aside);
      place(aside, aside.node.annotation.parent, at);
    }
    return top;
  }

  #add(node: SelectorNode, above: number, agent: number): number {
    const at = this.#nodes.push(node) - 1;
    this.#parent.push(above);
    this.#agent.push(agent);
    const key = keyOf(node);
    if (key !== null && !this.#byKey.has(key)) this.#byKey.set(key, at);
    return at;
  }
}

/** What annotations stand after: a record, or nothing yet. */
interface Place {
  readonly record: LogRecord | null;
  readonly annotations: readonly Annotation[];
  readonly node: number;
  readonly agent: number;
}

const runsOf = (segments: readonly Segment[]): Run[] =>
  segments.map(({ records, children }) => ({ keys: records, next: children, agent: 0, at: 0, above: -1 }));

/** The last of the stack comes first. */
function put(stack: (Run | Aside)[], items: readonly (Run | Aside)[], above: number): void {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as Run | Aside;
    item.above = above;
    stack.push(item);
  }
}

/** At every fork the branch with the leaf goes first. */
function orderSegments(roots: readonly Segment[], leaf: Key | null): readonly Segment[] {
  const path = pathTo(roots, leaf);
  let siblings = roots;
  let below: { -readonly [name in keyof Segment]: Segment[name] } | null = null;
  let ordered = roots;
  for (const segment of path) {
    const copy = { ...segment };
    const chosen = [copy, ...siblings.filter((each) => each !== segment)];
    if (below) below.children = chosen;
    else ordered = chosen;
    siblings = segment.children;
    below = copy;
  }
  return ordered;
}

/** The segments from a root to the one with the leaf. */
function pathTo(roots: readonly Segment[], leaf: Key | null): Segment[] {
  if (leaf === null) return [];
  const above = new Map<Segment, Segment | null>(roots.map((root) => [root, null]));
  for (const [segment] of above) {
    if (segment.records.includes(leaf)) {
      const path: Segment[] = [];
      for (let at: Segment | null = segment; at; at = above.get(at) ?? null) path.push(at);
      return path.reverse();
    }
    for (const child of segment.children) above.set(child, segment);
  }
  return [];
}
