import type { ChainLine } from '../model/index.ts';
import { addClaim, addCopy } from './claims.ts';
import { enterSubagent, noteTime, scopeOf } from './enter-subagent.ts';
import { linkParent } from './find-target.ts';
import { findTwin } from './find-twin.ts';
import type { Graph } from './graph.ts';
import { newNode, spotOf } from './make-nodes.ts';
import type { FileState, Node, Spot } from './nodes.ts';
import { nameCalls, nameResults } from './pair-results.ts';
import { settle } from './settle-nodes.ts';
import { uniteNames } from './unite-names.ts';

/** One line enters: as a new node, or as a copy of one. */
export function enter(graph: Graph, file: FileState, line: ChainLine): Node {
  const scope = scopeOf(graph, file, line);
  graph.touchFile(file);
  const copyOf = line.more?.copyOf;
  const slot = copyOf === undefined ? graph.find(line.key) : uniteNames(graph, line.key, copyOf);
  const twin = slot && findTwin(slot, file, line, scope);
  const node = twin ?? newNode(line, file, slot, scope);
  const spot = twin ? spotOf(line, file) : node.spot;
  const before = scope === null ? file.lastMain : file.lastSub;
  if (scope === null) file.lastMain = spot;
  else file.lastSub = spot;
  file.spots.push(spot);
  if (scope === null && isPrompt(line)) file.promptLine = line.ref.line;
  if (twin) addCopy(graph, twin, spot);
  else addNode(graph, node, before, line);
  const state = scope === null ? null : enterSubagent(graph, scope, spot);
  const isShown =
    line.place.as !== 'annotation' && line.more?.hidden !== true && (state !== null || node.spot === spot);
  if (line.time !== null && isShown) noteTime((state ?? file).times, line.time);
  return node;
}

/** What begins a turn: nothing behind it belongs to the answer before. */
const isPrompt = ({ kind, origin, place, more }: ChainLine): boolean =>
  place.as === 'record' && (kind === 'user' ? origin === 'human' && more?.queued !== true : kind.endsWith('_command'));

/** A step of the queue is shown: it has no id and no parent, and stands where it was written. */
export function addQueueNode(graph: Graph, node: Node): void {
  node.slot = graph.find(node.key) ?? node;
  addNode(graph, node, null, null);
}

/** `before`: the line before it, of the main line or of sub-agents. */
function addNode(graph: Graph, node: Node, before: Spot | null, line: ChainLine | null): void {
  const { slot } = node;
  if (slot === node) graph.slots.add(slot);
  node.node = node;
  linkParent(graph, node, before?.node?.slot ?? null);
  if (line?.place.as === 'result') nameResults(graph, node, line.place);
  addClaim(graph, slot, node);
  if (line && line.calls.length > 0) nameCalls(graph, node, line.calls);
  settle(graph, node);
}
