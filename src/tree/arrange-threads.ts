import { decideBranches, gathering, isHuman, type Plan } from './decide-branches.ts';
import { aboveOf, type Draft } from './drafts.ts';
import type { Component, FileState } from './nodes.ts';
import { orderFiles } from './order-files.ts';

/** The records of one session in reading order: segments that end where the conversation really branches (H13–H15). */
export interface Arrangement {
  revision: number;
  /** How far the spots of the only file were read; -1: there are several files, or copies that are left out. */
  seen: number;
  /** There are no branches, nor anything that looks like one. */
  readonly isOneLine: boolean;
  readonly files: readonly FileState[];
  /** All records of the main line in file order, sibling copies left out. */
  readonly order: Draft[];
  /** Copies of a sibling under another id → the record they repeat. */
  readonly folded: ReadonlyMap<Draft, Draft>;
  readonly segments: readonly SegmentState[];
  readonly roots: readonly Draft[];
  /** The segment a record stands in. */
  segmentOf(draft: Draft): SegmentState | undefined;
}

export interface SegmentState {
  /** Which arrangement it belongs to: a record remembers the last one it was in. */
  readonly of: object;
  readonly parent: SegmentState | null;
  readonly records: Draft[];
  readonly children: SegmentState[];
}

export function arrange(component: Component): Arrangement {
  const known = component.arrangement as Arrangement | null;
  if (known && (known.revision === component.revision || extend(known, component))) return known;
  const files = orderFiles(component.files);
  const { order, before } = listRecords(files);
  const stored = files[0]?.facts.branches === 'stored';
  const plan = decideBranches(order, stored);
  const of = {};
  const segmentOf = (draft: Draft): SegmentState | undefined => {
    const segment = draft.segment as SegmentState | null;
    return segment?.of === of ? segment : undefined;
  };
  const segments: SegmentState[] = [];
  let last: SegmentState | null = null;

  const open = (draft: Draft, parent: SegmentState | null): SegmentState => {
    const segment: SegmentState = { of, parent, records: [draft], children: [] };
    if (parent) parent.children.push(segment);
    else segments.push(segment);
    draft.segment = segment;
    return segment;
  };
  for (const draft of plan.parentsFirst) {
    const parent = plan.parentOf(draft);
    const above = parent ? segmentOf(parent) : undefined;
    if (plan.heads.has(draft)) last = open(draft, above ?? null);
    else if (above && above.children.length === 0 && !plan.floating.has(draft)) {
      above.records.push(draft);
      draft.segment = above;
      last = above;
    } else last = join(draft, before[draft.order] ?? null, plan);
  }

  /** Goes after the record written before it, in the branch that is open there. */
  function join(draft: Draft, previous: Draft | null, { original }: Plan): SegmentState {
    let segment: SegmentState | null = (previous && segmentOf(original(previous))) ?? last ?? null;
    if (!segment) return open(draft, null);
    while (segment.children.length > 0) segment = segment.children[segment.children.length - 1] as SegmentState;
    segment.records.push(draft);
    draft.segment = segment;
    return segment;
  }

  const arrangement: Arrangement = {
    revision: component.revision,
    seen: files.length === 1 && plan.folded.size === 0 ? (files[0]?.spots.length ?? -1) : -1,
    isOneLine: segments.length === 1 && segments[0]?.children.length === 0 && plan.floating.size === 0,
    files,
    order: plan.folded.size === 0 ? order : order.filter((draft) => !plan.folded.has(draft)),
    folded: plan.folded,
    segments,
    roots: plan.roots,
    segmentOf,
  };
  component.arrangement = arrangement;
  return arrangement;
}

/** Records that continue what was written last are just added: a growing log costs what was appended. */
function extend(known: Arrangement, component: Component): boolean {
  const file = component.files[0];
  if (known.seen < 0 || !file) return false;
  for (; known.seen < file.spots.length; known.seen++) {
    const node = file.spots[known.seen]?.node;
    const draft = node?.draft;
    // What looked like branches may hang on one line now.
    if (node && !draft && node.slot.children && gathering(node)) return false;
    if (!draft?.alive || draft.scope !== null || draft.head !== node || node.role === 'reply') continue;
    const last = known.order[known.order.length - 1];
    const segment = last && known.segmentOf(last);
    if (!segment || draft.order >= 0 || draft.head.spot.more?.loose || !continues(draft, last, segment, known))
      return false;
    draft.order = known.order.length;
    draft.segment = segment;
    known.order.push(draft);
    segment.records.push(draft);
  }
  known.revision = component.revision;
  return true;
}

/**
 * Whether a record only goes on with the last one. Where there are branches, a prompt may decide which of them are real, and so may the
 * first record of a file that has a parent.
 */
function continues(draft: Draft, last: Draft, segment: SegmentState, { isOneLine }: Arrangement): boolean {
  if (aboveOf(draft) !== last || lastOf(segment) !== last) return false;
  return isOneLine || (segment.children.length === 0 && !isHuman(draft) && aboveOf(last) !== null);
}

/** Records in the order of the files, each where it first stands, and for each the record written before it there. */
interface Listing {
  readonly order: Draft[];
  readonly before: (Draft | null)[];
}

function listRecords(files: readonly FileState[]): Listing {
  const listing: Listing = { order: [], before: [] };
  const listed = new Set<Draft>();
  for (const file of files) listFile(file, listing, listed);
  return listing;
}

/** `listed`: records with a line that stands in several files. */
function listFile({ spots }: FileState, { order, before }: Listing, listed: Set<Draft>): void {
  let last: Draft | null = null;
  for (const { node } of spots) {
    const draft = node?.draft;
    if (!node || !draft || draft.scope !== null || !draft.alive) continue;
    if (draft.head === node && node.role !== 'reply' && !(node.copies && listed.has(draft))) {
      if (node.copies) listed.add(draft);
      draft.order = order.length;
      order.push(draft);
      before.push(last);
    }
    last = draft;
  }
}

/** One thread per leaf. Of the branches at a fork the first carries the thread's name on, so that a name stays while threads are added. */
export interface ThreadState {
  readonly id: Draft;
  readonly fork: Draft | null;
  /** The last of its segments; those before it stand above it. */
  readonly end: SegmentState;
}

export function listThreads({ segments }: Arrangement): ThreadState[] {
  const threads: ThreadState[] = [];
  const stack = segments.map((end): ThreadState => ({ id: end.records[0] as Draft, fork: null, end })).reverse();
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { id, fork, end } = at;
    if (end.children.length === 0) threads.push(at);
    for (let i = end.children.length - 1; i >= 0; i--) {
      const child = end.children[i] as SegmentState;
      stack.push(i === 0 ? { id, fork, end: child } : { id: child.records[0] as Draft, fork: lastOf(end), end: child });
    }
  }
  return threads;
}

export const lastOf = ({ records }: SegmentState): Draft => records[records.length - 1] as Draft;

/** The segments of the thread that begins with a record, or ends with it. */
export function pathThrough({ segmentOf }: Arrangement, draft: Draft): SegmentState[] | null {
  let end = segmentOf(draft);
  if (!end) return null;
  const isFirst = end.records[0] === draft && end.parent?.children[0] !== end;
  if (!isFirst && (end.children.length > 0 || lastOf(end) !== draft)) return null;
  while (end.children[0]) end = end.children[0];
  const path: SegmentState[] = [];
  for (let at: SegmentState | null = end; at; at = at.parent) path.push(at);
  return path.reverse();
}
