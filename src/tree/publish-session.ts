import type { Fact, Key, Segment, Session, Subagent, Thread, Title } from '../model/index.ts';
import { addAll, TITLE_LINES } from '../model/index.ts';
import {
  type Arrangement,
  arrange,
  lastOf,
  listThreads,
  type SegmentState,
  type ThreadState,
} from './arrange-threads.ts';
import { tokensOf } from './calls.ts';
import { aboveOf, type Draft, kindOfDraft, partsOf, repliesTo } from './drafts.ts';
import { noteTime, timesOf } from './enter-subagent.ts';
import type { Graph } from './graph.ts';
import { type Home, subagentsAt } from './name-sessions.ts';
import { compareSpots, type FileState, newTimes, type Spot, type SubagentState, type Times, timeOf } from './nodes.ts';
import { idOf, publishAnnotation } from './publish-record.ts';
import { claimIn, claimNamed } from './slots.ts';

/** A session as others see it. `home` is its files, or the native id alone when only sub-agents are left of it (H12). */
export function publishSession(graph: Graph, id: string, home: Home, revision: number): Session {
  const component = typeof home === 'string' ? null : home;
  const arrangement = component ? arrange(component) : null;
  const files = arrangement?.files ?? [];
  const subagents = subagentsOf(graph, home);
  const facts = factsOf(graph, files, arrangement);
  const listed = arrangement ? threadsOf(graph, arrangement) : [];
  const threads = listed.map(({ published }) => published);
  const leaf = arrangement ? activeLeaf(graph, arrangement) : null;
  const order = arrangement?.order ?? [];
  const firstFile = files[0] ?? [...(subagents[0]?.state.files ?? [])][0];
  const last = order[order.length - 1];
  const times = spanOf(files, subagents);
  const newest = threads[0];
  return {
    id,
    aliases: [
      ...new Set(
        files.flatMap((file) => [file.facts.native, file.native, stemOf(file)]).filter((alias) => alias !== id),
      ),
    ],
    project: firstFile?.facts.project ?? '',
    format: firstFile?.facts.format ?? '',
    files: files.map((file) => file.facts.id),
    roots: (arrangement?.roots ?? []).map((draft) => idOf(draft.head)),
    leaf: leaf ? idOf(leaf.head) : null,
    threads,
    defaultThread: (leaf && threadThrough(listed, arrangement?.segmentOf(leaf))) ?? newest?.id ?? null,
    subagents: subagents.map(({ published }) => published),
    facts,
    annotations: looseAnnotations(files, subagents),
    title: titleOf(facts, threads, order, subagents),
    cwd: order.find((draft) => draft.head.spot.env.cwd !== null)?.head.spot.env.cwd ?? cwdOf(subagents),
    gitBranch: newest?.gitBranch ?? last?.head.spot.env.gitBranch ?? null,
    startedAt: times.first,
    endedAt: times.last,
    recordCount: order.length,
    revision,
  };
}

const stemOf = ({ facts }: FileState): string => (facts.path.split('/').pop() ?? '').replace(/\.jsonl$/, '');

const cwdOf = (subagents: readonly OwnedSubagent[]): string | null => subagents[0]?.state.first?.env.cwd ?? null;

/** Of what is shown: a hidden sub-agent says nothing about its session. */
function spanOf(files: readonly FileState[], subagents: readonly OwnedSubagent[]): Times {
  const span = newTimes();
  const shown = subagents
    .filter(({ published }) => !published.hidden)
    .flatMap(({ state }) => state.parts.map((part) => part.times));
  for (const { first, last } of [...files.map(timesOf), ...shown]) {
    if (first !== null) noteTime(span, first);
    if (last !== null) noteTime(span, last);
  }
  return span;
}

interface OwnedSubagent {
  readonly state: SubagentState;
  readonly published: Subagent;
}

function subagentsOf(graph: Graph, home: Home): OwnedSubagent[] {
  const owned: OwnedSubagent[] = [];
  for (const state of subagentsAt(graph, home))
    if (state.first) owned.push({ state, published: publishSubagent(state) });
  const begin = ({ published }: OwnedSubagent): number => published.time ?? Number.MAX_SAFE_INTEGER;
  return owned.sort((a, b) => begin(a) - begin(b) || (a.published.id < b.published.id ? -1 : 1));
}

