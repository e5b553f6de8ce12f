import type { Kind, QueueLine } from '../model/index.ts';
import { type Draft, extendDraft } from './drafts.ts';
import { addQueueNode } from './enter-line.ts';
import { noteTime } from './enter-subagent.ts';
import type { Graph } from './graph.ts';
import { newNode } from './make-nodes.ts';
import type { FileState, Node, QueueItem, Spot } from './nodes.ts';
import { dropDraft } from './settle-nodes.ts';
import { unclaim } from './slots.ts';

/**
 * A prompt typed while the agent worked is followed through the queue one to one, so that it is shown once (H5): where it waits, until
 * the record or the attachment comes that took it out.
 */
export function followQueue(graph: Graph, file: FileState, line: QueueLine): void {
  const spot = newNode(line, file, null, null);
  file.lastMain = spot;
  file.spots.push(spot);
  if (line.time !== null) noteTime(file.times, line.time);
  graph.touchFile(file);
  const queue = file.queue;
  if (line.op === 'enqueue') {
    queue.waiting.push({ enqueue: spot, taker: null });
    if (!line.empty) extendDraft(show(graph, spot)).queued = true;
  } else if (line.op === 'dequeue') {
    const item = queue.waiting.shift();
    if (!item) return;
    item.taker = spot;
    queue.dequeued.push(item);
  } else if (line.op === 'remove') remove(graph, file, spot);
  else {
    for (const item of queue.waiting) if (item.enqueue) hide(graph, item.enqueue, 'bookkeeping');
    queue.waiting = [];
  }
}

/** Taken out and given to the model between two steps: shown by its attachment, or without one where it was taken out. */
function remove(graph: Graph, file: FileState, spot: Node): void {
  const queue = file.queue;
  const item = takeEqual(queue.waiting, spot) ?? { enqueue: null, taker: null };
  const early = queue.taken.find(
    ({ draft, item: taken, waited }) =>
      draft.alive && (waited.includes(item) || speaks(taken?.enqueue, spot) || speaks(draft.head.spot, spot)),
  );
  if (early) {
    queue.taken = queue.taken.filter((other) => other !== early);
    bind(graph, { enqueue: item.enqueue, taker: spot }, early.draft);
    return;
  }
  item.taker = spot;
  if (item.enqueue) hide(graph, item.enqueue, 'folded');
  const content = isSilent(spot) ? item.enqueue : spot;
  if (!content || isSilent(content)) return;
  const draft = show(graph, spot);
  if (item.enqueue) extendDraft(draft).steps = [item.enqueue];
  queue.removed.push(item);
}

const PROMPTS: ReadonlySet<Kind> = new Set([
  'user',
  'built_in_command',
  'user_defined_command',
  'bash',
  'notification',
  'teammate',
]);

/** A line of the main conversation was read: does it end somebody's waiting? */
export function endWaiting(graph: Graph, file: FileState, node: Node): void {
  const queue = file.queue;
  const { spot } = node;
  const draft = node.draft;
  if (draft && spot.more?.queued) {
    const equal = takeEqual(queue.removed, spot);
    const waiting = equal ? undefined : takeEqual(queue.waiting, spot);
    // It may say it in other words: then it is the one that was taken out first.
    const removed = equal ?? (waiting ? undefined : queue.removed.shift());
    const item = removed ?? waiting;
    if (item) bind(graph, item, draft);
    if (!removed) queue.taken.push({ draft, item: item ?? null, waited: item ? [] : [...queue.waiting] });
  } else if (
    queue.dequeued.length > 0 &&
    PROMPTS.has(spot.kind) &&
    (spot.place.as === 'record' || spot.place.as === 'annotation')
  ) {
    // Prompts taken out together are one turn. A command that is passed over takes its prompt with it.
    for (const item of queue.dequeued.splice(0)) {
      if (draft) bind(graph, item, draft);
      else for (const step of [item.enqueue, item.taker]) if (step) hide(graph, step, 'folded');
    }
  }
}

/** Whether two steps speak of the same prompt; one that holds no text may mean any. */
const speaks = (a: Spot | null | undefined, b: Spot): boolean =>
  a != null && (a.digest === b.digest || isSilent(a) || isSilent(b));
const isSilent = ({ more }: Spot): boolean => more?.step === 'silent';

/** The item with the same text; where a step holds no text, the one that waited longest. */
function takeEqual(items: QueueItem[], spot: Spot): QueueItem | undefined {
  const digest = spot.digest;
  const equal = items.findIndex(({ enqueue, taker }) => enqueue?.digest === digest || taker?.digest === digest);
  const at = equal >= 0 ? equal : items.findIndex(({ enqueue, taker }) => speaks(enqueue, spot) || speaks(taker, spot));
  return at >= 0 ? items.splice(at, 1)[0] : undefined;
}

function bind(graph: Graph, item: QueueItem, draft: Draft): void {
  const more = extendDraft(draft);
  more.steps ??= [];
  for (const spot of [item.enqueue, item.taker]) {
    if (!spot) continue;
    hide(graph, spot, 'folded');
    more.steps.push(spot);
  }
  graph.touch(draft);
}

function show(graph: Graph, node: Node): Draft {
  node.file.steps.set(node, 'shown');
  addQueueNode(graph, node);
  return node.draft as Draft;
}

function hide(graph: Graph, spot: Spot, as: 'folded' | 'bookkeeping'): void {
  if (as === 'folded') spot.file.steps.set(spot, as);
  else spot.file.steps.delete(spot);
  const node = spot.node;
  if (!node) return;
  spot.node = null;
  if (node.draft) dropDraft(graph, node.draft);
  unclaim(node.slot, node);
  if (!node.slot.first && !node.slot.children && !graph.names.has(node.slot)) graph.slots.delete(node.slot.key);
}
