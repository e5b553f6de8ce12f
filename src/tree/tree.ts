import type {
  Accounting,
  Change,
  FileFacts,
  Finding,
  Key,
  Line,
  LineRef,
  LogRecord,
  Segment,
  Session,
  SessionId,
  SubagentId,
} from '../model/index.ts';
import { SkeinError } from '../model/index.ts';
import { accountLines } from './account-lines.ts';
import { arrange, pathThrough, type SegmentState } from './arrange-threads.ts';
import { subagentAt } from './divide-subagents.ts';
import type { Draft } from './drafts.ts';
import { feedLine } from './feed-line.ts';
import { findResults, type ResultLine } from './find-results.ts';
import { seemsCopied } from './find-twin.ts';
import { Graph } from './graph.ts';
import { rejoin } from './join-files.ts';
import { linkSubagents } from './link-subagents.ts';
import { listFindings } from './list-findings.ts';
import { electId, type Home, homeOfSubagent, nameSessions } from './name-sessions.ts';
import type { FileState, SubagentState } from './nodes.ts';
import { assignAgain } from './pair-results.ts';
import { idOf, publishRecord } from './publish-record.ts';
import { draftsOf, publishSegments, publishSession } from './publish-session.ts';
import { settleRest } from './settle-nodes.ts';
import { type Sketch, sketchRecord } from './sketch-record.ts';
import { claimAt, claimNamed, claimsOn } from './slots.ts';
import { markSessions, nameChanges, renameSessions } from './tell-changes.ts';

/**
 * The record tree of one project. Reading a file is appending it: `add` is the only way in, and for any interleaving of files and any
 * split of a file into pieces the tree is the same. It holds references to lines, never their content.
 */
export class Tree {
  readonly #graph = new Graph();
  readonly #remembers: boolean;
  #revision = 0;
  #homes: Map<SessionId, Home> | null = null;
  readonly #sessions = new Map<SessionId, Session>();
  #added: readonly Draft[] = [];

  get revision(): number {
    return this.#revision;
  }

  /** `remembers`: a record is the same object until it changes. Who asks for each once saves the memory. */
  constructor({ remembers = true }: { readonly remembers?: boolean } = {}) {
    this.#remembers = remembers;
  }

  /** Lines of one file, in file order, after those added before. */
  add(facts: FileFacts, lines: readonly Line[]): Change {
    this.feed(facts, lines);
    return this.commit();
  }

  /** The first half of `add`: takes the lines in. Many files can be fed before one `commit` says what changed. */
  feed(facts: FileFacts, lines: readonly Line[]): void {
    const graph = this.#graph;
    const file = graph.file(facts);
    for (const line of lines) feedLine(graph, file, line);
  }

