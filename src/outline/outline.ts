import type {
  Annotation,
  Block,
  Change,
  ContentOf,
  Key,
  LogRecord,
  Segment,
  Session,
  SessionId,
  SubagentId,
} from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { assemble } from './assemble.ts';
import type { Outline, OutlineNode, Row } from './node.ts';
import { openingRows, type RowOptions, readRows, resultText } from './read-rows.ts';

export interface OutlineOptions extends Partial<RowOptions> {
  /** Of the session; its id unless told. */
  readonly title?: string;
  /** One thread with the sub-agents it started, or one sub-agent; the whole session unless told. */
  readonly only?: { readonly thread: Key } | { readonly subagent: SubagentId };
  /** What a line says that stands before the first record; unless told they are left out. */
  readonly annotation?: (annotation: Annotation) => readonly Block[];
}

interface Kept {
  readonly rows: Map<Key, { readonly record: LogRecord; readonly depth: number; readonly rows: readonly Row[] }>;
  readonly nodes: ReadonlyMap<string, OutlineNode>;
  readonly verbose: boolean;
}

/** What an outline was made from, until a record changes. */
const kept = new WeakMap<Outline, Kept>();

/** A session with all its branches and sub-agents as one tree of things to fold (O1–O5). */
export function buildOutline(
  tree: Tree,
  session: SessionId,
  content: ContentOf,
  options: OutlineOptions = {},
): Outline {
  return collect(tree, session, content, options, null);
}

/** The same outline after a change: nodes below which nothing changed are the same objects. */
export function updateOutline(
  outline: Outline,
  tree: Tree,
  change: Change,
  content: ContentOf,
  options: OutlineOptions = {},
): Outline {
  const session = change.merged.find(({ from }) => from === outline.sessionId)?.into ?? outline.sessionId;
  return collect(tree, session, content, options, kept.get(outline) ?? null);
}

function collect(
  tree: Tree,
  session: SessionId,
  content: ContentOf,
  options: OutlineOptions,
  known: Kept | null,
): Outline {
  const verbose = options.verbose ?? false;
  const before = known?.verbose === verbose ? known : null;
  const made: Kept['rows'] = new Map();
  const rowsOf = (id: Key, depth: number): readonly Row[] => {
    const record = tree.record(id);
    if (!record || record.hidden) return [];
    const old = before?.rows.get(id);
    const entry =
      old?.record === record && old.depth === depth
        ? old
        : { record, depth, rows: readRows(record, content(record), depth, { verbose }) };
    made.set(id, entry);
    return entry.rows;
  };
  const facts = tree.session(session);
  const walk = new Walk(tree, session, rowsOf);
  const root = sessionRow(session, options.title ?? session);
  const { only } = options;
  const isOneAgent = only !== undefined && 'subagent' in only;
  const rows: Row[] = [root, ...(isOneAgent ? [] : openingOf(facts.annotations, options))];
  if (isOneAgent) walk.subagent(only.subagent, 0, null, rows);
  else if (only) walk.records(tree.path(session, only.thread), rows);
  else walk.session(facts, rows);
  const { node, nodes } = assemble(rows, before?.nodes ?? new Map());
  const path = facts.defaultThread === null ? [] : tree.path(session, facts.defaultThread);
  const onPath = new Set(path);
  const outline: Outline = {
    sessionId: session,
    root: node,
    openBranches: walk.branches.filter((id) => onPath.has(id)).map(branchId),
  };
  kept.set(outline, { rows: made, nodes, verbose });
  return outline;
}

const openingOf = (annotations: readonly Annotation[], { annotation, verbose = false }: OutlineOptions): Row[] =>
  annotation ? openingRows(annotations, annotations.map(annotation), { verbose }) : [];

/** Browsers nest 512 elements: branches within branches beyond this stand side by side. */
const DEEPEST = 200;

const branchId = (first: Key): string => `branch-${first}`;

const sessionRow = (session: SessionId, title: string): Row => ({
  id: `session-${session}`,
  aliases: [],
  type: 'session',
  level: 0,
  record: null,
  time: null,
  subagent: null,
  text: title,
  blocks: [],
});

interface Branch {
  readonly branch: Segment;
  readonly nesting: number;
}

/** Goes through segments and sub-agents in the order they are shown. */
class Walk {
  /** First records of the branches. */
  readonly branches: Key[] = [];
  readonly #tree: Tree;
  readonly #sessionId: SessionId;
  readonly #rowsOf: (id: Key, depth: number) => readonly Row[];
  readonly #inside = new Set<SubagentId>();

  constructor(tree: Tree, session: SessionId, rowsOf: (id: Key, depth: number) => readonly Row[]) {
    this.#tree = tree;
    this.#sessionId = session;
    this.#rowsOf = rowsOf;
  }

  /** All branches, and the sub-agents that no call is known of. */
  session({ id, subagents }: Session, rows: Row[]): void {
    const segments = this.#tree.segments(id);
    for (const segment of segments)
      this.#segment(segments.length > 1 ? { branch: segment, nesting: 0 } : segment, rows);
    for (const { id, hidden, spawn } of subagents) if (!hidden && spawn === null) this.#unlinked(id, rows);
  }

