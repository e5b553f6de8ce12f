import type { Annotation, Key, LineRef, LogRecord, RecordLine, Spent, ToolCall, Usage } from '../model/index.ts';
import { addAll } from '../model/index.ts';
import { type CallSite, subagentsOf } from './calls.ts';
import { aboveOf, type Draft, kindWith, partsOf, repliesTo } from './drafts.ts';
import { compareSpots, type Node, refOf, type Spot, timeOf } from './nodes.ts';
import { claimNamed } from './slots.ts';

/**
 * The record as others see it: made when asked for, the one that was made before while nothing about it changed. Nearly always it is one
 * line with at most one call, and a project has very many: lists that would be empty are not made.
 */
export function publishRecord(draft: Draft, session: string): LogRecord {
  const known = draft.published;
  if (known && known.session === session) return known;
  const { head, more } = draft;
  const { spot } = head;
  const above = aboveOf(draft);
  const parts = distinctParts(draft);
  const replies = more?.replies ? distinctReplies(more.replies) : NO_NODES;
  const lines = linesOf(draft, parts, replies);
  return {
    id: idOf(head),
    aliases: aliasesOf(draft, replies),
    kind: kindWith(spot.kind, replies),
    origin: spot.more?.origin ?? null,
    queued: more?.queued ?? false,
    hidden: spot.more?.hidden === true,
    session,
    subagent: draft.scope,
    parent: above && idOf(above.head),
    edge: spot.more?.edge ?? 'parent',
    lines,
    copies: copiesOf(draft, parts, replies),
    time: timeOf(spot),
    env: spot.env,
    calls: callsOf(parts, lines),
    usage: usageOf(draft),
    ...spentBy(draft, parts, replies),
    stopReason: stopOf(parts),
    annotations: annotationsOf(draft, parts),
    // Commits are counted from 1.
    revision: draft.round + 1,
  };
}

const NO_NODES: readonly Node[] = [];
const NO_KEYS: readonly Key[] = [];
const NO_SPOTS: readonly Spot[] = [];
const NO_REFS: readonly LineRef[] = [];
const NO_CALLS: readonly ToolCall[] = [];
const NO_ANNOTATIONS: readonly Annotation[] = [];

const inOrder = (nodes: Iterable<Node>): Node[] => [...nodes].sort((a, b) => compareSpots(a.spot, b.spot));

/** A reply stands for itself in each file (H7); where its record is the same, the others are copies. */
function distinctReplies(replies: readonly Node[]): readonly Node[] {
  const first = new Map<Node['slot'], Node>();
  for (const node of inOrder(replies)) if (!first.has(node.slot)) first.set(node.slot, node);
  return [...first.values()];
}

/** The first claim of an id has it plain; another line with the same id is named by its place too (H9). */
export function idOf(node: Node): Key {
  const { slot, spot } = node;
  const { key, file, lineNumber } = spot;
  if (!slot.rivals || claimNamed(slot, key) === node) return key;
  return `${key}@${file.facts.id}:${lineNumber}`;
}

/** A later line of an answer with the same content as an earlier one is a replay under another id, or what a gateway wrote again. */
function distinctParts(draft: Draft): readonly Node[] {
  const parts = partsOf(draft);
  if (parts.length < MANY && !repeats(parts)) return parts;
  const seen = new Set<number>();
  return parts.filter(({ spot: { digest } }) => {
    if (seen.has(digest)) return false;
    seen.add(digest);
    return true;
  });
}

const MANY = 8;

/** Whether two lines say the same. */
function repeats(parts: readonly Node[]): boolean {
  for (let i = 1; i < parts.length; i++)
    for (let j = 0; j < i; j++) if (parts[i]?.spot.digest === parts[j]?.spot.digest) return true;
  return false;
}

const lineOf = (spot: Spot, as: RecordLine['as']): RecordLine => ({
  key: spot.key,
  ref: refOf(spot),
  time: timeOf(spot),
  as,
});

/** A line of a record that brings results too. */
function resultLine({ spot, result: first }: Node): RecordLine {
  const paired: boolean[] = [];
  for (let result = first; result; result = result.also) paired.push(result.site !== null);
  return { ...lineOf(spot, 'part'), paired };
}

/** Those of its own parts first. */
function linesOf({ head, more }: Draft, parts: readonly Node[], replies: readonly Node[]): RecordLine[] {
  const lines: RecordLine[] = [];
  for (const part of parts) lines.push(part.result ? resultLine(part) : lineOf(part.spot, 'part'));
  for (const reply of replies) lines.push(lineOf(reply.spot, 'reply'));
  if (!more?.steps) return lines;
  // A step that took a prompt out of the queue may not repeat its text: then the text is where it was put in.
  const silent = head.spot.more?.step === 'silent';
  for (const spot of more.steps.sort(compareSpots)) lines.push(lineOf(spot, silent ? 'part' : 'queue'));
  return lines;
}

