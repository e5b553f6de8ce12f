import type { Key } from '../model/index.ts';
import { addClaim, addCopy } from './claims.ts';
import { extendDraft, repliesTo } from './drafts.ts';
import { linkParent } from './find-target.ts';
import { twinOf } from './find-twin.ts';
import { type Graph, namesOf, touchLeaf } from './graph.ts';
import { releaseCopies } from './join-files.ts';
import { type Node, type Slot, spotsOf } from './nodes.ts';
import { forgetCalls } from './pair-results.ts';
import { changeRole, hold, settle } from './settle-nodes.ts';
import { adopt, claimsOn, release } from './slots.ts';
import { leaveDraft, uniteDrafts } from './unite-parts.ts';

/**
 * A line says that it is a copy of a line with another id: whoever names either of them means both. Which of two ids was met first does
 * not matter: whatever claims one of them competes with whatever claims the other, as lines with one id do.
 */
export function uniteNames(graph: Graph, key: Key, copyOf: Key): Slot {
  const slot = graph.find(key);
  const other = graph.find(copyOf);
  if (slot && other) return slot === other ? slot : uniteSlots(graph, slot, other);
  const known = slot ?? other ?? graph.slot(copyOf);
  const name = known === slot ? copyOf : key;
  const names = graph.names.get(known);
  if (names) names.push(name);
  else graph.names.set(known, [known.key, name]);
  graph.aliases.set(name, known);
  touchLeaf(graph, known);
  return known;
}

/** Both were named before: what hangs on the smaller one goes to the other. */
function uniteSlots(graph: Graph, a: Slot, b: Slot): Slot {
  const [kept, left] = namesOf(graph, a).length < namesOf(graph, b).length ? [b, a] : [a, b];
  const names = [...namesOf(graph, left)];
  const all = graph.names.get(kept) ?? [kept.key];
  for (const name of names) {
    graph.aliases.set(name, kept);
    all.push(name);
  }
  graph.names.set(kept, all);
  graph.names.delete(left);
  graph.strays.delete(left);
  graph.conflicts.delete(left);
  const claims = claimsOn(left);
  left.first = null;
  left.rivals = null;
  for (let child = left.children; child; child = left.children) {
    release(left, child);
    child.parentSlot = kept;
    adopt(kept, child);
    graph.pending.push(child);
  }
  for (const node of claims) enterAgain(graph, kept, node);
  touchLeaf(graph, kept);
  const next = graph.pending.pop();
  if (next) settle(graph, next);
  return kept;
}

/** A line whose id leads elsewhere now: it is a copy of a line there, or one more that claims the id. */
function enterAgain(graph: Graph, slot: Slot, node: Node): void {
  const twin = twinOf(slot, node);
  if (twin) {
    absorb(graph, twin, node);
    return;
  }
  node.slot = slot;
  addClaim(graph, slot, node);
  linkParent(graph, node, null);
  graph.pending.push(node);
}

/** Of two lines that turn out to be the same one stays; where the other stood there are copies of it. */
function absorb(graph: Graph, node: Node, gone: Node): void {
  const spots = spotsOf(gone);
  const { draft, role, parentSlot } = gone;
  if (draft && role === 'part' && node.draft && node.draft !== draft) uniteDrafts(graph, node.draft, draft);
  if (draft && role === 'record') moveSteps(graph, node, gone);
  if (gone.draft && role === 'part') leaveDraft(graph, gone.draft, gone);
  if (draft && role === 'record') for (const reply of repliesTo(draft)) graph.pending.push(reply);
  releaseCopies(graph, gone);
  changeRole(graph, gone, 'none', null);
  hold(graph, gone, undefined);
  if (parentSlot) release(parentSlot, gone);
  forgetCalls(graph, gone);
  gone.target = null;
  gone.parentSlot = null;
  for (const spot of spots) {
    spot.node = node;
    spot.file.times = null;
  }
  for (const spot of spots) addCopy(graph, node, spot);
}

/** Steps of the queue that became this record go with it. */
function moveSteps(graph: Graph, { draft }: Node, gone: Node): void {
  const from = gone.draft;
  if (!from || !draft) return;
  const steps = from.more?.steps;
  if (steps) {
    const more = extendDraft(draft);
    more.steps = [...(more.steps ?? []), ...steps];
  }
  for (const { file } of spotsOf(gone)) {
    const { queue } = file;
    queue.taken = queue.taken.map((taken) => (taken.draft === from ? { ...taken, draft } : taken));
  }
  graph.touch(draft);
}