export function draftsOf(state: SubagentState): Draft[] {
  const drafts: Draft[] = [];
  for (const spot of [...state.spots].sort(compareSpots)) {
    const node = spot.node;
    const draft = node?.draft;
    if (node && draft?.alive && node.spot === spot && draft.head === node && node.role !== 'reply') drafts.push(draft);
  }
  return drafts;
}

function publishSubagent(state: SubagentState): Subagent {
  const drafts = draftsOf(state);
  const files = [...state.files].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
  const first = state.first;
  const tokens = files.flatMap((file) => file.facts.tokens);
  const helper = first?.more?.helper === true || tokens.includes('helper');
  const { site } = state;
  return {
    id: state.id,
    spawn: site?.node.draft ? { record: idOf(site.node.draft.head), call: site.key } : null,
    within: site?.node.scope ?? null,
    roots: drafts.filter((draft) => !aboveOf(draft)).map((draft) => idOf(draft.head)),
    files: files.map((file) => file.facts.id),
    sort: sortOf(state, helper, tokens),
    hidden: helper || (drafts.length <= 1 && !site),
    recordCount: drafts.length,
    time: first && timeOf(first),
  };
}

function sortOf(state: SubagentState, helper: boolean, tokens: readonly string[]): Subagent['sort'] {
  if (helper) return 'helper';
  if (tokens.some((token) => token.startsWith('run:'))) return 'workflow';
  if (
    state.first?.kind === 'teammate' ||
    (state.site && tokensOf(state.site).some((token) => token.startsWith('name:')))
  )
    return 'teammate';
  return [...state.files].every((file) => file.facts.role === 'session') ? 'inline' : 'task';
}

/** What the files say outside the chain; summaries are found by the record they speak of, in whatever file they stand (H16). */
function factsOf(graph: Graph, files: readonly FileState[], arrangement: Arrangement | null): Fact[] {
  const facts = files.flatMap((file) => file.known.filter((fact) => fact.type !== 'summary'));
  if (!arrangement || graph.summaries.size === 0) return facts;
  const spoken: Fact[] = [];
  for (const [key, summaries] of graph.summaries) {
    const draft = draftOf(graph, key);
    if (draft && arrangement.segmentOf(arrangement.folded.get(draft) ?? draft)) addAll(spoken, summaries);
  }
  return [...facts, ...spoken.sort(compareFacts)];
}

/** By place, as lines are. */
const compareFacts = ({ ref: a }: Fact, { ref: b }: Fact): number =>
  a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;

/** The record a key of any line leads to, if possible in the file where it is named. */
export function draftOf(graph: Graph, key: Key, file?: FileState): Draft | null {
  const slot = graph.find(key);
  const node = slot && (file ? claimIn(slot, key, file) : claimNamed(slot, key));
  return node ? (node.draft ?? node.main ?? node.anchor) : null;
}

interface ListedThread {
  readonly state: ThreadState;
  readonly published: Thread;
}

/** Newest first. */
function threadsOf(graph: Graph, arrangement: Arrangement): ListedThread[] {
  const last = new Map<Draft, Fact>();
  for (const [key, facts] of graph.summaries) {
    const draft = draftOf(graph, key);
    for (const fact of draft ? facts : []) {
      const known = last.get(draft as Draft);
      if (!known || compareFacts(known, fact) < 0) last.set(draft as Draft, fact);
    }
  }
  const summaries = new Map<Draft, string>();
  for (const [draft, { value }] of last) if (typeof value === 'string') summaries.set(draft, value);
  const sums = new Map<SegmentState, SegmentSum>();
  const threads = listThreads(arrangement).map((state) => ({
    state,
    published: publishThread(state, sumUp(state.end, summaries, sums)),
  }));
  return threads.sort(
    (a, b) =>
      (b.published.time ?? 0) - (a.published.time ?? 0) || lastOf(b.state.end).order - lastOf(a.state.end).order,
  );
}

