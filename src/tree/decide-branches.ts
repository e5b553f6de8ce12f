import type { Kind } from '../model/index.ts';
import { largest } from '../model/index.ts';
import { aboveOf, type Draft, kindOfDraft } from './drafts.ts';
import { type FileState, type Node, timeOf } from './nodes.ts';

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
  const floating = new Set<Draft>(lined);
  // Prompts from the queue stand where they were written.
  for (const draft of order) if (isLoose(draft)) floating.add(draft);
  const family = new Family(sorted, floating);
  const folded = stored ? new Map<Draft, Draft>() : foldCopies(sorted, family);
  const original = (draft: Draft): Draft => folded.get(draft) ?? draft;
  const parentOf = (draft: Draft): Draft | null => {
    const above = aboveOf(draft);
    return above && original(above);
  };
  const parentsFirst = folded.size === 0 ? sorted : sorted.filter((draft) => !folded.has(draft));
  const heads = new Set<Draft>();
  const roots = family.childrenOf(null);
  const forks = family.forks(parentsFirst);
  const view = stored || forks.length === 0 ? null : lookBelow(parentsFirst, parentOf, floating);
  for (const parent of forks) {
    const several = family.childrenOf(parent);
    if (view) decide(parent, several, view, heads, floating);
    else for (const child of several) heads.add(child);
  }
  return { parentsFirst, roots: realRoots(roots, parentsFirst, floating), heads, floating, folded, original, parentOf };
}

/** What only looks like a beginning joined the line; the first record is one in any case. */
function realRoots(roots: readonly Draft[], all: readonly Draft[], floating: ReadonlySet<Draft>): readonly Draft[] {
  const real = roots.filter((draft) => !floating.has(draft) || draft.head.parentSlot !== null);
  return real.length > 0 ? real : all.slice(0, 1);
}

const isLoose = (draft: Draft): boolean => draft.head.spot.more?.loose === true;

/** In a file where no parent is known the order of the lines is all there is (H11); so it is for a compaction whose parent is lost. */
function linesWithoutParents(order: readonly Draft[], stored: boolean): Set<Draft> {
  const hopeless = new Map<FileState, boolean>();
  let file: FileState | null = null;
  for (const draft of order) {
    const own = draft.head.spot.file;
    if (own !== file && !hopeless.has(own)) hopeless.set(own, true);
    else if (stored && draft.head.parentSlot === null) hopeless.set(own, false);
    // Where branches are stored, several beginnings are normal; there only lost parents count.
    if (aboveOf(draft)) hopeless.set(own, false);
    file = own;
  }
  const lined = new Set<Draft>();
  const seen = new Set<FileState>();
  for (const draft of order) {
    if (aboveOf(draft)) continue;
    const { spot } = draft.head;
    const lost = spot.more?.edge === 'compaction' && !draft.more?.cut && spot.parent !== null;
    if (seen.has(spot.file) ? hopeless.get(spot.file) || lost : lost && draft.order > 0) lined.add(draft);
    seen.add(spot.file);
  }
  return lined;
}

/** A line may stand before its parent. */
function sortParentsFirst(order: readonly Draft[]): Draft[] {
  const sorted: Draft[] = [];
  const done = new Uint8Array(order.length);
  const stack: Draft[] = [];
  for (const draft of order) {
    for (let at: Draft | null = draft; at && order[at.order] === at && !done[at.order]; at = aboveOf(at)) {
      done[at.order] = 1;
      stack.push(at);
    }
    for (let at = stack.pop(); at; at = stack.pop()) sorted.push(at);
  }
  return sorted;
}

/** Who is whose child, in file order. Kept as chains of numbers: a long session has one child per record and needs no lists. */
class Family {
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #drafts: Draft[] = [];

  constructor(sorted: readonly Draft[], apart: ReadonlySet<Draft>) {
    const size = sorted.reduce((most, draft) => Math.max(most, draft.order + 1), 0);
    this.#first = new Int32Array(size + 1).fill(-1);
    this.#next = new Int32Array(size).fill(-1);
    this.#drafts.length = size;
    for (const draft of sorted) this.#drafts[draft.order] = draft;
    for (let at = size - 1; at >= 0; at--) {
      const draft = this.#drafts[at];
      if (draft && !apart.has(draft)) this.#adopt(draft, aboveOf(draft));
    }
  }

