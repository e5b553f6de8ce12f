import type {
  Edge,
  Env,
  Fact,
  FileFacts,
  Key,
  Kind,
  LineRef,
  More,
  Origin,
  Place,
  SubagentId,
  Usage,
  Warning,
} from '../model/index.ts';
import type { CallResult, CallSite } from './calls.ts';
import type { Draft } from './drafts.ts';

/**
 * The mutable inside of the tree. Everything that leaves it is made from these in `publish-*.ts`.
 *
 * Half of the time beside `JSON.parse` goes into moving what stays from the young heap to the old. So there are few objects for a line, and
 * those of which there are many are written as literals: V8 notices where literals live long and puts them into the old heap at once,
 * which it does not do for `new`.
 */

export class FileState {
  readonly facts: FileFacts;
  readonly index: number;
  /** The native session id: the header's once it was read, else the name of the file. */
  native: string;
  /** Every line that is or may become part of a record, in file order. */
  readonly spots: Spot[] = [];
  /** The first time a line of it names. */
  began: number | null = null;
  /** Of the line that came last. */
  env: Env | null = null;
  lastMain: Spot | null = null;
  lastSub: Spot | null = null;
  /** Answers under construction, of the main line and of each sub-agent, by the id their lines share. */
  readonly answers = new Map<SubagentId | null, Map<string, Answer>>();
  /** The last line of the main conversation that holds a prompt. */
  promptLine = 0;
  readonly queue: QueueState = { waiting: [], dequeued: [], removed: [], taken: [] };
  /** What became of the steps of the queue; a step that is not here is bookkeeping. */
  readonly steps = new Map<Spot, 'shown' | 'folded'>();
  readonly known: Fact[] = [];
  readonly warnings = new Map<string, WarningCount>();
  bookkeeping = 0;
  reported = 0;
  /** In which commit it was last touched. */
  round = -1;
  /** When lines of its main conversation were written that are shown; null: lines were taken out, they have to be gone through. */
  times: Times | null = newTimes();
  /** Skipped lines with no record above them. */
  readonly loose = new Set<Node>();
  component: Component;
  /** How many records of the main line began here. */
  records = 0;
  /** Records of the main line without a parent. */
  readonly roots = new Set<Draft>();
  /** Before this spot nothing stands here alone; 0 when that has to be looked at again. */
  ownFrom = 0;
  /** The session id last told. */
  session: string | null = null;

  constructor(facts: FileFacts, index: number) {
    this.facts = facts;
    this.index = index;
    this.native = facts.native;
    this.component = { files: [this], revision: 0, arrangement: null, id: null };
  }
}

/** From when to when. */
export interface Times {
  first: number | null;
  last: number | null;
}

export const newTimes = (): Times => ({ first: null, last: null });

/** The answer of a file that lines with its id go on with. */
export interface Answer {
  draft: Draft | null;
  request: number;
  /** The last of its lines that was looked up here. */
  line: number;
}

export interface WarningCount {
  readonly warning: Warning;
  readonly line: number;
  readonly key: string | null;
  readonly version: string | null;
  count: number;
}

/** Main files that share records or continue each other: one session. */
export interface Component {
  files: FileState[];
  revision: number;
  /** How its records were last arranged; null when more happened since than records added at the end. */
  arrangement: unknown;
  id: string | null;
}

/** One line at one place, with what the tree needs of it: the `Line` itself is let go, so that of a line few objects stay. */
export interface Spot {
  readonly file: FileState;
  readonly lineNumber: number;
  readonly offset: number;
  readonly bytes: number;
  /** null: a step of the queue that shows nothing. */
  node: Node | null;
  readonly key: Key;
  /** The same text as the key of the slot it names, held once. */
  parent: Key | null;
  readonly kind: Kind;
  readonly place: SpotPlace;
  /** Milliseconds since its file began: a small number takes no memory of its own. */
  readonly since: number | null;
  readonly usage: Usage | null;
  readonly stop: string | null;
  readonly digest: number;
  readonly env: Env;
  readonly more: SpotMore | null;
}

/** What only few spots have. */
export interface SpotMore extends More {
  readonly edge?: Edge;
  readonly origin?: Origin | null;
  /** A step of the queue, and whether it says anything. */
  readonly step?: 'text' | 'silent';
}

export const refOf = ({ file, lineNumber, offset, bytes }: Spot): LineRef => ({
  file: file.facts.id,
  line: lineNumber,
  offset,
  bytes,
});

/** When it was written. */
export const timeOf = ({ file, since }: Spot): number | null => (since === null ? null : (file.began ?? 0) + since);

export type ResultPlace = Place & { readonly as: 'result' };
/** Which calls a line answers is kept in its `CallResult`s. */
export type SpotPlace = Exclude<Place, ResultPlace> | Omit<ResultPlace, 'of'>;

/** Everything that claims one id. Several nodes: the same id with different content, or a skipped line that several files share. */
export interface Slot {
  readonly key: Key;
  /** The first claim by path; nearly always the only one, and then there is no list. */
  first: Node | null;
  /** The first of the nodes that name this id as their parent; the next is its `sibling`. */
  children: Node | null;
  /** Made when there are several nodes. */
  rivals: Rivals | null;
}

