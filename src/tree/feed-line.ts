import type { ChainLine, Fact, Key, Line, QueueLine } from '../model/index.ts';
import { rareOf } from './calls.ts';
import { enter } from './enter-line.ts';
import { endWaiting, followQueue } from './follow-queue.ts';
import { type Graph, isIn } from './graph.ts';
import type { FileState } from './nodes.ts';
import { draftOf } from './publish-session.ts';
import { claimNamed } from './slots.ts';

/** Takes one line in, after those of its file that came before. */
export function feedLine(graph: Graph, file: FileState, line: Line): void {
  if (line.warnings.length > 0) countWarnings(file, line);
  if (line.in === 'chain') addChain(graph, file, line);
  else if (line.in === 'queue') addStep(graph, file, line);
  else if (line.in === 'bookkeeping') addFact(graph, file, line.fact);
  else file.reported++;
}

function addChain(graph: Graph, file: FileState, line: ChainLine): void {
  const node = enter(graph, file, line);
  if (node.scope === null) endWaiting(graph, file, node);
  addExtras(graph, file, line);
}

/** Only people type ahead: in a sub-agent's file a queue says nothing. */
function addStep(graph: Graph, file: FileState, line: QueueLine): void {
  if (line.subagent === null) followQueue(graph, file, line);
  else file.bookkeeping++;
  addExtras(graph, file, line);
}

function addExtras(graph: Graph, file: FileState, line: Pick<ChainLine, 'more'>): void {
  if (!line.more) return;
  for (const { call, token, rank } of line.more.links ?? []) {
    const calls = graph.links.get(token) ?? new Map<string, number>();
    calls.set(call, Math.min(rank, calls.get(call) ?? rank));
    graph.links.set(token, calls);
    rareOf(graph.callSlot(call)).isLinked = true;
    graph.linksChanged = true;
  }
  for (const fact of line.more.facts ?? []) keepFact(graph, file, fact);
}

function keepFact(graph: Graph, file: FileState, fact: Fact): void {
  file.known.push(fact);
  if (fact.type !== 'leaf' || fact.about === null) return;
  const slot = graph.find(fact.about);
  const line = slot && claimNamed(slot, fact.about);
  if (line && isIn(line, file)) return;
  const files = graph.leaves.get(fact.about) ?? new Set();
  graph.leaves.set(fact.about, files.add(file));
}

function addFact(graph: Graph, file: FileState, fact: Fact): void {
  const value = fact.value as { id?: unknown; tokens?: unknown } | null;
  if (file.facts.role !== 'sidecar') file.bookkeeping++;
  keepFact(graph, file, fact);
  graph.touchFile(file);
  if (fact.type === 'summary' && fact.about !== null) noteSummary(graph, fact);
  else if (fact.type === 'session' && typeof value?.id === 'string') graph.nameFile(file, value.id);
  else if (fact.type === 'subagent' && typeof value?.id === 'string') {
    const tokens = value.tokens as readonly string[];
    const sidecars = graph.sidecars.get(value.id);
    if (sidecars) sidecars.push({ file, tokens });
    else graph.sidecars.set(value.id, [{ file, tokens }]);
    for (const token of tokens)
      if (token.startsWith('call:')) rareOf(graph.callSlot(token.slice('call:'.length))).isLinked = true;
    graph.linksChanged = true;
  }
}

function noteSummary(graph: Graph, fact: Fact): void {
  const key = fact.about as Key;
  const summaries = graph.summaries.get(key);
  if (summaries) summaries.push(fact);
  else graph.summaries.set(key, [fact]);
  const draft = draftOf(graph, key);
  if (draft) graph.touchFile(draft.head.spot.file);
}

/** Equal warnings of one file are counted (H18). */
function countWarnings(file: FileState, line: Line): void {
  const version = 'env' in line ? line.env.version : null;
  for (const warning of line.warnings) {
    const key = `${warning.type}\n${warning.detail}\n${version}`;
    const known = file.warnings.get(key);
    if (known) known.count++;
    else
      file.warnings.set(key, { warning, line: line.ref.line, key: 'key' in line ? line.key : null, version, count: 1 });
  }
}
