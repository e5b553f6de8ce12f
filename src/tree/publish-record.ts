import type { Annotation, Key, LineRef, LogRecord, RecordLine, ToolCall, Usage } from '../model/index.ts';
import { compareSpots, type Draft, type Node, refOf, type Spot, sitesOf } from './nodes.ts';

/** The record as others see it: made when asked for, the one that was made before while nothing about it changed. */
export function publishRecord(draft: Draft, session: string): LogRecord {
  const known = draft.published;
  if (known && known.session === session) return known;
  const head = draft.head;
  const { spot } = head;
  const parts = distinctParts(draft);
  const lines = linesOf(draft, parts);
  return {
    id: idOf(head),
    aliases: aliasesOf(draft),
    kind: repliesOf(draft).reduce(
      (kind, { spot: { place } }) => (place.as === 'reply' && place.makes ? place.makes : kind),
      spot.kind,
    ),
    origin: spot.more?.origin ?? null,
    queued: draft.queued,
    hidden: spot.more?.hidden === true,
    session,
    subagent: draft.scope,
    parent: draft.above ? idOf(draft.above.head) : null,
    edge: spot.more?.edge ?? 'parent',
    lines,
    copies: copiesOf(draft, parts),
    time: spot.time,
    env: spot.env,
    calls: parts.flatMap((part) =>
      sitesOf(part).map((site): ToolCall => {
        const refs = {
          result: site.result && refOf(site.result.spot),
          more: inOrder(site.more).map((node) => refOf(node.spot)),
          body: site.body && refOf(site.body.spot),
        };
        return {
          id: site.id,
          name: site.name,
          at: refOf(part.spot),
          ...refs,
          isError: site.isError,
          subagents: site.subagents,
        };
      }),
    ),
    usage: usageOf(draft),
    stopReason: parts.findLast(({ spot: { stop } }) => stop !== null)?.spot.stop ?? null,
    annotations: annotationsOf(draft, parts),
    // Commits are counted from 1.
    revision: draft.round + 1,
  };
}

const NO_NODES: readonly Node[] = [];
const inOrder = (nodes: Node[] | null): readonly Node[] =>
  nodes ? nodes.sort((a, b) => compareSpots(a.spot, b.spot)) : NO_NODES;
/** A reply stands for itself in each file (H7); where its record is the same, the others are copies. */
const repliesOf = (draft: Draft): readonly Node[] =>
  inOrder(draft.replies).filter((node, i, all) => !all.slice(0, i).some(({ slot }) => slot === node.slot));

/** The first claim of an id has it plain; another line with the same id is named by its place too (H9). */
export function idOf(node: Node): Key {
  const { key, first, rivals } = node.slot;
  if (!rivals || first === node) return key;
  return `${key}@${node.spot.file.facts.id}:${node.spot.lineNumber}`;
}

/** A later line of an answer with the same content and time as an earlier one is a replay under another id. */
function distinctParts(draft: Draft): Node[] {
  if (!draft.others) return [draft.head];
  const seen = new Set<string>();
  return draft.parts.filter(({ spot: { digest, time } }) => {
    if (time === null) return true;
    const sign = `${digest} ${time}`;
    if (seen.has(sign)) return false;
    seen.add(sign);
    return true;
  });
}

const lineOf = (spot: Spot, as: RecordLine['as']): RecordLine => ({
  key: spot.key,
  ref: refOf(spot),
  time: spot.time,
  as,
});

function linesOf(draft: Draft, parts: readonly Node[]): RecordLine[] {
  // A step that took a prompt out of the queue may not repeat its text: then the text is where it was put in.
  const silent = draft.head.spot.more?.step === 'silent';
  const lines = parts.map((part) => lineOf(part.spot, 'part'));
  for (const reply of repliesOf(draft)) lines.push(lineOf(reply.spot, 'reply'));
  for (const spot of draft.steps?.sort(compareSpots) ?? []) lines.push(lineOf(spot, silent ? 'part' : 'queue'));
  return lines;
}

function aliasesOf(draft: Draft): Key[] {
  const aliases: Key[] = [];
  for (const part of draft.others ?? []) aliases.push(idOf(part));
  for (const reply of repliesOf(draft)) aliases.push(idOf(reply));
  return aliases;
}

function copiesOf(draft: Draft, parts: readonly Node[]): LineRef[] {
  const copies: Spot[] = [];
  const replies = repliesOf(draft);
  const all = draft.parts;
  for (const node of [...all, ...replies]) if (node.copies) copies.push(...node.copies);
  for (const node of draft.replies ?? []) if (!replies.includes(node)) copies.push(node.spot, ...(node.copies ?? []));
  if (parts.length < all.length) for (const part of all) if (!parts.includes(part)) copies.push(part.spot);
  return copies.sort(compareSpots).map(refOf);
}

/** The line with the greatest output has the final figures (H1). */
function usageOf(draft: Draft): Usage | null {
  let best: Usage | null = null;
  for (const { spot } of draft.parts) if (spot.usage && (!best || spot.usage.output > best.output)) best = spot.usage;
  return best;
}

function annotationsOf(draft: Draft, parts: readonly Node[]): Annotation[] {
  const annotations: Annotation[] = [];
  for (const { spot } of parts) {
    for (const kind of spot.more?.injected ?? [])
      annotations.push({ key: null, parent: spot.key, kind, ref: refOf(spot), time: spot.time });
  }
  const held = draft.annotations ? [...draft.annotations].sort((a, b) => compareSpots(a.spot, b.spot)) : [];
  for (const node of held) annotations.push(publishAnnotation(node));
  return annotations;
}

export function publishAnnotation({ spot }: Node): Annotation {
  return { key: spot.key, parent: spot.parent, kind: spot.kind, ref: refOf(spot), time: spot.time };
}
