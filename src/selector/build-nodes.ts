import type { Key, LogRecord, Segment, Session, Subagent } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { isPrompt, keyOf, type Nodes, type SelectorNode } from './nodes.ts';

/** The tree of a session: the active branch first, the others as they were begun; a sub-agent hangs on the record that started it. */
export function buildNodes(tree: Tree, session: Session, leaf: Key | null = session.leaf): Nodes {
  const builder = new Builder(tree, session.subagents);
  const above = builder.addOpening(session);
  const end = tree.record(leaf ?? threadLeaf(session) ?? '')?.id ?? null;
  builder.addAll(orderSegments(tree.segments(session.id), end), above);
  return builder.finish(end);
}

/** Only the prompts, in the order they were written, on whatever branch. */
export function buildPrompts(tree: Tree, session: Session): Nodes {
  const builder = new Builder(tree, []);
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

class Builder {
  readonly #tree: Tree;
  readonly #spawned = new Map<Key, Subagent[]>();
  readonly #loose: Subagent[] = [];
  readonly #nodes: SelectorNode[] = [];
  readonly #parent: number[] = [];
  readonly #agent: number[] = [];
  readonly #byKey = new Map<Key, number>();
  #agents = 0;

  constructor(tree: Tree, subagents: readonly Subagent[]) {
    this.#tree = tree;
    for (const subagent of subagents) {
      if (subagent.hidden) continue;
      const spawn = subagent.spawn ? (tree.record(subagent.spawn.record)?.id ?? null) : null;
      if (spawn === null) this.#loose.push(subagent);
      else this.#spawned.set(spawn, [...(this.#spawned.get(spawn) ?? []), subagent]);
    }
  }

  addOpening({ annotations }: Session): number {
    let above = -1;
    for (const annotation of annotations) above = this.#add({ record: null, annotation }, above, 0);
    return above;
  }

  /** Depth first, without recursion: a log may nest as deep as it likes. */
  addAll(segments: readonly Segment[], above: number): void {
    const runs: Run[] = this.#loose.map((subagent) => this.#runOf(subagent, -1)).reverse();
    pushRuns(runs, segments, above);
    for (let run = runs.at(-1); run; run = runs.at(-1)) {
      const key = run.keys[run.at++];
      if (key === undefined) {
        runs.pop();
        pushRuns(runs, run.next, run.above);
        continue;
      }
      const record = this.#tree.record(key);
      if (!record) continue;
      const node = this.addRecord(record, run.above, run.agent);
      run.above = this.#addAnnotations(record, node, run.agent);
      const spawned = this.#spawned.get(record.id);
      if (!spawned) continue;
      // A log that says that a sub-agent started itself is believed once.
      this.#spawned.delete(record.id);
      for (const subagent of spawned.reverse()) runs.push(this.#runOf(subagent, node));
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
    return { keys: this.#tree.subagentRecords(subagent.id), next: [], agent: ++this.#agents, at: 0, above };
  }

  #addAnnotations(record: LogRecord, node: number, agent: number): number {
    let above = node;
    for (const annotation of record.annotations) above = this.#add({ record, annotation }, above, agent);
    return above;
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

/** The last of the stack comes first. */
function pushRuns(runs: Run[], segments: readonly Segment[], above: number): void {
  for (let i = segments.length - 1; i >= 0; i--) {
    const { records, children } = segments[i] as Segment;
    runs.push({ keys: records, next: children, agent: 0, at: 0, above });
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
