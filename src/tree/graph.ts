import {
  type ChainLine,
  type Fact,
  type FileFacts,
  INLINE,
  type Key,
  type Place,
  type SubagentId,
} from '../model/index.ts';
import { bondCopy } from './join-files.ts';
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
import { nameCalls, nameResults, pairAgain } from './pair-results.ts';
import { dropDraft, settle } from './settle-nodes.ts';

/** The state all stages work on: who claims which id, and what changed since the last `add` ended. */
export class Graph {
  readonly files = new Map<string, FileState>();
  readonly slots = new Map<Key, Slot>();
  readonly calls = new Map<string, CallSlot>();
  readonly subagents = new Map<SubagentId, SubagentState>();
  /** Which call a token leads to, as results, progress lines and notifications say. */
  readonly links = new Map<string, Map<string, number>>();
  /** Calls that somebody named as the start of a sub-agent. */
  readonly linkedCalls = new Set<string>();
  readonly spawners: CallSite[] = [];
  /** Calls that own a sub-agent now. */
  spawnedAt = new Set<CallSite>();
  /** Main files by native session id. */
  readonly natives = new Map<string, FileState>();
  /** How many records hold two files together. */
  readonly bonds = new Map<string, { a: FileState; b: FileState; count: number }>();
  /** Pairs of files that a line holds together by standing in both. */
  readonly copyBonds = new Map<Node, (readonly [FileState, FileState])[]>();
  readonly conflicts = new Set<Slot>();
  readonly cycles = new Set<Draft[]>();
  readonly summaries = new Map<Key, Fact[]>();
  readonly touched: Draft[] = [];
  /** Counts the commits, so that a record is listed once in each. */
  round = 0;
  readonly touchedFiles: FileState[] = [];
  readonly touchedSubagents = new Set<SubagentId>();
  bondsBroken = false;
  linksChanged = false;
  /** Sessions appeared, vanished, joined or were renamed. */
  homesChanged = true;
  readonly pending: Node[] = [];

  file(facts: FileFacts): FileState {
    let file = this.files.get(facts.id);
    if (!file) {
      file = new FileState(facts, this.files.size);
      this.files.set(facts.id, file);
      this.nameFile(file, facts.native);
      this.touchFile(file);
    }
    return file;
  }

  /** A file answers to its name and to the id in its header; of several that answer the first by path is meant. */
  nameFile(file: FileState, native: string): void {
    file.native = native;
    this.homesChanged = true;
    this.touchFile(file);
    if (file.facts.role !== 'session') return;
    const known = this.natives.get(native);
    if (!known || file.facts.id < known.facts.id) this.natives.set(native, file);
    if (this.subagents.size > 0) this.linksChanged = true;
  }

  slot(key: Key): Slot {
    let slot = this.slots.get(key);
    if (!slot) {
      slot = new Slot(key);
      this.slots.set(key, slot);
    }
    return slot;
  }

  /** Records were moved, dropped or put between others: the session has to be arranged from the beginning. */
  rearrange(file: FileState): void {
    file.component.arrangement = null;
  }

  touchFile(file: FileState): void {
    if (file.round === this.round) return;
    file.round = this.round;
    this.touchedFiles.push(file);
  }

  touch(draft: Draft): void {
    draft.published = null;
    this.touchFile(draft.head.spot.file);
    if (draft.round === this.round) return;
    draft.round = this.round;
    this.touched.push(draft);
    if (draft.scope !== null) this.touchedSubagents.add(draft.scope);
  }
}

/** One line enters: as a new node, or as a copy of one. */
export function enter(graph: Graph, file: FileState, line: ChainLine): Node {
  const scope = scopeOf(graph, file, line);
  const spot = new Spot(line, file, scope === null ? file.lastMain : file.lastSub);
  if (scope === null) file.lastMain = spot;
  else file.lastSub = spot;
  file.spots.push(spot);
  graph.touchFile(file);
  const slot = graph.slot(line.key);
  const twin = findTwin(slot, file, line, scope);
  if (twin) addCopy(graph, twin, spot);
  const node = twin ?? addNode(graph, slot, spot, scope);
  const state = scope === null ? null : enterSubagent(graph, scope, spot);
  if (line.time !== null && line.place.as !== 'annotation') noteTime(state ?? file, line.time);
  return node;
}

export function noteTime(whose: FileState | SubagentState, time: number): void {
  if (whose.firstTime === null || time < whose.firstTime) whose.firstTime = time;
  if (whose.lastTime === null || time > whose.lastTime) whose.lastTime = time;
}

/** A node for a step of the queue, which has no id and no parent and stands where it was written. */
export function addQueueNode(graph: Graph, spot: Spot): Node {
  return addNode(graph, graph.slot(spot.line.key), spot, null);
}

