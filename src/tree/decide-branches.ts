import type { Kind } from '../model/index.ts';
import type { Draft, Node } from './nodes.ts';

/** How the records of a session hang together: which begin a branch, and which only look like it and join the line (H14). */
export interface Plan {
  /** Every record after its parent, otherwise in file order; sibling copies are left out. */
  readonly parentsFirst: readonly Draft[];
  readonly roots: readonly Draft[];
  readonly heads: ReadonlySet<Draft>;
  readonly floating: ReadonlySet<Draft>;
  readonly folded: ReadonlyMap<Draft, Draft>;
  original(draft: Draft): Draft;
  parentOf(draft: Draft): Draft | null;
}

export function decideBranches(order: readonly Draft[], stored: boolean): Plan {
  const lined = linesWithoutParents(order, stored);
  const sorted = sortParentsFirst(order);
  const children = childrenOf(sorted, lined);
  const folded = stored ? new Map<Draft, Draft>() : foldCopies(sorted, children);
  const original = (draft: Draft): Draft => folded.get(draft) ?? draft;
  const parentsFirst = folded.size === 0 ? sorted : sorted.filter((draft) => !folded.has(draft));
  const heads = new Set<Draft>();
  const floating = new Set<Draft>(lined);
  const roots = children.get(null) ?? [];
  const view = stored ? null : lookBelow(parentsFirst, children);
  for (const [parent, several] of children) {
    if (several.length < 2 || (parent && folded.has(parent))) continue;
    if (!view) for (const child of several) heads.add(child);
    else decide(parent, several, view, heads, floating);
  }
  // Settled by the records themselves: prompts from the queue stand where they were written.
  for (const draft of parentsFirst) if (isLoose(draft)) floating.add(draft);
  return {
    parentsFirst,
    roots: realRoots(roots, parentsFirst, floating),
    heads,
    floating,
    folded,
    original,
    parentOf: (draft) => (draft.above ? original(draft.above) : null),
  };
}

/** What only looks like a beginning joined the line; the first record is one in any case. */
function realRoots(roots: readonly Draft[], all: readonly Draft[], floating: ReadonlySet<Draft>): readonly Draft[] {
  const real = roots.filter((draft) => !floating.has(draft));
  return real.length > 0 ? real : all.slice(0, 1);
}

const isLoose = (draft: Draft): boolean => draft.head.line.more?.loose === true;

/** In a file where no parent is known the order of the lines is all there is (H11); so it is for a compaction whose parent is lost. */
function linesWithoutParents(order: readonly Draft[], stored: boolean): Set<Draft> {
  const hopeless = new Map<string, boolean>();
  for (const draft of order) {
    const file = draft.head.spot.file.facts.id;
    // Where branches are stored, several beginnings are normal; there only lost parents count.
    if (draft.above || (stored && hopeless.has(file) && draft.head.parentSlot === null)) hopeless.set(file, false);
    else if (!hopeless.has(file)) hopeless.set(file, true);
  }
  const lined = new Set<Draft>();
  const seen = new Set<string>();
  for (const draft of order) {
    const file = draft.head.spot.file.facts.id;
    const isFirst = !seen.has(file);
    seen.add(file);
    if (isFirst || draft.above) continue;
    const lost = draft.head.line.edge === 'compaction' && !draft.cut && draft.head.line.parent !== null;
    if (hopeless.get(file) || lost) lined.add(draft);
  }
  return lined;
}

/** A line may stand before its parent. */
function sortParentsFirst(order: readonly Draft[]): Draft[] {
  const sorted: Draft[] = [];
  const done = new Uint8Array(order.length);
  const stack: Draft[] = [];
  for (const draft of order) {
    for (let at: Draft | null = draft; at && order[at.order] === at && !done[at.order]; at = at.above) {
      done[at.order] = 1;
      stack.push(at);
    }
    for (let at = stack.pop(); at; at = stack.pop()) sorted.push(at);
  }
  return sorted;
}

type Children = Map<Draft | null, Draft[]>;

/** Only where there are several: a record with one child needs no decision. Loose records are nobody's child. */
function childrenOf(sorted: readonly Draft[], lined: ReadonlySet<Draft>): Children {
  const children: Children = new Map();
  for (const draft of sorted) {
    if (isLoose(draft) || lined.has(draft)) continue;
    const list = children.get(draft.above);
    if (list) list.push(draft);
    else children.set(draft.above, [draft]);
  }
  for (const list of children.values()) if (list.length > 1) list.sort((a, b) => a.order - b.order);
  return children;
}

