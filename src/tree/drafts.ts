import type { Key, Kind, LogRecord, SubagentId } from '../model/index.ts';
import { compareSpots, type FileState, type Node, type Spot } from './nodes.ts';

/** A record as far as it is known. */
export interface Draft {
  /** The first of its own lines in file order gives id, parent and time. */
  head: Node;
  /** Its other lines, where it has several. */
  others: Node[] | null;
  readonly scope: SubagentId | null;
  parent: Draft | null;
  alive: boolean;
  /** In which commit it was last touched. */
  round: number;
  publishedId: Key | null;
  published: LogRecord | null;
  /** Where it is counted. */
  home: FileState | null;
  /** Union-find over parent links: tells cheaply that a new link cannot close a cycle. */
  set: Draft;
  order: number;
  segment: unknown;
  more: DraftMore | null;
}

/** What only few records have. */
export interface DraftMore {
  replies: Node[] | null;
  annotations: Set<Node> | null;
  /** Steps of the queue that became this record. */
  steps: Spot[] | null;
  /** Still waiting in the queue. */
  queued: boolean;
  /** The first record of a cycle loses its parent (H11). */
  cut: boolean;
  cycle: Draft[] | null;
  /** Whether it is one of the roots of its file. */
  isRoot: boolean;
  /** The two files that its parent link holds together. */
  bond: readonly [FileState, FileState] | null;
}

export function newDraft(head: Node): Draft {
  const draft: Omit<Draft, 'set'> & { set: Draft | null } = {
    head,
    others: null,
    scope: head.scope,
    parent: null,
    alive: true,
    round: -1,
    publishedId: null,
    published: null,
    home: null,
    set: null,
    order: -1,
    segment: null,
    more: null,
  };
  draft.set = draft as Draft;
  return draft as Draft;
}

export function extendDraft(draft: Draft): DraftMore {
  draft.more ??= {
    replies: null,
    annotations: null,
    steps: null,
    queued: false,
    cut: false,
    cycle: null,
    isRoot: false,
    bond: null,
  };
  return draft.more;
}

/** Its own lines in file order. */
export const partsOf = ({ head, others }: Draft): Node[] => (others ? [head, ...others] : [head]);

export function sortParts(draft: Draft): void {
  if (!draft.others) return;
  const [head, ...others] = partsOf(draft).sort((a, b) => compareSpots(a.spot, b.spot));
  draft.head = head as Node;
  draft.others = others;
}

export const aboveOf = ({ more, parent }: Draft): Draft | null => (more?.cut ? null : parent);

const NO_NODES: readonly Node[] = [];
export const repliesTo = ({ more }: Draft): readonly Node[] => more?.replies ?? NO_NODES;

/** What a record is in the light of its replies: an expanded prompt makes a command one that the user defined. */
export const kindOfDraft = (draft: Draft): Kind => kindWith(draft.head.spot.kind, repliesTo(draft));

export function kindWith(kind: Kind, replies: readonly Node[]): Kind {
  for (const { spot } of replies) if (spot.place.as === 'reply' && spot.place.makes) kind = spot.place.makes;
  return kind;
}