function addNode(graph: Graph, slot: Slot, spot: Spot, scope: SubagentId | null): Node {
  const node = new Node(slot, spot, scope);
  spot.node = node;
  const at = slot.insert(node);
  if (!slot.others) revisitChildren(graph, slot);
  else if (slot.others.length === 1 || at === 0 || slot.others.at(-1) !== node) orderClaims(graph, slot);
  else addClaim(graph, slot, node);
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
  const parent = line.parent === null ? null : firstClaimIn(graph.slots.get(line.parent), file);
  if (parent?.scope) return parent.scope;
  if (line.parent === null || parent) return line.key;
  return file.lastSub?.node?.scope ?? line.key;
}

function firstClaimIn(slot: Slot | undefined, file: FileState): Node | null {
  let first: Spot | null = null;
  for (const { spot, copies } of slot?.nodes ?? []) {
    for (const each of copies ? [spot, ...copies] : [spot]) {
      if (each.file === file && (!first || each.line.ref.line < first.line.ref.line)) first = each;
    }
  }
  return first?.node ?? null;
}

/** Whether a line stands in a file, as original or copy. */
export function isIn(node: Node, file: FileState): boolean {
  return node.spot.file === file || (node.copies?.some((spot) => spot.file === file) ?? false);
}

function enterSubagent(graph: Graph, id: SubagentId, spot: Spot): SubagentState {
  const state = subagentState(graph, id);
  graph.touchedSubagents.add(id);
  state.spots.push(spot);
  const isNewFile = !state.files.has(spot.file);
  state.files.add(spot.file);
  if (spot.line.more?.tokens && (!state.opening || compareSpots(spot, state.opening) < 0)) {
    state.opening = spot;
    graph.linksChanged = true;
  }
  if (state.first && compareSpots(state.first, spot) < 0 && !isNewFile) return state;
  if (!state.first || compareSpots(spot, state.first) < 0) {
    state.first = spot;
    graph.homesChanged = true;
  }
  graph.linksChanged = true;
  return state;
}

export function subagentState(graph: Graph, id: SubagentId): SubagentState {
  let state = graph.subagents.get(id);
  if (!state) {
    state = new SubagentState(id);
    graph.subagents.set(id, state);
    graph.homesChanged = true;
  }
  return state;
}

/**
 * The same id with the same content and meaning, on the main line or in the same sub-agent, is the same line. A skipped line stands for
 * itself in each file: it may not connect them (H7, H9).
 */
function findTwin(slot: Slot, file: FileState, line: ChainLine, scope: SubagentId | null): Node | undefined {
  if (!slot.first) return undefined;
  if (!slot.others) return isTwin(slot.first, file, line, scope) ? slot.first : undefined;
  slot.bySign ??= new Map(slot.nodes.map((node) => [signOf(node.line, node.scope, node.spot.file), node]));
  return slot.bySign.get(signOf(line, scope, file));
}

function isTwin(node: Node, file: FileState, line: ChainLine, scope: SubagentId | null): boolean {
  const other = node.line;
  if (other.digest !== line.digest || other.kind !== line.kind || node.scope !== scope) return false;
  const place = line.place;
  if (place.as !== other.place.as) return false;
  return detailOf(place, file) === detailOf(other.place, node.spot.file);
}

function signOf(
  { digest, kind, place }: Pick<ChainLine, 'digest' | 'kind' | 'place'>,
  scope: SubagentId | null,
  file: FileState,
): string {
  return `${digest} ${kind} ${place.as} ${detailOf(place, file)} ${scope}`;
}

function detailOf(place: Place, file: FileState): string | number {
  if (place.as === 'part') return place.of;
  if (place.as === 'annotation' || (place.as === 'reply' && place.otherwise === 'annotation')) return file.index;
  return place.as === 'result' ? place.of.map(({ call }) => call).join(' ') : '';
}

export function revisitChildren(graph: Graph, slot: Slot): void {
  for (let child = slot.children; child; child = child.sibling) graph.pending.push(child);
}

/** One more claim after the others changes nothing for them. */
function addClaim(graph: Graph, slot: Slot, node: Node): void {
  const { file } = node.spot;
  graph.rearrange(file);
  slot.bySign?.set(signOf(node.line, node.scope, file), node);
  if (slot.firstIn?.has(file)) return;
  slot.firstIn?.set(file, node.spot);
  revisitChildren(graph, slot);
}

