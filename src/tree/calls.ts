import type { CallId, CallName, SubagentId } from '../model/index.ts';
import type { FirstIn } from './call-sites.ts';
import type { FileState, Node } from './nodes.ts';

/** Everything that names the id of one call. */
export interface CallSlot {
  readonly key: CallId;
  /** The first call with this id. */
  first: CallSite | null;
  results: CallResult | null;
  rare: CallRare | null;
}

/** A call in a line. The first with its id is the slot of that id, too. */
export interface CallSite extends CallSlot {
  slot: CallSlot;
  readonly name: string;
  readonly node: Node;
  result: Node | null;
  isError: boolean;
  /** The next call of the same line. */
  also: CallSite | null;
}

/** What only few calls have, or few ids. */
export interface CallRare {
  /** All calls with this id, when there are several, and the first of them in each file. */
  sites: CallSite[] | null;
  isSorted: boolean;
  byFile: Map<FileState, FirstIn> | null;
  /** Where there are several: the lines with results that hang on no answer that makes one of them. */
  far: Set<Node> | null;
  /** Files in which a call of the main line with this id starts sub-agents. */
  spawnsIn: Set<FileState> | null;
  /** Somebody named it as the start of a sub-agent. */
  isLinked: boolean;
  /** What a sub-agent it starts can be recognised by. */
  tokens: readonly string[];
  subagents: readonly SubagentId[];
  /** Further results. */
  more: Node[] | null;
  body: Node | null;
}

export interface CallResult {
  readonly node: Node;
  readonly slot: CallSlot;
  readonly isError: boolean;
  readonly body: boolean;
  site: CallSite | null;
  /** The next result of the same line, and the next with the same id. */
  readonly also: CallResult | null;
  next: CallResult | null;
}

/** The slot of an id of which no call is known yet. */
export const emptySlot = (key: CallId): CallSlot => ({ key, first: null, results: null, rare: null });

/** `slot`: that of its id, where there is one already. */
export function newSite(slot: CallSlot | null, { id, name, tokens }: CallName, node: Node): CallSite {
  const site: Omit<CallSite, 'slot'> & { slot: CallSlot | null } = {
    key: id,
    first: null,
    results: null,
    rare: null,
    slot,
    name,
    node,
    result: null,
    isError: false,
    also: null,
  };
  site.slot ??= site as CallSlot;
  if (tokens.length > 0) rareOf(site).tokens = tokens;
  return site as CallSite;
}

export function rareOf(slot: CallSlot): CallRare {
  slot.rare ??= {
    sites: null,
    isSorted: true,
    byFile: null,
    far: null,
    spawnsIn: null,
    isLinked: false,
    tokens: NONE,
    subagents: NONE,
    more: null,
    body: null,
  };
  return slot.rare;
}

const NONE: readonly string[] = [];
export const tokensOf = ({ rare }: CallSite): readonly string[] => rare?.tokens ?? NONE;
export const subagentsOf = ({ rare }: CallSite): readonly SubagentId[] => rare?.subagents ?? NONE;

export function sitesOf(node: Node): CallSite[] {
  const sites: CallSite[] = [];
  for (let site = node.site; site; site = site.also) sites.push(site);
  return sites;
}
