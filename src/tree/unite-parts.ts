import type { SubagentId } from '../model/index.ts';
import { type Draft, newDraft, partsOf } from './drafts.ts';
import type { Graph } from './graph.ts';
import { compareSpots, type FileState, type Node } from './nodes.ts';
import { pairAgain } from './pair-results.ts';
import { dropDraft } from './settle-nodes.ts';

/** Lines of one answer share an id; a copy of one of them in another file brings the answers of both files together. */
export function unitePart(graph: Graph, node: Node, file: FileState): Draft {
  const { of } = node.spot.place as { of: string };
  const above = node.draft ? null : answerAbove(node, file);
  if (above) {
    joinDraft(graph, above, node);
    return above;
  }
  const answers = answersIn(file, node.scope);
  const there = answers.get(of);
  if (!node.draft) {
    if (there) {
      joinDraft(graph, there, node);
      return there;
    }
    const draft = newDraft(node);
    node.draft = draft;
    answers.set(of, draft);
    return draft;
  }
  if (!there) answers.set(of, node.draft);
  else if (there !== node.draft) {
    dropDraft(graph, there);
    for (const part of partsOf(there)) {
      joinDraft(graph, node.draft, part);
      for (const spot of [part.spot, ...(part.copies ?? [])]) answersIn(spot.file, node.scope).set(of, node.draft);
      pairAgain(graph, part);
      graph.pending.push(part);
    }
  }
  return node.draft;
}

/** The lines of an answer follow each other and share their place. */
function answerAbove({ target, spot, scope }: Node, file: FileState): Draft | null {
  const isSame = target?.spot.place === spot.place && target.spot.file === file && target.scope === scope;
  return isSame ? target.draft : null;
}

function answersIn(file: FileState, scope: SubagentId | null): Map<string, Draft> {
  let answers = file.answers.get(scope);
  if (!answers) {
    answers = new Map();
    file.answers.set(scope, answers);
  }
  return answers;
}

const SHORT = 6;

function joinDraft(graph: Graph, draft: Draft, node: Node): void {
  node.draft = draft;
  const { head, others } = draft;
  const isLast = compareSpots((others?.at(-1) ?? head).spot, node.spot) < 0;
  if (!others) draft.others = [node];
  // A list that grows in place gets room for 17 more; most answers have two or three parts.
  else if (others.length < SHORT) draft.others = [...others, node];
  else others.push(node);
  if (!isLast) graph.disordered.add(draft);
  graph.touch(draft);
}
