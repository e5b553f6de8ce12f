import { type ChainLine, type Fact, type FileFacts, INLINE, type Key, type SubagentId } from '../model/index.ts';
import { shareFiles } from './join-files.ts';
import {
  type CallSite,
  type CallSlot,
  compareSpots,
  Draft,
  FileState,
  Node,
  Slot,
  Spot,
  SubagentState,
} from './nodes.ts';
import { nameCalls, nameResults } from './pair-results.ts';
import { settle } from './settle-nodes.ts';

/** The state all stages work on: who claims which id, and what changed since the last `add` ended. */
export class Graph {
  readonly files = new Map<string, FileState>();
  readonly slots = new Map<Key, Slot>();
  readonly calls = new Map<string, CallSlot>();
  readonly subagents = new Map<SubagentId, SubagentState>();
  /** Which call a token leads to, as results, progress lines and notifications say. */
  readonly links = new Map<string, Set<string>>();
  readonly spawners: CallSite[] = [];
  /** Calls that own a sub-agent now. */
  spawnedAt = new Set<CallSite>();
  /** Main files by native session id. */
  readonly natives = new Map<string, FileState>();
  /** How many records hold two files together. */
  readonly bonds = new Map<string, { a: FileState; b: FileState; count: number }>();
  readonly conflicts = new Set<Slot>();
  readonly cycles = new Set<Draft[]>();
  readonly summaries = new Map<Key, Fact[]>();
  readonly touched = new Set<Draft>();
  readonly touchedFiles = new Set<FileState>();
  bondsBroken = false;
  linksChanged = false;
  readonly pending: Node[] = [];

  file(facts: FileFacts): FileState {
    let file = this.files.get(facts.id);
    if (!file) {
      file = new FileState(facts, this.files.size);
      this.files.set(facts.id, file);
      this.nameFile(file, facts.native);
      this.touchedFiles.add(file);
    }
    return file;
  }

  /** Of two files with one name the first by path answers to it. */
  nameFile(file: FileState, native: string): void {
    file.native = native;
    if (file.facts.role !== 'session') return;
    const known = this.natives.get(native);
    if (!known || file.facts.id < known.facts.id) this.natives.set(native, file);
    this.linksChanged = this.subagents.size > 0;
  }

  slot(key: Key): Slot {
    let slot = this.slots.get(key);
    if (!slot) {
      slot = new Slot(key);
      this.slots.set(key, slot);
    }
    return slot;
  }

  touch(draft: Draft): void {
    draft.published = null;
    this.touched.add(draft);
    this.touchedFiles.add(draft.head.spot.file);
  }
}

/** One line enters: as a new node, or as a copy of one. */
export function enter(graph: Graph, file: FileState, line: ChainLine): Node {
  const scope = scopeOf(graph, file, line);
  const spot = new Spot(line, file, scope === null ? file.lastMain : file.lastSub);
  if (scope === null) file.lastMain = spot;
  else file.lastSub = spot;
  file.spots.push(spot);
  const slot = graph.slot(line.key);
  const twin = findTwin(slot, file, line);
  if (scope !== null) enterSubagent(graph, scope, spot);
  if (twin) {
    addCopy(graph, twin, spot);
    return twin;
  }
  return addNode(graph, slot, spot, scope);
}

function addNode(graph: Graph, slot: Slot, spot: Spot, scope: SubagentId | null): Node {
  const node = new Node(slot, spot, scope);
  spot.node = node;
  insertNode(graph, slot, node);
  linkParent(graph, node);
  if (spot.line.calls.length > 0) nameCalls(graph, node);
  if (spot.line.place.as === 'result') nameResults(graph, node);
  settle(graph, node);
  return node;
}

/**
 * The sub-agent a line belongs to. Old logs write sub-agents between the lines of the session without an id: there it is the sub-agent
 * of the parent in this file; no parent, or one of the main line, begins a new one; a parent nobody knows means the one before.
 */
function scopeOf(graph: Graph, file: FileState, line: ChainLine): SubagentId | null {
  if (line.subagent !== INLINE) return line.subagent;
  const slot = line.parent === null ? undefined : graph.slots.get(line.parent);
  const parent = slot?.nodes.find((node) => isIn(node, file));
  if (parent?.scope) return parent.scope;
  if (line.parent === null || parent) return line.key;
  return file.lastSub?.node?.scope ?? line.key;
}

function isIn(node: Node, file: FileState): boolean {
  return node.spot.file === file || (node.copies?.some((spot) => spot.file === file) ?? false);
}

function enterSubagent(graph: Graph, id: SubagentId, spot: Spot): void {
  const state = subagentState(graph, id);
  state.spots.push(spot);
  state.files.add(spot.file);
  graph.linksChanged = true;
}

export function subagentState(graph: Graph, id: SubagentId): SubagentState {
  let state = graph.subagents.get(id);
  if (!state) {
    state = new SubagentState(id);
    graph.subagents.set(id, state);
  }
  return state;
}