/** What is known of the records from the root to the end of a segment. */
interface SegmentSum {
  readonly count: number;
  /** When something was last added to the last of them. */
  readonly time: number | null;
  /** The last that speaks of one of them. */
  readonly summary: string | null;
}

const NOTHING: SegmentSum = { count: 0, time: null, summary: null };

/** Each segment is looked at once, however many threads lead through it. */
function sumUp(
  end: SegmentState,
  summaries: ReadonlyMap<Draft, string>,
  known: Map<SegmentState, SegmentSum>,
): SegmentSum {
  const unknown: SegmentState[] = [];
  let at: SegmentState | null = end;
  for (; at && !known.has(at); at = at.parent) unknown.push(at);
  let sum = (at && known.get(at)) ?? NOTHING;
  for (const segment of unknown.reverse()) {
    const { records } = segment;
    const summary = summaries.size === 0 ? null : lastFound(records, (draft) => summaries.get(draft) ?? null);
    sum = {
      count: sum.count + records.length,
      time: lastFound(records, lastTimeOf) ?? sum.time,
      summary: summary ?? sum.summary,
    };
    known.set(segment, sum);
  }
  return sum;
}

function lastFound<T>(records: readonly Draft[], find: (draft: Draft) => T | null): T | null {
  for (let i = records.length - 1; i >= 0; i--) {
    const found = find(records[i] as Draft);
    if (found !== null) return found;
  }
  return null;
}

/** When anything was last added to a record. */
function lastTimeOf(draft: Draft): number | null {
  let last: number | null = null;
  eachTime(draft, (time) => {
    last = Math.max(last ?? time, time);
  });
  return last;
}

function eachTime(draft: Draft, see: (time: number) => void): void {
  for (const { spot, site: first } of partsOf(draft)) {
    seeTime(spot, see);
    for (let site = first; site; site = site.also) if (site.result) seeTime(site.result.spot, see);
  }
  for (const { spot } of repliesTo(draft)) seeTime(spot, see);
}

function seeTime(spot: Spot, see: (time: number) => void): void {
  const time = timeOf(spot);
  if (time !== null) see(time);
}

function publishThread({ id, fork, end }: ThreadState, { count, time, summary }: SegmentSum): Thread {
  const { head } = lastOf(end);
  return {
    id: idOf(id.head),
    fork: fork ? idOf(fork.head) : null,
    leaf: idOf(head),
    resumeId: head.spot.file.native,
    summary,
    gitBranch: head.spot.env.gitBranch,
    time,
    recordCount: count,
  };
}

/** The record the log names as active: the last it named, in the file written last; a format that stores branches goes on from its last line. */
function activeLeaf(graph: Graph, arrangement: Arrangement): Draft | null {
  const files = [...arrangement.files].sort((a, b) => lastTime(a) - lastTime(b) || (a.facts.id < b.facts.id ? -1 : 1));
  for (const file of files.reverse()) {
    if (file.facts.branches === 'stored') {
      const node = file.spots[file.spots.length - 1]?.node;
      const draft = node?.draft ?? node?.main;
      if (draft) return draft;
    }
    for (let i = file.known.length - 1; i >= 0; i--) {
      const fact = file.known[i];
      const draft = fact?.type === 'leaf' && fact.about !== null ? draftOf(graph, fact.about, file) : null;
      const shown = draft && (arrangement.folded.get(draft) ?? draft);
      if (shown && arrangement.segmentOf(shown)) return shown;
    }
  }
  return null;
}

function lastTime(file: FileState): number {
  for (let i = file.spots.length - 1; i >= 0; i--) {
    const time = timeOf(file.spots[i] as Spot);
    if (time !== null) return time;
  }
  return 0;
}

/** The newest thread that leads through a segment. */
function threadThrough(threads: readonly ListedThread[], segment: SegmentState | undefined): Key | null {
  const below = new Set(segment ? [segment] : []);
  for (const { children } of below) for (const child of children) below.add(child);
  return threads.find(({ state }) => below.has(state.end))?.published.id ?? null;
}

