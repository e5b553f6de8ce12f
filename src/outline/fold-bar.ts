import type { Counts, NodeType, OutlineNode } from './node.ts';

/** A: nothing below is visible. B: the first level. C: everything. That a first level is folded and all levels are not cannot be said (O6). */
export type FoldState = 'A' | 'B' | 'C';

/** The first button folds and unfolds one level, the second all. */
export type FoldButton = 'one' | 'all';

const TRANSITIONS: Readonly<Record<FoldState, Readonly<Record<FoldButton, FoldState>>>> = {
  A: { one: 'B', all: 'C' },
  B: { one: 'A', all: 'C' },
  C: { one: 'A', all: 'B' },
};

export const press = (state: FoldState, button: FoldButton): FoldState => TRANSITIONS[state][button];

/** What every bar below is set to when a bar goes to a state; bars above never change. */
export const stateBelow = (state: FoldState): FoldState => (state === 'C' ? 'C' : 'A');

/** Sessions and prompts begin with their first level in view; of several branches only the way to the default thread does (O8). */
export function initialState(
  { level, type, id }: Pick<OutlineNode, 'level' | 'type' | 'id'>,
  openBranches: ReadonlySet<string>,
): FoldState {
  if (type === 'branch') return openBranches.has(id) ? 'B' : 'A';
  return level <= 1 ? 'B' : 'A';
}

/** A bar whose children have no children has one button: one level is all there is. */
export const hasOneLevel = ({
  immediateCount,
  totalCount,
}: Pick<BarCounts, 'immediateCount' | 'totalCount'>): boolean => immediateCount === totalCount;

export interface BarCounts {
  readonly immediateCount: number;
  readonly totalCount: number;
  readonly immediateByType: Counts;
  /** Every tool has its result. */
  readonly allPaired: boolean;
}

export interface BarLabels {
  readonly one: string;
  /** Null: there is one button only. */
  readonly all: string | null;
}

/** `▶ 2 messages` `▶▶ 125 total`; `▼ fold 2` `▶▶ fold all 125 below`; `▼ fold 2` `▼▼ fold all below` (O7). */
export function barLabels(state: FoldState, counts: BarCounts): BarLabels {
  const { immediateCount, totalCount } = counts;
  const single = hasOneLevel(counts);
  const one = state === 'A' ? `▶ ${whatIsFolded(counts)}` : `▼ fold ${immediateCount}`;
  if (single) return { one, all: null };
  const all =
    state === 'A' ? `▶▶ ${totalCount} total` : state === 'B' ? `▶▶ fold all ${totalCount} below` : '▼▼ fold all below';
  return { one, all };
}

export interface BarTooltips {
  readonly one: string;
  readonly all: string;
}

/** What a click will do, not what is. */
export const barTooltips = (state: FoldState): BarTooltips => ({
  one: state === 'A' ? 'Unfold (1st level)...' : 'Fold (all levels)...',
  all: state === 'C' ? 'Fold (to 1st level)...' : 'Unfold (all levels)...',
});

const MANY: Readonly<Partial<Record<NodeType, string>>> = {
  tool: 'tools',
  branch: 'branches',
  subagent: 'subagents',
  command: 'commands',
  notification: 'notifications',
  compaction: 'compactions',
  interruption: 'interruptions',
  hook: 'hooks',
  annotation: 'annotations',
};

const SHOWN_TYPES = 3;

function whatIsFolded({ immediateCount, immediateByType, allPaired }: BarCounts): string {
  const types = Object.entries(immediateByType) as [NodeType, number][];
  if (types.length > SHOWN_TYPES) return `${immediateCount} ${immediateCount === 1 ? 'message' : 'messages'}`;
  return types.map(([type, count]) => countOf(type, count, allPaired)).join(', ');
}

function countOf(type: NodeType, count: number, allPaired: boolean): string {
  if (type === 'tool' && allPaired && count > 1) return `${count} tool pairs`;
  return `${count} ${(count === 1 ? type : (MANY[type] ?? type)).replace('_', ' ')}`;
}
