import type { Key, LogRecord, Session, SessionId, Thread, Title } from '../model/index.ts';
import type { PromptPlace, SessionEntry, TextAt, ThreadEntry } from '../stores/index.ts';
import { lookThrough, NO_PROMPTS, promptsOfThreads, type ThreadPrompts, type Tree } from '../tree/index.ts';
import type { SessionSums } from './session-sums.ts';

/** The prompts of a thread as far as it was looked through. */
interface PromptsSoFar extends ThreadPrompts {
  /** The path only grew at its end while this is the same. */
  readonly stamp: object;
  readonly length: number;
}

/** The rows of sessions: each is given only when it is another than the last time. */
export class SessionRows {
  readonly #tree: Tree;
  readonly #isPrompt: (id: Key) => boolean;
  readonly #written = new Map<SessionId, string>();
  /** A session stays the same object until something about it changes. */
  readonly #seen = new Map<SessionId, Session>();
  readonly #prompts = new Map<SessionId, PromptsSoFar>();

  constructor(tree: Tree, isPrompt: (id: Key) => boolean) {
    this.#tree = tree;
    this.#isPrompt = isPrompt;
  }

  get ids(): Iterable<SessionId> {
    return this.#written.keys();
  }

  /** Whether there was a row. */
  drop(id: SessionId): boolean {
    this.#prompts.delete(id);
    this.#seen.delete(id);
    return this.#written.delete(id);
  }

  /** Than when its row was last made. */
  isAnother(id: SessionId): boolean {
    return this.#tree.session(id) !== this.#seen.get(id);
  }

  /** A record that was passed over is a prompt now, or the other way round. */
  forgetPrompts(session: SessionId): void {
    this.#prompts.delete(session);
  }

  write(id: SessionId, sums: SessionSums): SessionEntry | null {
    const session = this.#tree.session(id);
    this.#seen.set(id, session);
    const entry = this.#entryOf(session, sums);
    const text = JSON.stringify(entry);
    if (this.#written.get(id) === text) return null;
    this.#written.set(id, text);
    return entry;
  }

  #entryOf(session: Session, sums: SessionSums): SessionEntry {
    const { title, subagents } = session;
    const hidden = new Set(subagents.filter((subagent) => subagent.hidden).map((subagent) => subagent.id));
    return {
      id: session.id,
      aliases: session.aliases,
      title: title && this.#titleAt(title),
      cwd: session.cwd,
      gitBranch: session.gitBranch,
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      recordCount: session.recordCount,
      messageCount: sums.messages((agent) => hidden.has(agent)),
      files: [...new Set([...session.files, ...subagents.flatMap((subagent) => subagent.files)])],
      usage: sums.usage(),
      active: sums.active,
      threads: this.#threadsOf(session),
      subagents: subagents.map(({ id, spawn, hidden }) => ({ id, call: spawn?.call ?? null, hidden })),
    };
  }

  #threadsOf(session: Session): ThreadEntry[] {
    const prompts = this.#promptsOf(session);
    return session.threads.map((thread): ThreadEntry => {
      const { first, last } = prompts.get(thread.leaf) ?? NO_PROMPTS;
      return {
        id: thread.id,
        leaf: thread.leaf,
        resumeId: thread.resumeId,
        fork: thread.fork,
        gitBranch: thread.gitBranch,
        recordCount: thread.recordCount,
        lastActivity: thread.time,
        isDefault: session.defaultThread === thread.id,
        summary: thread.summary ?? [this.#textAt(first), this.#textAt(last)],
      };
    });
  }

  /** Of each thread that has no summary, by its leaf. A session without branches goes on from where it was looked through. */
  #promptsOf({ id, threads }: Session): ReadonlyMap<Key, ThreadPrompts> {
    const [only] = threads;
    if (threads.every(({ summary }) => summary !== null)) return new Map();
    if (only && threads.length === 1) return new Map([[only.leaf, this.#promptsAlong(id, only)]]);
    this.#prompts.delete(id);
    return promptsOfThreads(this.#tree.segments(id), this.#isPrompt);
  }

  #promptsAlong(session: SessionId, thread: Thread): ThreadPrompts {
    const path = this.#tree.pathOf(session, thread.id);
    if (!path) return NO_PROMPTS;
    const { stamp, length } = path;
    const known = this.#prompts.get(session);
    const before = known?.stamp === stamp && known.length <= length ? known : null;
    const prompts = lookThrough(path.from(before?.length ?? 0), before ?? NO_PROMPTS, this.#isPrompt);
    this.#prompts.set(session, { stamp, length, ...prompts });
    return prompts;
  }

  #titleAt(title: Title): TextAt {
    if ('text' in title) return title.text;
    return 'record' in title ? this.#textAt(title.record) : title.records.flatMap((id) => this.#placesAt(id));
  }

  #textAt(id: Key | null): TextAt {
    return id !== null && this.#tree.record(id) ? this.#placesAt(id) : '';
  }

  #placesAt(id: Key): PromptPlace[] {
    const record = this.#tree.record(id);
    return record ? placesOf(record) : [];
  }
}

const placesOf = (record: LogRecord): PromptPlace[] =>
  record.lines.flatMap(({ as, ref }) => (as === 'part' ? [[ref.file, ref.line] as const] : []));