  records(ids: Iterable<Key>, rows: Row[]): void {
    for (const id of ids) for (const row of this.#rowsOf(id, 0)) this.#push(row, rows, 0);
  }

  #segment(first: Segment | Branch, rows: Row[]): void {
    // Branches may be nested deeply: a list of what is left instead of recursion.
    const left = [first];
    for (let next = left.pop(); next; next = left.pop()) {
      const nesting = 'branch' in next ? next.nesting : -1;
      const segment = 'branch' in next ? next.branch : next;
      if ('branch' in next) rows.push(this.#branchRow(segment, nesting));
      this.records(segment.records, rows);
      for (let i = segment.children.length - 1; i >= 0; i--)
        left.push({ branch: segment.children[i] as Segment, nesting: nesting + 1 });
    }
  }

  /** The deeper a branch is nested, the closer its level to 1, so that it stands below the one it forks from: 1/2, 2/3, 3/4 … */
  #branchRow({ records }: Segment, nesting: number): Row {
    const [first = ''] = records;
    this.branches.push(first);
    const record = this.#tree.record(first);
    const text = this.#rowsOf(first, 0)[0]?.text ?? '';
    return {
      id: branchId(first),
      aliases: [],
      type: 'branch',
      level: 1 - 1 / (Math.min(nesting, DEEPEST) + 2),
      record: first,
      time: record?.time ?? null,
      subagent: null,
      text,
      blocks: [],
    };
  }

  /** A sub-agent that no call is known of belongs to the session, not to whatever stands before it: where there are branches it stands beside them. */
  #unlinked(id: SubagentId, rows: Row[]): void {
    const [first] = this.#tree.subagentRecords(id, this.#sessionId);
    rows.push({
      id: `subagent-${id}`,
      aliases: [],
      type: 'subagent',
      level: this.branches.length > 0 ? 0.5 : 1,
      record: null,
      time: (first === undefined ? null : this.#tree.record(first)?.time) ?? null,
      subagent: id,
      text: id,
      blocks: [],
    });
    this.subagent(id, 1, null, rows);
  }

  #push(row: Row, rows: Row[], depth: number): void {
    rows.push(row.type === 'notification' ? this.#withoutAnswer(row, depth) : row);
    for (const id of row.tool?.subagents ?? []) this.subagent(id, depth + 1, row, rows);
  }

  /** What a task in the background ended with is the last that its sub-agent said: where that is shown, it is not said again. */
  #withoutAnswer(row: Row, depth: number): Row {
    const told = row.blocks.find((block) => block.type === 'notification');
    if (told?.type !== 'notification' || told.task === null || !told.result) return row;
    const [, ...others] = this.#tree.subagentRecords(told.task);
    const last = others.flatMap((key) => this.#rowsOf(key, depth + 1)).findLast(({ type }) => type === 'assistant');
    if (!last || (last.pair?.text ?? last.text).trim() !== told.result.trim()) return row;
    const { result: _result, ...rest } = told;
    const said = { ...rest, result: null, text: told.summary || told.status };
    return { ...row, text: said.text, blocks: row.blocks.map((block) => (block === told ? said : block)) };
  }

  /** `spawn`: the call that started it. What the call says already is not said again (O4). */
  subagent(id: SubagentId, depth: number, spawn: Row | null, rows: Row[]): void {
    if (this.#inside.has(id)) return;
    this.#inside.add(id);
    const own = this.#tree.subagentRecords(id, this.#sessionId).map((key) => this.#rowsOf(key, depth));
    const last = own.findLast((each) => each.length > 0)?.at(-1);
    own.forEach((each, i) => {
      for (const row of each) {
        if (i === 0 && spawn && isPromptOf(row, spawn)) continue;
        this.#push(row === last && spawn && saysResult(row, spawn) ? linkTo(row, spawn) : row, rows, depth);
      }
    });
    this.#inside.delete(id);
  }
}

const isPromptOf = (row: Row, { tool }: Row): boolean => {
  const prompt = (tool?.call?.input as { prompt?: unknown } | null | undefined)?.prompt;
  return typeof prompt === 'string' && row.type === 'user' && row.text.trim() === prompt.trim();
};

/** The agent adds a tail about the sub-agent to its answer. */
function withoutTail(text: string): string {
  const tail = text.indexOf('\nagentId: ');
  return (tail < 0 ? text : text.slice(0, tail)).trim();
}

function saysResult(row: Row, { tool }: Row): boolean {
  const said = (row.pair?.text ?? row.text).trim();
  const result = withoutTail(resultText(tool?.result?.block.output));
  return said !== '' && row.type !== 'tool' && said === result;
}

const linkTo = (row: Row, spawn: Row): Row => {
  const { pair: _pair, ...rest } = row;
  return { ...rest, type: 'assistant', blocks: [], sameAs: spawn.pair?.id ?? spawn.id };
};
