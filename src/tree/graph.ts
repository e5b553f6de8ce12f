import type { CallId, Fact, FileFacts, Key, SubagentId } from '../model/index.ts';
import { type CallSite, type CallSlot, emptySlot as emptyCallSlot, sitesOf, subagentsOf } from './calls.ts';
import { type Draft, partsOf, repliesTo } from './drafts.ts';
import { IdTable } from './id-table.ts';
import type { Home } from './name-sessions.ts';
import { FileState, type Node, type Slot, type SubagentPart, type SubagentState } from './nodes.ts';
import { emptySlot } from './slots.ts';

/** The state all stages work on: who claims which id, and what changed since the last `add` ended. */
export class Graph {
  readonly files = new Map<string, FileState>();
  readonly slots = new IdTable<Slot>();
  /** Ids of lines that say they are copies of a line with another id: they lead to its slot. */
  readonly aliases = new Map<Key, Slot>();
  /** All ids of a slot that has several. */
  readonly names = new Map<Slot, Key[]>();
  /** Lines that hang on one of another file, or on none yet, by the slot they name and their own file. */
  readonly strays = new Map<Slot, Map<FileState, Set<Node>>>();
  /** Lines without a parent that say they are copies, by the id of the original. */
  readonly beginnings = new Map<Key, Set<Node>>();
  readonly calls = new IdTable<CallSlot>();
  /** Sub-agents by their id; several where sessions gave out the same one. */
  readonly subagents = new Map<SubagentId, readonly SubagentState[]>();
  /** What each file says of them. */
  readonly subagentParts = new Map<SubagentId, Map<FileState, SubagentPart>>();
  /** What files beside transcripts say of them. */
  readonly sidecars = new Map<SubagentId, { readonly file: FileState; readonly tokens: readonly string[] }[]>();
  /** The same by the session they are listed in, as somebody asked since the last commit. */
  listed: ReadonlyMap<Home, readonly SubagentState[]> | null = null;
  /** Which call a token leads to, as results, progress lines and notifications say. */
  readonly links = new Map<string, Map<string, number>>();
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
  /** Files that name a line as the last one, where it does not stand in them. */
  readonly leaves = new Map<Key, Set<FileState>>();
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
  /** Records of which a line came before others, or is read from another place now: their lines are put in order before a commit. */
  readonly disordered = new Set<Draft>();
  /** Records that may have another id now. */
  readonly renamed = new Set<Draft>();
  /** Records whose first line hangs on another one of their own: before a commit somebody looks what stands above all of them. */
  readonly inward = new Set<Draft>();
  /** Ids of which a call came after results: those look for it before a commit; in `farFrom` only those below no answer that has one. */
  readonly recalled = new Set<CallSlot>();
  readonly farFrom = new Set<CallSlot>();
  /** Lines with others below them that hang on another line now, or are something else: before a commit somebody looks for circles. */
  readonly turned = new Set<Node>();
  /** Ids of which the results have to be given to their calls again. */
  readonly reassigned = new Set<CallSlot>();

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

  find(key: Key): Slot | null {
    return (this.aliases.size > 0 ? this.aliases.get(key) : undefined) ?? this.slots.get(key) ?? null;
  }

  slot(key: Key): Slot {
    let slot = this.find(key);
    if (!slot) {
      slot = emptySlot(key);
      this.slots.add(slot);
    }
    return slot;
  }

  callSlot(id: CallId): CallSlot {
    let slot = this.calls.get(id);
    if (!slot) {
      slot = emptyCallSlot(id);
      this.calls.add(slot);
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

/** All ids that lead to the lines of a slot. */
export const namesOf = (graph: Graph, slot: Slot): readonly Key[] => graph.names.get(slot) ?? [slot.key];

/** What an id leads to changed: sessions whose last line has it read differently. */
export function touchLeaf(graph: Graph, slot: Slot): void {
  if (graph.leaves.size === 0) return;
  for (const key of namesOf(graph, slot)) for (const file of graph.leaves.get(key) ?? []) graph.touchFile(file);
}

/** Whether a line stands in a file, as original or copy. */
export function isIn(node: Node, file: FileState): boolean {
  return node.spot.file === file || (node.copies?.isIn(file) ?? false);
}

export function revisitChildren(graph: Graph, slot: Slot): void {
  for (let child = slot.children; child; child = child.sibling) graph.pending.push(child);
}

/** Notes that a line did not find its parent in its own file. */
export function stray(graph: Graph, slot: Slot, node: Node): void {
  let byFile = graph.strays.get(slot);
  if (!byFile) {
    byFile = new Map();
    graph.strays.set(slot, byFile);
  }
  const { file } = node.spot;
  const strays = byFile.get(file);
  if (strays) strays.add(node);
  else byFile.set(file, new Set([node]));
}

/** Lines that find their parent in their own file now. */
export function revisitStrays(graph: Graph, slot: Slot, file: FileState): void {
  for (const node of graph.strays.get(slot)?.get(file) ?? []) graph.pending.push(node);
}

/** All lines that found it in another file, or nowhere. */
export function revisitAllStrays(graph: Graph, slot: Slot): void {
  for (const nodes of graph.strays.get(slot)?.values() ?? []) for (const node of nodes) graph.pending.push(node);
}

/** A record got another id: whoever names it reads differently now. */
export function touchNamed(graph: Graph, draft: Draft): void {
  graph.touch(draft);
  // Sub-agents are listed with the call that started them, which may stand in another session.
  for (const part of partsOf(draft))
    for (const site of sitesOf(part)) for (const id of subagentsOf(site)) graph.touchedSubagents.add(id);
  const seen = new Set<Node>();
  const nodes = [...partsOf(draft), ...repliesTo(draft)];
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