  /** In front of the children there are. */
  #adopt(draft: Draft, parent: Draft | null): void {
    const slot = (parent?.order ?? -1) + 1;
    this.#next[draft.order] = this.#first[slot] ?? -1;
    this.#first[slot] = draft.order;
  }

  childrenOf(parent: Draft | null): Draft[] {
    const children: Draft[] = [];
    let at = this.#first[(parent?.order ?? -1) + 1] ?? -1;
    for (; at >= 0; at = this.#next[at] ?? -1) children.push(this.#drafts[at] as Draft);
    return children;
  }

  setChildren(parent: Draft | null, children: readonly Draft[]): void {
    this.#first[(parent?.order ?? -1) + 1] = -1;
    for (const child of [...children].sort((a, b) => b.order - a.order)) this.#adopt(child, parent);
  }

  hasSeveral(parent: Draft | null): boolean {
    const first = this.#first[(parent?.order ?? -1) + 1] ?? -1;
    return first >= 0 && (this.#next[first] ?? -1) >= 0;
  }

  /** Records with several children; null is the beginning of the session. */
  forks(drafts: readonly Draft[]): (Draft | null)[] {
    const forks: (Draft | null)[] = this.hasSeveral(null) ? [null] : [];
    for (const draft of drafts) if (this.hasSeveral(draft)) forks.push(draft);
    return forks;
  }
}

/** A sibling with the same content and time under another id is a copy; what hangs on it goes to the first. */
function foldCopies(sorted: readonly Draft[], family: Family): Map<Draft, Draft> {
  const folded = new Map<Draft, Draft>();
  const fold = (parent: Draft | null): void => {
    if (!family.hasSeveral(parent)) return;
    const several = family.childrenOf(parent);
    const seen = new Map<string, Draft>();
    const kept = several.filter((draft) => {
      const { spot } = draft.head;
      const time = timeOf(spot);
      if (time === null) return true;
      const sign = `${spot.digest} ${time}`;
      const first = seen.get(sign);
      if (!first) {
        seen.set(sign, draft);
        return true;
      }
      folded.set(draft, first);
      family.setChildren(first, [...family.childrenOf(first), ...family.childrenOf(draft)]);
      family.setChildren(draft, []);
      return false;
    });
    if (kept.length < several.length) family.setChildren(parent, kept);
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
function lookBelow(
  parentsFirst: readonly Draft[],
  parentOf: (draft: Draft) => Draft | null,
  apart: ReadonlySet<Draft>,
): View {
  const size = parentsFirst.reduce((most, draft) => Math.max(most, draft.order + 1), 0);
  const view: View = { human: new Uint8Array(size), last: new Int32Array(size), lead: new Int32Array(size).fill(-1) };
  const { human, last, lead } = view;
  for (let i = parentsFirst.length - 1; i >= 0; i--) {
    const draft = parentsFirst[i] as Draft;
    const at = draft.order;
    if (isHuman(draft)) {
      human[at] = 1;
      lead[at] = at;
    } else if (!LOOKED_THROUGH.has(kindOfDraft(draft))) lead[at] = -1;
    last[at] = Math.max(last[at] ?? 0, at);
    const parent = apart.has(draft) ? undefined : parentOf(draft)?.order;
    if (parent === undefined) continue;
    human[parent] = (human[parent] ?? 0) | (human[at] ?? 0);
    last[parent] = Math.max(last[parent] ?? 0, last[at] ?? 0);
    const below = lead[at] ?? -1;
    const known = lead[parent] ?? -1;
    if (below >= 0 && (known < 0 || below < known)) lead[parent] = below;
  }
  return view;
}

/** A command that the user defined is a prompt in other words. */
export function isHuman(draft: Draft): boolean {
  const { more } = draft.head.spot;
  if (more?.queued === true) return false;
  const kind = kindOfDraft(draft);
  return kind === 'user_defined_command' || (kind === 'user' && more?.origin === 'human');
}

const LOOKED_THROUGH: ReadonlySet<Kind> = new Set([
  'built_in_command',
  'bash',
  'compaction',
  'notification',
  'teammate',
]);
const ASIDES: ReadonlySet<Kind> = new Set(['built_in_command', 'bash', 'notification', 'teammate']);
const isAside = (draft: Draft): boolean =>
  ASIDES.has(kindOfDraft(draft)) || draft.head.spot.more?.origin === 'interruption';

function decide(
  parent: Draft | null,
  several: readonly Draft[],
  view: View,
  heads: Set<Draft>,
  floating: Set<Draft>,
): void {
  const gathered = new Set<Node>();
  const candidates = several.filter((draft) => {
    const caveat = gathering(draft.head.target);
    const again = caveat !== null && gathered.has(caveat);
    if (caveat) gathered.add(caveat);
    const joins = again || draft.head.spot.more?.queued === true || (isAside(draft) && !view.human[draft.order]);
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
  const leads = new Set(leading);
  const endedBefore = (place: number): Draft[] =>
    children.filter((draft) => !leads.has(draft) && (view.last[draft.order] ?? 0) < place);
  const lastLead = largest(
    leading.map((draft) => view.lead[draft.order] ?? -1),
    -1,
  );
  if (leading.length > 1) return new Set([...leading, ...endedBefore(lastLead)]);
  const answers = children.filter((draft) => draft.head.spot.kind === 'assistant');
  if (answers.length > 1 && parent && isPrompt(parent)) return new Set([...answers, ...leading]);
  const ended = leading.length > 0 ? endedBefore(lastLead) : [];
  return new Set(ended.length > 0 ? [...leading, ...ended] : []);
}

const PROMPTS: ReadonlySet<Kind> = new Set(['user', 'user_defined_command', 'built_in_command', 'bash']);
const isPrompt = (draft: Draft): boolean => PROMPTS.has(draft.head.spot.kind);

/** The caveat that a line is, or hangs on through skipped lines alone: all its children are one line. */
export function gathering(line: Node | null): Node | null {
  let node = line;
  for (let steps = 0; node && node.draft === null && steps < 64; steps++) {
    const place = node.spot.place;
    if (place.as === 'annotation' && place.gathers) return node;
    node = node.target;
  }
  return null;
}