/** The same id with the same content is the same line. A skipped line stands for itself in each file: it may not connect them (H7, H9). */
function findTwin(slot: Slot, file: FileState, line: ChainLine): Node | undefined {
  const alone = line.place.as === 'annotation';
  if (slot.nodes.length > 8 && !alone) {
    slot.byDigest ??= new Map(slot.nodes.map((node) => [node.line.digest, node]));
    return slot.byDigest.get(line.digest);
  }
  if (alone) {
    const own = slot.firstIn ? slot.firstIn.get(file) : slot.nodes[0];
    return own && own.spot.file === file && own.line.digest === line.digest ? own : undefined;
  }
  for (const node of slot.nodes)
    if (node.line.digest === line.digest && node.line.place.as !== 'annotation') return node;
  return undefined;
}

function insertNode(graph: Graph, slot: Slot, node: Node): void {
  const nodes = slot.nodes;
  let at = nodes.length;
  while (at > 0 && compareSpots((nodes[at - 1] as Node).spot, node.spot) > 0) at--;
  nodes.splice(at, 0, node);
  slot.byDigest?.set(node.line.digest, node);
  if (nodes.length === 1) graph.pending.push(...slot.children);
  else insertClaim(graph, slot, node, at);
}

/** One more line claims the same id: the first one keeps it, and lines below turn to the claim of their own file. */
function insertClaim(graph: Graph, slot: Slot, node: Node, at: number): void {
  graph.conflicts.add(slot);
  const file = node.spot.file;
  if (!slot.firstIn) {
    slot.firstIn = new Map();
    // Shared by two files from now on: a skipped line loses a link that led out of its file.
    for (const each of slot.nodes) {
      if (!slot.firstIn.has(each.spot.file)) slot.firstIn.set(each.spot.file, each);
      if (each !== node) graph.pending.push(each);
    }
    graph.pending.push(...slot.children);
  }
  const first = slot.firstIn.get(file);
  const isFirst = !first || first === node || compareSpots(node.spot, first.spot) < 0;
  if (isFirst) slot.firstIn.set(file, node);
  if (isFirst || at === 0) graph.pending.push(...slot.children);
  const second = slot.nodes[1];
  if (at === 0 && second?.draft) graph.touch(second.draft);
}

function linkParent(graph: Graph, node: Node): void {
  const key = parentKey(node);
  const slot = key === null ? null : graph.slot(key);
  if (slot === node.parentSlot) return;
  if (node.parentSlot) node.parentSlot.children.splice(node.parentSlot.children.indexOf(node), 1);
  node.parentSlot = slot;
  slot?.children.push(node);
}

/** Copies may have lost their parent when the history before them was dropped: the first that still has one counts. */
function parentKey(node: Node): Key | null {
  if (node.line.parent !== null || !node.copies) return node.line.parent;
  for (const copy of [...node.copies].sort(compareSpots)) if (copy.line.parent !== null) return copy.line.parent;
  return null;
}

/** The original is the copy that does not say it was forked, then the first by path. */
function isBetter(a: Spot, b: Spot): boolean {
  const forkedA = a.line.more?.forked === true;
  const forkedB = b.line.more?.forked === true;
  return forkedA === forkedB ? compareSpots(a, b) < 0 : forkedB;
}

function addCopy(graph: Graph, node: Node, spot: Spot): void {
  spot.node = node;
  node.copies ??= [];
  if (isBetter(spot, node.spot)) {
    node.copies.push(node.spot);
    node.spot = spot;
    node.slot.nodes.sort((a, b) => compareSpots(a.spot, b.spot));
    if (node.slot.nodes.length > 1) graph.pending.push(...node.slot.children);
  } else node.copies.push(spot);
  linkParent(graph, node);
  shareFiles(graph, node, spot);
  if (node.line.place.as === 'part') unitePart(graph, node, spot.file);
  if (node.draft) {
    graph.touch(node.draft);
    node.draft.parts.sort((a, b) => compareSpots(a.spot, b.spot));
  }
  graph.touchedFiles.add(spot.file);
  settle(graph, node);
}

const partKey = (node: Node): string => {
  const of = (node.line.place as { of: string }).of;
  return node.scope === null ? of : `${node.scope} ${of}`;
};

/** Lines of one answer share an id; a copy of one of them in another file brings the answers of both files together. */
export function unitePart(graph: Graph, node: Node, file: FileState): Draft {
  const key = partKey(node);
  const there = file.parts.get(key);
  if (!node.draft) {
    if (there) {
      joinDraft(graph, there, node);
      return there;
    }
    const draft = new Draft(node, node.scope);
    node.draft = draft;
    file.parts.set(key, draft);
    return draft;
  }
  if (!there) file.parts.set(key, node.draft);
  else if (there !== node.draft) {
    const gone = there;
    for (const part of gone.parts) joinDraft(graph, node.draft, part);
    gone.alive = false;
    graph.touched.add(gone);
    for (const each of graph.files.values()) if (each.parts.get(key) === gone) each.parts.set(key, node.draft);
    graph.pending.push(...node.draft.parts);
  }
  return node.draft;
}

function joinDraft(graph: Graph, draft: Draft, node: Node): void {
  node.draft = draft;
  const parts = draft.parts;
  let at = parts.length;
  while (at > 0 && compareSpots((parts[at - 1] as Node).spot, node.spot) > 0) at--;
  parts.splice(at, 0, node);
  graph.touch(draft);
}

/** A node for a step of the queue, which has no id and no parent and stands where it was written. */
export function addQueueNode(graph: Graph, spot: Spot): Node {
  return addNode(graph, graph.slot(spot.line.key), spot, null);
}