/** Skipped lines with no record above them, those of sub-agents included. */
function looseAnnotations(files: readonly FileState[], subagents: readonly OwnedSubagent[]): Session['annotations'] {
  const ids = new Set(subagents.map(({ state }) => state.id));
  const theirs = new Set(subagents.flatMap(({ state }) => [...state.files]));
  const loose = [
    ...files.flatMap((file) => [...file.loose].filter((node) => node.scope === null)),
    ...[...theirs].flatMap((file) => [...file.loose].filter(({ scope }) => scope !== null && ids.has(scope))),
  ];
  return loose.sort((a, b) => compareSpots(a.spot, b.spot)).map(publishAnnotation);
}

/** Best first: given by the user, generated, summary, first prompt, nickname (H16). A title equal to the worktree's name was stamped by the agent. */
function titleOf(
  facts: readonly Fact[],
  threads: readonly Thread[],
  order: readonly Draft[],
  subagents: readonly OwnedSubagent[],
): Title | null {
  const worktrees = new Set(facts.filter((fact) => fact.type === 'worktree').map((fact) => fact.value));
  const titles = facts.flatMap(titlesIn);
  const last = (by: string): string | undefined =>
    titles
      .filter(
        (title) =>
          title.by === by && typeof title.text === 'string' && title.text.trim() !== '' && !worktrees.has(title.text),
      )
      .map((title) => title.text as string)
      .at(-1);
  const custom = last('user');
  if (custom !== undefined) return { from: 'custom', text: custom };
  const generated = last('agent');
  if (generated !== undefined) return { from: 'generated', text: generated };
  const summary = threads.find((thread) => thread.summary !== null)?.summary;
  if (summary != null) return { from: 'summary', text: summary };
  const prompt = order.find(isTitlePrompt);
  if (prompt) return { from: 'prompt', record: idOf(prompt.head) };
  const slug = order.find((draft) => draft.head.spot.env.slug !== null)?.head.spot.env.slug;
  if (slug) return { from: 'slug', text: slug };
  const records = mayTitle(order, subagents).map(({ head }) => idOf(head));
  return records.length > 0 ? { from: 'anything', records } : null;
}

/** A prompt in words, or a command of the human's own with what it was given; a bare one of the agent's is none (H4). */
function isTitlePrompt(draft: Draft): boolean {
  const { spot } = draft.head;
  if (spot.kind === 'user') return spot.more?.origin === 'human' && spot.more.wordless !== true;
  return kindOfDraft(draft) === 'user_defined_command';
}

const CANDIDATES = 20;

/** Where nothing says what a session is about: what comes first in it, a mere command too, else what its sub-agents were asked. */
function mayTitle(order: readonly Draft[], subagents: readonly OwnedSubagent[]): Draft[] {
  const own: Draft[] = [];
  for (const draft of order) {
    const { spot } = draft.head;
    const isTold = spot.lineNumber <= TITLE_LINES || spot.kind.endsWith('_command');
    const isSaid = spot.more?.hidden !== true && spot.more?.origin !== 'interruption';
    if (isTold && isSaid) own.push(draft);
    if (own.length === CANDIDATES) return own;
  }
  const openings = subagents.flatMap(({ state, published }) =>
    published.hidden ? [] : ((state.opening ?? state.first)?.node?.draft ?? []),
  );
  return [...own, ...openings].slice(0, CANDIDATES);
}

/** A header may hold a title too. */
function titlesIn({ type, value }: Fact): { text?: unknown; by?: unknown }[] {
  if (type === 'title') return [value as { text?: unknown; by?: unknown }];
  const title = type === 'session' ? (value as { title?: unknown } | null)?.title : undefined;
  return typeof title === 'string' ? [{ text: title, by: 'user' }] : [];
}

export function publishSegments(arrangement: Arrangement): Segment[] {
  const done = new Map<SegmentState, Segment>();
  const stack = [...arrangement.segments];
  const all: SegmentState[] = [];
  for (let at = stack.pop(); at; at = stack.pop()) {
    all.push(at);
    addAll(stack, at.children);
  }
  for (const state of all.reverse()) {
    const children = state.children.map((child) => done.get(child) as Segment);
    done.set(state, { records: state.records.map((draft) => idOf(draft.head)), children });
  }
  return arrangement.segments.map((state) => done.get(state) as Segment);
}