/** The claims on an id are several, or their order changed: names change, and lines below turn to the claim of their own file. */
function orderClaims(graph: Graph, slot: Slot): void {
  graph.conflicts.add(slot);
  slot.bySign = null;
  slot.firstIn = new Map();
  for (const node of slot.nodes) {
    graph.rearrange(node.spot.file);
    graph.touchFile(node.spot.file);
    for (const spot of node.copies ? [node.spot, ...node.copies] : [node.spot]) {
      const known = slot.firstIn.get(spot.file);
      if (!known || spot.line.ref.line < known.line.ref.line) slot.firstIn.set(spot.file, spot);
    }
    graph.pending.push(node);
    if (node.draft) touchNamed(graph, node.draft);
  }
  revisitChildren(graph, slot);
}

/** A record got another id: whoever names it reads differently now. */
function touchNamed(graph: Graph, draft: Draft): void {
  graph.touch(draft);
  const seen = new Set<Node>();
  const nodes = [...draft.parts, ...(draft.replies ?? [])];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (let child = node.slot.children; child; child = child.sibling) {
      if (seen.has(child)) continue;
      seen.add(child);
      if (child.draft && child.draft !== draft) graph.touch(child.draft);
      // Records of a sub-agent are looked through from the main line.
      if (!child.draft || child.draft === draft || child.draft.scope !== draft.scope) nodes.push(child);
    }
  }
}

function linkParent(graph: Graph, node: Node): void {
  const key = parentKey(node);
  const slot = key === null ? null : parentSlot(graph, node, key);
  if (slot === node.parentSlot) return;
  node.parentSlot?.release(node);
  node.parentSlot = slot;
  slot?.adopt(node);
}

/** Nearly always the parent is the line before. */
function parentSlot(graph: Graph, node: Node, key: Key): Slot {
  const before = node.spot.before?.node?.slot;
  return before?.key === key ? before : graph.slot(key);
}

/** Copies may have lost their parent when the history before them was dropped: the first that still has one counts. */
function parentKey(node: Node): Key | null {
  if (node.line.parent !== null || !node.copies) return node.line.parent;
  for (const copy of [...node.copies].sort(compareCopies)) if (copy.line.parent !== null) return copy.line.parent;
  return null;
}

/** The original is the copy that does not say it was forked, then the first by path. */
function compareCopies(a: Spot, b: Spot): number {
  const forkedA = a.line.more?.forked === true ? 1 : 0;
  const forkedB = b.line.more?.forked === true ? 1 : 0;
  return forkedA - forkedB || compareSpots(a, b);
}

function addCopy(graph: Graph, node: Node, spot: Spot): void {
  spot.node = node;
  graph.rearrange(spot.file);
  graph.rearrange(node.spot.file);
  graph.touchFile(spot.file);
  const isNewFile = !isIn(node, spot.file);
  const becomesOriginal = compareCopies(spot, node.spot) < 0;
  if (!node.copies) node.copies = [];
  node.copies.push(becomesOriginal ? node.spot : spot);
  if (becomesOriginal) moveOriginal(graph, node, spot);
  else if (node.draft) graph.touch(node.draft);
  bondCopy(graph, node, spot);
  const hasParent = node.line.parent === null && spot.line.parent !== null;
  if (!isNewFile && !becomesOriginal && !hasParent) return;
  if (node.slot.others) orderClaims(graph, node.slot);
  linkParent(graph, node);
  if (node.line.place.as === 'part') unitePart(graph, node, spot.file);
  pairAgain(graph, node);
  if (node.holder) graph.touch(node.holder);
  // Lines below that may not leave their file find their parent there now.
  revisitChildren(graph, node.slot);
  settle(graph, node);
}

/** The line is read from another place now, and the order of what it is part of may change with it. */
function moveOriginal(graph: Graph, node: Node, spot: Spot): void {
  graph.touchFile(node.spot.file);
  if (node.spot.file.loose.delete(node)) spot.file.loose.add(node);
  node.spot = spot;
  node.slot.sort();
  const { draft } = node;
  if (!draft) return;
  const { head } = draft;
  draft.parts.sort((a, b) => compareSpots(a.spot, b.spot));
  if (draft.head === head) graph.touch(draft);
  else touchNamed(graph, draft);
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
    dropDraft(graph, there);
    for (const part of there.parts) {
      joinDraft(graph, node.draft, part);
      for (const spot of [part.spot, ...(part.copies ?? [])]) spot.file.parts.set(key, node.draft);
      pairAgain(graph, part);
      graph.pending.push(part);
    }
  }
  return node.draft;
}

function joinDraft(graph: Graph, draft: Draft, node: Node): void {
  node.draft = draft;
  const parts = draft.parts;
  let at = parts.length;
  while (at > 0 && compareSpots((parts[at - 1] as Node).spot, node.spot) > 0) at--;
  parts.splice(at, 0, node);
  if (at === 0) touchNamed(graph, draft);
  else graph.touch(draft);
}