export interface Rivals {
  /** All but the first, in order. */
  others: Node[];
  /** Where it stands first in each file, and where each of the ids that mean the same. */
  readonly firstIn: Map<FileState, Spot>;
  readonly firstOf: Map<Key, Spot>;
  bySign: Map<string, Node> | null;
}

export type Role = 'none' | 'record' | 'part' | 'reply' | 'result' | 'annotation';

/**
 * One line of the log, wherever and how often it stands. It is the spot where it was first seen, too, and the first that claims an id is
 * the slot of that id: for nearly all lines one object is all three.
 */
export interface Node extends Spot, Slot {
  readonly key: Key;
  slot: Slot;
  /** Where it is read; any other place is one of `copies`. */
  spot: Spot;
  copies: Copies | null;
  parentSlot: Slot | null;
  sibling: Node | null;
  target: Node | null;
  role: Role;
  /** The record this line is, is part of, or answers. */
  draft: Draft | null;
  /** Nearest record at or above this line; of the main line in `main`. */
  anchor: Draft | null;
  main: Draft | null;
  /** Where an annotation is shown; undefined: nowhere yet. */
  holder: Draft | null | undefined;
  /** The first call this line makes and the first result it brings; the others hang on it. Nearly always there is one. */
  site: CallSite | null;
  result: CallResult | null;
  readonly scope: SubagentId | null;
}

export interface QueueItem {
  readonly enqueue: Spot | null;
  /** The step that took it out. */
  taker: Spot | null;
}

export interface QueueState {
  waiting: QueueItem[];
  /** Taken out for an ordinary turn whose record has not come yet. */
  dequeued: QueueItem[];
  /** Taken out for the running turn; its attachment may still come. */
  removed: QueueItem[];
  /** Attachments whose step has not come yet, with the prompt they took out themselves. */
  taken: { readonly draft: Draft; readonly item: QueueItem | null; readonly waited: readonly QueueItem[] }[];
}

/** What a file says of a sub-agent. */
export class SubagentPart {
  readonly file: FileState;
  readonly spots: Spot[] = [];
  first: Spot;
  /** The first that says what it can be recognised by. */
  opening: Spot | null = null;
  readonly times: Times = newTimes();

  constructor(first: Spot) {
    this.file = first.file;
    this.first = first;
  }
}

/** A sub-agent of one session. Nearly always it has one file. */
export class SubagentState {
  readonly id: SubagentId;
  parts: SubagentPart[] = [];
  /** From a file beside the transcript. */
  sidecar: readonly string[] = [];
  site: CallSite | null = null;

  constructor(id: SubagentId) {
    this.id = id;
  }

  get files(): FileState[] {
    return this.parts.map(({ file }) => file);
  }

  get spots(): Spot[] {
    return this.parts.flatMap(({ spots }) => spots);
  }

  /** The first by path and line, whatever was read first. */
  get first(): Spot | null {
    return firstOf(this.parts.map(({ first }) => first));
  }

  get opening(): Spot | null {
    return firstOf(this.parts.flatMap(({ opening }) => opening ?? []));
  }
}

function firstOf(spots: readonly Spot[]): Spot | null {
  let first: Spot | null = null;
  for (const spot of spots) if (!first || compareSpots(spot, first) < 0) first = spot;
  return first;
}

/** The further places of a line. A beginning that thousands of sessions share has as many. */
export class Copies {
  readonly spots: Spot[] = [];
  /** The first that still has a parent. */
  parented: Spot | null = null;
  #files: Set<FileState> | null = null;

  add(spot: Spot): void {
    this.spots.push(spot);
    this.#files?.add(spot.file);
    if (spot.parent !== null && (!this.parented || compareCopies(spot, this.parented) < 0)) this.parented = spot;
  }

  isIn(file: FileState): boolean {
    if (this.spots.length <= FEW) return this.spots.some((spot) => spot.file === file);
    this.#files ??= new Set(this.spots.map((spot) => spot.file));
    return this.#files.has(file);
  }

  /** Whether one stands in another file. */
  isBeyond(file: FileState): boolean {
    return this.spots.some((spot) => spot.file !== file);
  }
}

const FEW = 8;

/** Wherever a line stands. */
export const spotsOf = ({ spot, copies }: Node): readonly Spot[] => (copies ? [spot, ...copies.spots] : [spot]);

/** A line that turned out to be a copy of another, or a step of the queue that is shown no more. */
export const isGone = (node: Node): boolean => node.node !== node;

/** File order is the truth inside a file; between files the path decides, so that the order of reading does not matter (H10). */
export function compareSpots(a: Spot, b: Spot): number {
  if (a.file === b.file) return a.lineNumber - b.lineNumber;
  return a.file.facts.id < b.file.facts.id ? -1 : 1;
}

/** The original is the copy that does not say it was forked, then the first by path. */
export function compareCopies(a: Spot, b: Spot): number {
  const forkedA = a.more?.forked === true ? 1 : 0;
  const forkedB = b.more?.forked === true ? 1 : 0;
  return forkedA - forkedB || compareSpots(a, b);
}