  /** Whether a line seems to repeat one that is there: nobody will ask what it says. */
  seemsCopied(line: Line): boolean {
    return line.in === 'chain' && seemsCopied(this.#graph.find(line.more?.copyOf ?? line.key), line);
  }

  /** Every session, in no particular order. */
  sessionIds(): SessionId[] {
    return [...this.#sessionHomes().keys()];
  }

  session(id: SessionId): Session {
    const home = this.#sessionHomes().get(id);
    if (home === undefined) throw new SkeinError('not_found', `No session found matching '${id}'`);
    const revision = typeof home === 'string' ? this.#revision : home.revision;
    const known = this.#sessions.get(id);
    if (known && known.revision === revision) return known;
    const session = publishSession(this.#graph, id, home, revision);
    this.#sessions.set(id, session);
    return session;
  }

  #publish(draft: Draft): LogRecord {
    const record = publishRecord(draft, this.#sessionOf(draft));
    if (this.#remembers) draft.published = record;
    return record;
  }

  /** By its id or that of any line folded into it. */
  record(id: Key): LogRecord | null {
    const draft = this.#draft(id);
    return draft ? this.#publish(draft) : null;
  }

  /** What the last commit added, by its place there: of a whole project each would have to be looked for. */
  addedAt(place: number): LogRecord | null {
    const draft = this.#added[place];
    if (!draft) return null;
    const { head } = draft;
    return head.slot.first === head ? this.#publish(draft) : this.record(idOf(head));
  }

  /** Where a record belongs; cheaper than the record. */
  sessionOf(id: Key): SessionId | null {
    const draft = this.#draft(id);
    return draft && this.#sessionOf(draft);
  }

  /** The line that a record stands below, also one that is skipped. */
  hangsOn(id: Key): Key | null {
    return this.#draft(id)?.head.spot.parent ?? null;
  }

  /** Whether the log says itself what is a branch. */
  storesBranches(session: SessionId): boolean {
    const home = this.#sessionHomes().get(session);
    return home !== undefined && typeof home !== 'string' && arrange(home).files[0]?.facts.branches === 'stored';
  }

  /** Which calls a line answers. */
  resultsAt(ref: LineRef): ResultLine | null {
    return findResults(this.#graph, ref);
  }

  /** The records of a thread from root to leaf; its leaf names it too. */
  path(session: SessionId, thread: Key): Key[] {
    return this.pathOf(session, thread)?.from(0) ?? [];
  }

  /** The same, of which a part may be enough: a view that follows a growing thread asks for what is new. */
  pathOf(session: SessionId, thread: Key): ThreadPath | null {
    const home = this.#sessionHomes().get(session);
    if (home === undefined || typeof home === 'string') return null;
    const draft = this.#draft(thread);
    const path = draft && pathThrough(arrange(home), draft);
    if (!path) return null;
    return {
      stamp: path[path.length - 1] as SegmentState,
      length: path.reduce((sum, segment) => sum + segment.records.length, 0),
      from: (index) => idsFrom(path, index),
    };
  }

  /** The segments at the beginning of a session: one, unless it has several beginnings. */
  segments(session: SessionId): Segment[] {
    const home = this.#sessionHomes().get(session);
    return home === undefined || typeof home === 'string' ? [] : publishSegments(arrange(home));
  }

  /** All records of the main line in file order. */
  records(session: SessionId): Key[] {
    const home = this.#sessionHomes().get(session);
    return home === undefined || typeof home === 'string' ? [] : arrange(home).order.map((draft) => idOf(draft.head));
  }

  /** The first of the main line that is shown. */
  firstShown(session: SessionId): Key | null {
    const home = this.#sessionHomes().get(session);
    if (home === undefined || typeof home === 'string') return null;
    for (const draft of arrange(home).order) {
      const id = idOf(draft.head);
      if (this.record(id)?.hidden === false) return id;
    }
    return null;
  }

  /** The records of a sub-agent of a session in file order. */
  subagentRecords(id: SubagentId, session?: SessionId): Key[] {
    const state = this.#subagentOf(id, session);
    return state ? draftsOf(state).map((draft) => idOf(draft.head)) : [];
  }

  /** Several sessions may have given out an id. */
  #subagentOf(id: SubagentId, session?: SessionId): SubagentState | undefined {
    const states = this.#graph.subagents.get(id);
    if (!states || states.length < 2 || session === undefined) return states?.[0];
    const home = this.#sessionHomes().get(session);
    return states.find((state) => homeOfSubagent(this.#graph, state) === home);
  }

  /** The records of a session that are shown: the main line in file order, then each sub-agent that is in a view in its order. */
  *sketches(session: SessionId): Generator<Sketch> {
    const home = this.#sessionHomes().get(session);
    const main = home === undefined || typeof home === 'string' ? [] : arrange(home).order;
    yield* sketchesOf(main);
    for (const { id, hidden } of this.session(session).subagents) {
      const state = hidden ? undefined : this.#subagentOf(id, session);
      if (state) yield* sketchesOf(draftsOf(state));
    }
  }

  /** Every record there is, those of no session included: housekeeping sub-agents use tokens too (H12). */
  *allRecords(): Generator<LogRecord> {
    for (const slot of this.#graph.slots.values()) {
      for (const node of claimsOn(slot)) {
        const draft = node.draft;
        if (draft?.alive && draft.head === node && node.role !== 'reply') yield this.#publish(draft);
      }
    }
  }

  accounting(files?: readonly string[]): Accounting {
    return accountLines(this.#files(files));
  }

  /** Where a file lies. */
  filePath(id: string): string {
    return this.#graph.files.get(id)?.facts.path ?? id;
  }

  findings(files?: readonly string[]): Finding[] {
    return listFindings(this.#graph, this.#files(files));
  }

  #files(ids?: readonly string[]): Set<FileState> {
    const all = this.#graph.files;
    return new Set(ids ? ids.flatMap((id) => all.get(id) ?? []) : all.values());
  }

  #draft(id: Key): Draft | null {
    const named = this.#graph.find(id);
    const node = named && claimNamed(named, id);
    if (node?.draft?.alive) return node.draft;
    // `<key>@<file>:<line>`; either may hold the sign itself.
    const colon = id.lastIndexOf(':');
    for (let at = id.indexOf('@'); at >= 0 && at < colon; at = id.indexOf('@', at + 1)) {
      const slot = this.#graph.find(id.slice(0, at));
      const claim = slot && claimAt(slot, id.slice(at + 1, colon), Number(id.slice(colon + 1)));
      if (claim && idOf(claim) === id) return claim.draft?.alive ? claim.draft : null;
    }
    return null;
  }

  #sessionOf(draft: Draft): SessionId {
    const { spot } = draft.head;
    const state = draft.scope === null ? undefined : subagentAt(this.#graph, draft.scope, spot);
    const home = state ? homeOfSubagent(this.#graph, state) : spot.file.component;
    this.#sessionHomes();
    return typeof home === 'string' ? home : (home.id ?? electId(home));
  }

  /** Sessions of which only housekeeping is left are none (H12). */
  #sessionHomes(): Map<SessionId, Home> {
    if (this.#homes) return this.#homes;
    const homes = nameSessions(this.#graph);
    for (const [id, home] of homes) {
      if (typeof home !== 'string') continue;
      const { subagents } = publishSession(this.#graph, id, home, this.#revision);
      if (subagents.every((subagent) => subagent.hidden)) homes.delete(id);
    }
    this.#homes = homes;
    return homes;
  }

  /** The second half of `add`: what the lines fed since the last time changed. Nothing is asked of the tree in between. */
  commit(): Change {
    const graph = this.#graph;
    settleRest(graph);
    assignAgain(graph);
    if (graph.bondsBroken) rejoin(graph);
    if (graph.linksChanged) linkSubagents(graph);
    graph.linksChanged = false;
    graph.listed = null;
    const revision = ++this.#revision;
    const named = nameChanges(graph);
    const components = markSessions(graph, revision);
    const merged = renameSessions(components);
    if (graph.homesChanged || merged.length > 0 || named.ofSubagents) this.#homes = null;
    // Which sub-agent is listed where may have changed for all of them.
    if (graph.homesChanged) this.#sessions.clear();
    graph.homesChanged = false;
    graph.touched.length = 0;
    graph.round++;
    graph.touchedFiles.length = 0;
    graph.touchedSubagents.clear();
    const { added, changed, removed } = named;
    this.#added = named.drafts;
    return {
      revision,
      added,
      changed,
      removed,
      sessions: [...components].map((component) => component.id ?? ''),
      merged,
    };
  }
}

function* sketchesOf(drafts: readonly Draft[]): Generator<Sketch> {
  for (const draft of drafts) {
    const sketch = sketchRecord(draft);
    if (sketch) yield sketch;
  }
}

/** The records of a thread from root to leaf. */
export interface ThreadPath {
  /** Stays the same object while the path only grows at its end. */
  readonly stamp: object;
  readonly length: number;
  from(index: number): Key[];
}

function idsFrom(path: readonly SegmentState[], index: number): Key[] {
  const ids: Key[] = [];
  let skip = index;
  for (const { records } of path) {
    for (let i = skip; i < records.length; i++) ids.push(idOf((records[i] as Draft).head));
    skip = Math.max(0, skip - records.length);
  }
  return ids;
}