function aliasesOf({ head, others }: Draft, replies: readonly Node[]): readonly Key[] {
  if (!others && replies.length === 0 && !head.copies) return NO_KEYS;
  const aliases: Key[] = [];
  const forked = new Set<Key>();
  for (const part of others ?? NO_NODES) aliases.push(idOf(part));
  for (const reply of replies) aliases.push(idOf(reply));
  for (const node of [head, ...(others ?? NO_NODES), ...replies]) {
    for (const { key } of node.copies?.spots ?? NO_SPOTS)
      if (key !== node.spot.key && claimNamed(node.slot, key) === node) forked.add(key);
  }
  return forked.size > 0 ? [...aliases, ...[...forked].sort()] : aliases;
}

function copiesOf(draft: Draft, parts: readonly Node[], replies: readonly Node[]): readonly LineRef[] {
  const copies: Spot[] = [];
  const ownParts = draft.others ? partsOf(draft) : parts;
  const ownReplies = repliesTo(draft);
  for (const { copies: ofOne } of ownParts) if (ofOne) addAll(copies, ofOne.spots);
  for (const { copies: ofOne } of ownReplies) if (ofOne) addAll(copies, ofOne.spots);
  if (parts.length + replies.length < ownParts.length + ownReplies.length) {
    const shown = new Set([...parts, ...replies]);
    for (const node of [...ownParts, ...ownReplies]) if (!shown.has(node)) copies.push(node.spot);
  }
  return copies.length > 0 ? copies.sort(compareSpots).map(refOf) : NO_REFS;
}

/** What a later line of the answer calls again was written again, not called: it says last what is asked for. */
function callsOf(parts: readonly Node[], lines: readonly RecordLine[]): readonly ToolCall[] {
  let calls: ToolCall[] | null = null;
  const known = parts.length > 1 ? new Map<string, { readonly part: Node; readonly place: number }>() : null;
  for (let i = 0; i < parts.length; i++) {
    const { ref } = lines[i] as RecordLine;
    const part = parts[i] as Node;
    let nth = 0;
    for (let site = part.site; site; site = site.also, nth++) {
      const before = known?.get(site.key);
      const again = before && before.part !== part ? before.place : -1;
      known?.set(site.key, { part, place: again >= 0 ? again : (calls?.length ?? 0) });
      if (calls && again >= 0) calls[again] = calledAgain(calls[again] as ToolCall, site, ref, nth);
      else if (calls) calls.push(callOf(site, ref, nth));
      else calls = [callOf(site, ref, nth)];
    }
  }
  return calls ?? NO_CALLS;
}

/** The first has the results. */
function calledAgain(call: ToolCall, site: CallSite, at: LineRef, nth: number): ToolCall {
  const subagents = call.subagents.length > 0 ? call.subagents : subagentsOf(site);
  return { ...call, name: site.name, at, nth, subagents };
}

const callOf = (site: CallSite, at: LineRef, nth: number): ToolCall => ({
  id: site.key,
  name: site.name,
  at,
  nth,
  result: site.result && refOf(site.result.spot),
  more: site.rare?.more ? inOrder(site.rare.more).map((node) => refOf(node.spot)) : NO_REFS,
  body: site.rare?.body ? refOf(site.rare.body.spot) : null,
  isError: site.isError,
  subagents: subagentsOf(site),
});

/** The line with the greatest output has the final figures (H1). */
function usageOf({ head, others }: Draft): Usage | null {
  let best = head.spot.usage;
  for (const { spot } of others ?? NO_NODES)
    if (spot.usage && (!best || spot.usage.output > best.output)) best = spot.usage;
  return best;
}

/** A response is told by as many lines as told of it: the one with the greatest output has the final figures. */
function spentBy({ more }: Draft, parts: readonly Node[], replies: readonly Node[]): Pick<LogRecord, 'spent'> {
  let all: Map<string, Spent> | null = null;
  for (const { spot } of [...parts, ...replies, ...inOrder(more?.annotations ?? NO_NODES)])
    for (const each of spot.more?.spent ?? []) {
      all ??= new Map();
      const known = all.get(each.usage.key);
      if (!known || each.usage.output > known.usage.output) all.set(each.usage.key, each);
    }
  return all ? { spent: [...all.values()] } : NOTHING_SPENT;
}

const NOTHING_SPENT = {};

function stopOf(parts: readonly Node[]): string | null {
  let last: string | null = null;
  for (const { spot } of parts) last = spot.stop ?? last;
  return last;
}

function annotationsOf({ more }: Draft, parts: readonly Node[]): readonly Annotation[] {
  const annotations: Annotation[] = [];
  for (const { spot } of parts) {
    for (const kind of spot.more?.injected ?? [])
      annotations.push({ key: null, parent: spot.key, kind, ref: refOf(spot), time: timeOf(spot) });
  }
  if (more?.annotations) for (const node of inOrder(more.annotations)) annotations.push(publishAnnotation(node));
  return annotations.length > 0 ? annotations : NO_ANNOTATIONS;
}

export function publishAnnotation({ spot }: Node): Annotation {
  return { key: spot.key, parent: spot.parent, kind: spot.kind, ref: refOf(spot), time: timeOf(spot) };
}
