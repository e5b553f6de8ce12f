import type { Place, SubagentId } from '../model/index.ts';
import { type Draft, newDraft, partsOf } from './drafts.ts';
import type { Graph } from './graph.ts';
import { type Answer, compareSpots, type FileState, type Node, type Spot, spotsOf } from './nodes.ts';
import { pairAgain } from './pair-results.ts';
import { dropDraft } from './settle-nodes.ts';

/**
 * Lines of one answer share an id; a copy of one of them in another file brings the answers of both files together. A server may give
 * the same id to several answers: what comes after a prompt under another request, or under an unknown one, is another answer.
 */
export function unitePart(graph: Graph, node: Node, spot: Spot): Draft {
  const above = node.draft ? null : answerAbove(node);
  if (above) {
    joinDraft(graph, above, node);
    return above;
  }
  const there = answerIn(node, spot);
  if (!node.draft) {
    if (there.draft) joinDraft(graph, there.draft, node);
    else node.draft = newDraft(node);
  } else if (there.draft && there.draft !== node.draft) uniteDrafts(graph, node.draft, there.draft);
  const draft = node.draft as Draft;
  there.draft = draft;
  return draft;
}

/** The lines of an answer follow each other and share their place. */
function answerAbove({ target, spot, scope }: Node): Draft | null {
  const { file, place } = spot;
  const isSame =
    target?.spot.place === place &&
    target.spot.file === file &&
    target.scope === scope &&
    (scope !== null || target.spot.lineNumber > file.promptLine);
  return isSame ? target.draft : null;
}

/** The answer that a line goes on with in its file, or a new one. */
function answerIn({ scope, draft }: Node, { file, lineNumber, place }: Spot): Answer {
  const { of, request } = place as Place & { as: 'part' };
  const answers = answersIn(file, scope);
  const known = answers.get(of);
  // A line that turned out to be a copy late: its answer is known.
  if (known && lineNumber < known.line) return { draft, request, line: lineNumber };
  const isPromptBetween = scope === null && known !== undefined && known.line < file.promptLine;
  if (known && (!isPromptBetween || (request !== 0 && request === known.request))) {
    known.line = lineNumber;
    if (request !== 0) known.request = request;
    return known;
  }
  const answer: Answer = { draft: null, request, line: lineNumber };
  answers.set(of, answer);
  return answer;
}

function answersIn(file: FileState, scope: SubagentId | null): Map<string, Answer> {
  let answers = file.answers.get(scope);
  if (!answers) {
    answers = new Map();
    file.answers.set(scope, answers);
  }
  return answers;
}

/** Two answers turn out to be one. */
export function uniteDrafts(graph: Graph, draft: Draft, other: Draft): void {
  dropDraft(graph, other);
  for (const part of partsOf(other)) {
    joinDraft(graph, draft, part);
    for (const { file, place } of spotsOf(part)) {
      const answer = file.answers.get(part.scope)?.get((place as Place & { as: 'part' }).of);
      if (answer?.draft === other) answer.draft = draft;
    }
    pairAgain(graph, part);
    graph.pending.push(part);
  }
}

/** A line turned out to be a copy of another one of its answer. */
export function leaveDraft(graph: Graph, draft: Draft, node: Node): void {
  const [head, ...others] = partsOf(draft).filter((part) => part !== node);
  if (!head) {
    dropDraft(graph, draft);
    return;
  }
  draft.head = head;
  draft.others = others.length > 0 ? others : null;
  graph.disordered.add(draft);
  graph.renamed.add(draft);
  graph.rearrange(head.spot.file);
  graph.touch(draft);
  graph.pending.push(head);
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