/** A sibling with the same content and time under another id is a copy; what hangs on it goes to the first. */
function foldCopies(sorted: readonly Draft[], children: Children): Map<Draft, Draft> {
  const folded = new Map<Draft, Draft>();
  const fold = (parent: Draft | null): void => {
    const several = children.get(parent);
    if (!several || several.length < 2) return;
    const seen = new Map<string, Draft>();
    const kept = several.filter((draft) => {
      const { digest, time } = draft.head.line;
      if (time === null) return true;
      const first = seen.get(`${digest} ${time}`);
      if (!first) {
        seen.set(`${digest} ${time}`, draft);
        return true;
      }
      folded.set(draft, first);
      const below = children.get(draft);
      if (below)
        children.set(
          first,
          [...(children.get(first) ?? []), ...below].sort((a, b) => a.order - b.order),
        );
      children.delete(draft);
      return false;
    });
    children.set(parent, kept);
  };
  fold(null);
  for (const draft of sorted) if (!folded.has(draft)) fold(draft);
  return folded;
}

interface View {
  readonly human: Uint8Array;
  readonly last: Int32Array;
  /** Place of the first human prompt reached through commands, compactions and messages; -1: none. */
  readonly lead: Int32Array;
}

/** What lies below each record, in one pass from the leaves. */
function lookBelow(parentsFirst: readonly Draft[], children: Children): View {
  const size = parentsFirst.reduce((most, draft) => Math.max(most, draft.order + 1), 0);
  const view: View = { human: new Uint8Array(size), last: new Int32Array(size), lead: new Int32Array(size).fill(-1) };
  for (let i = parentsFirst.length - 1; i >= 0; i--) {
    const draft = parentsFirst[i] as Draft;
    const at = draft.order;
    let human = isHuman(draft) ? 1 : 0;
    let last = at;
    let lead = human ? at : -1;
    const through = lead < 0 && LOOKED_THROUGH.has(draft.head.line.kind);
    for (const child of children.get(draft) ?? []) {
      human |= view.human[child.order] ?? 0;
      last = Math.max(last, view.last[child.order] ?? 0);
      const below = view.lead[child.order] ?? -1;
      if (through && below >= 0 && (lead < 0 || below < lead)) lead = below;
    }
    view.human[at] = human;
    view.last[at] = last;
    view.lead[at] = lead;
  }
  return view;
}

const isHuman = (draft: Draft): boolean =>
  draft.head.line.kind === 'user' && draft.head.line.origin === 'human' && draft.head.line.more?.queued !== true;
const LOOKED_THROUGH: ReadonlySet<Kind> = new Set([
  'built_in_command',
  'user_defined_command',
  'bash',
  'compaction',
  'notification',
  'teammate',
]);
const ASIDES: ReadonlySet<Kind> = new Set([
  'built_in_command',
  'user_defined_command',
  'bash',
  'notification',
  'teammate',
]);
const isAside = (draft: Draft): boolean =>
  ASIDES.has(draft.head.line.kind) || draft.head.line.origin === 'interruption';

function decide(
  parent: Draft | null,
  several: readonly Draft[],
  view: View,
  heads: Set<Draft>,
  floating: Set<Draft>,
): void {
  const gathered = new Set<Node>();
  const candidates = several.filter((draft) => {
    const caveat = gatheringNode(draft);
    const again = caveat !== null && gathered.has(caveat);
    if (caveat) gathered.add(caveat);
    const joins = again || draft.head.line.more?.queued === true || (isAside(draft) && !view.human[draft.order]);
    if (joins) floating.add(draft);
    return !joins;
  });
  const chosen = branches(parent, candidates, view);
  for (const draft of chosen) heads.add(draft);
  const [first, ...others] = candidates.filter((draft) => !chosen.has(draft));
  if (first && chosen.size > 0) floating.add(first);
  for (const draft of others) floating.add(draft);
}

/** The children that begin a branch of their own; none when the record is no branch point. */
function branches(parent: Draft | null, children: readonly Draft[], view: View): Set<Draft> {
  const leading = children.filter((draft) => (view.lead[draft.order] ?? -1) >= 0);
  const endedBefore = (place: number): Draft[] =>
    children.filter((draft) => !leading.includes(draft) && (view.last[draft.order] ?? 0) < place);
  const lastLead = Math.max(-1, ...leading.map((draft) => view.lead[draft.order] ?? -1));
  if (leading.length > 1) return new Set([...leading, ...endedBefore(lastLead)]);
  const answers = children.filter((draft) => draft.head.line.kind === 'assistant');
  if (answers.length > 1 && parent && isPrompt(parent)) return new Set([...answers, ...leading]);
  const ended = leading.length > 0 ? endedBefore(lastLead) : [];
  return new Set(ended.length > 0 ? [...leading, ...ended] : []);
}

const PROMPTS: ReadonlySet<Kind> = new Set(['user', 'user_defined_command', 'built_in_command', 'bash']);
const isPrompt = (draft: Draft): boolean => PROMPTS.has(draft.head.line.kind);

/** The caveat a record hangs on, directly or through other skipped lines: all its children are one line. */
function gatheringNode(draft: Draft): Node | null {
  let node = draft.head.target;
  for (let steps = 0; node && node.draft === null && steps < 64; steps++) {
    const place = node.line.place;
    if (place.as === 'annotation' && place.gathers) return node;
    node = node.target;
  }
  return null;
}
