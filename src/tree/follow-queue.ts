import type { Kind, QueueLine } from '../model/index.ts';
import { addQueueNode, type Graph } from './graph.ts';
import { type Draft, type FileState, type Node, type QueueItem, Spot } from './nodes.ts';
import { dropDraft } from './settle-nodes.ts';

/**
 * A prompt typed while the agent worked is followed through the queue one to one, so that it is shown once (H5): where it waits, until
 * the record or the attachment comes that took it out.
 */
export function followQueue(graph: Graph, file: FileState, line: QueueLine): void {
  const spot = new Spot(line, file, file.lastMain);
  file.lastMain = spot;
  file.spots.push(spot);
  graph.touchedFiles.add(file);
  const queue = file.queue;
  if (line.op === 'enqueue') {
    queue.waiting.push({ enqueue: spot, taker: null });
    if (!line.empty) show(graph, spot).queued = true;
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
function remove(graph: Graph, file: FileState, spot: Spot): void {
  const queue = file.queue;
  const item = takeEqual(queue.waiting, spot, true) ?? { enqueue: null, taker: null };
  item.taker = spot;
  if (item.enqueue) hide(graph, item.enqueue, 'folded');
  const attachment = queue.taken.shift();
  if (attachment?.alive) {
    bind(graph, item, attachment);
    return;
  }
  const content = (spot.line as QueueLine).empty ? item.enqueue : spot;
  if (!content || (content.line as QueueLine).empty) return;
  const draft = show(graph, spot);
  if (item.enqueue) draft.steps = [item.enqueue];
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
  const line = node.line;
  const draft = node.draft;
  if (!draft) return;
  if (line.more?.queued) {
    const item = takeEqual(queue.removed, node.spot, true) ?? takeEqual(queue.waiting, node.spot, false);
    if (item) bind(graph, item, draft);
    else queue.taken.push(draft);
  } else if (line.kind === 'assistant') {
    if (queue.follower?.alive) for (const item of queue.dequeued.splice(0)) bind(graph, item, queue.follower);
    queue.follower = null;
  } else if (line.place.as === 'record' && PROMPTS.has(line.kind)) {
    const item = queue.dequeued.shift();
    if (!item) return;
    bind(graph, item, draft);
    queue.follower = draft;
  }
}

/** The item with the same text, else (`any`) the one that waited longest. */
function takeEqual(items: QueueItem[], spot: Spot, any: boolean): QueueItem | undefined {
  const digest = spot.line.digest;
  const equal = items.findIndex((item) => item.enqueue?.line.digest === digest || item.taker?.line.digest === digest);
  if (equal >= 0) return items.splice(equal, 1)[0];
  return any ? items.shift() : undefined;
}

function bind(graph: Graph, item: QueueItem, draft: Draft): void {
  draft.steps ??= [];
  for (const spot of [item.enqueue, item.taker]) {
    if (!spot) continue;
    hide(graph, spot, 'folded');
    draft.steps.push(spot);
  }
  graph.touch(draft);
}

function show(graph: Graph, spot: Spot): Draft {
  spot.queued = 'shown';
  return addQueueNode(graph, spot).draft as Draft;
}

function hide(graph: Graph, spot: Spot, as: Spot['queued']): void {
  spot.queued = as;
  const node = spot.node;
  if (!node) return;
  spot.node = null;
  if (node.draft) dropDraft(graph, node.draft);
  node.slot.remove(node);
  if (!node.slot.first && !node.slot.children) graph.slots.delete(node.slot.key);
}
