import { SkeinError } from '../../model/index.ts';
import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from '../compaction.ts';
import type { SessionContext } from '../context.ts';
import type { AgentMessage, BashExecutionMessage, CustomMessage, Message } from '../messages.ts';
import type { NewSessionOptions, SessionManager } from '../session-manager.ts';
import { abortable } from './abortable.ts';
import type { AgentParts } from './agent-parts.ts';
import { type BranchResult, branchSession } from './branch-session.ts';
import { type CompactResult, compactSession } from './compact-session.ts';
import { EventHandlers, type HandlerFailure, warnOfFailure } from './event-handlers.ts';
import type { ResultOf, SessionEvent, SessionEventHandler, SessionEventType } from './events.ts';
import type { ExtensionCommandContext, SwitchResult } from './extension-context.ts';
import { type NavigateTreeOptions, type NavigateTreeResult, navigateTree } from './navigate-tree.ts';
import type { Summarizer } from './summarizer.ts';

export interface AgentSessionOptions {
  /** Without one nothing can be summarised. */
  readonly summarizer?: Summarizer | null | undefined;
  /** Tokens that its model takes in. */
  readonly contextWindow?: number | undefined;
  readonly compaction?: Partial<CompactionSettings> | undefined;
  /** Is told of handlers that throw; otherwise the process is warned. */
  readonly onHandlerError?: ((failure: HandlerFailure) => void) | undefined;
}

const CONTEXT_WINDOW = 128_000;

/** A session that an agent works in: moves, branches and compactions, about which others are asked and told. One at a time. */
export class AgentSession {
  readonly session: SessionManager;
  /** May be changed, as the model may. */
  summarizer: Summarizer | null;
  readonly #contextWindow: number;
  readonly #compaction: CompactionSettings;
  readonly #handlers: EventHandlers;
  readonly #extensionContext: ExtensionCommandContext;
  #context: SessionContext;
  #running: AbortController | null = null;

  constructor(session: SessionManager, options: AgentSessionOptions = {}) {
    this.session = session;
    this.summarizer = options.summarizer ?? null;
    this.#contextWindow = options.contextWindow ?? CONTEXT_WINDOW;
    this.#compaction = { ...DEFAULT_COMPACTION_SETTINGS, ...options.compaction };
    this.#handlers = new EventHandlers(options.onHandlerError ?? warnOfFailure);
    this.#extensionContext = {
      sessionManager: session,
      branch: (entryId) => this.branch(entryId),
      navigateTree: (targetId, navigation) => this.navigateTree(targetId, navigation),
      newSession: (more) => this.newSession(more),
      switchSession: (file) => this.switchSession(file),
    };
    this.#context = session.buildSessionContext();
  }

  /** What the model is given next. */
  get context(): SessionContext {
    return this.#context;
  }

  /** A move, a branch or a compaction is under way. */
  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** Gives the way to stop listening. */
  on<T extends SessionEventType>(type: T, handler: SessionEventHandler<T>): () => void {
    return this.#handlers.on(type, handler);
  }

  /** Something was said; what extensions say is an entry of its own type. */
  append(message: Message | CustomMessage | BashExecutionMessage): string {
    const id =
      message.role === 'custom'
        ? this.session.appendCustomMessageEntry(message.customType, message.content, message.display, message.details)
        : this.session.appendMessage(message);
    this.#context.messages.push(message satisfies AgentMessage);
    return id;
  }

  /** Stops what is under way: it changes nothing any more. */
  abort(): void {
    this.#running?.abort();
  }

  /** Moves the leaf within this session. To where it is: nothing happens, and nobody is told. */
  async navigateTree(targetId: string, options: NavigateTreeOptions = {}): Promise<NavigateTreeResult> {
    this.#needIdle();
    if (targetId === this.session.getLeafId()) return { cancelled: false };
    const done = await this.#run((parts) => navigateTree(parts, targetId, options));
    if (done === 'aborted') return { cancelled: true, aborted: true };
    if (!done) return { cancelled: true };
    this.#rebuildContext();
    await this.#emit(done.event);
    return done.result;
  }

  /** Goes on in a new session that ends before this user message. */
  async branch(entryId: string): Promise<BranchResult> {
    const done = await this.#run((parts) => branchSession(parts, entryId));
    if (done === 'aborted') return { cancelled: true, aborted: true };
    if (!done.keepsMessages) this.#rebuildContext();
    if (done.event) await this.#emit(done.event);
    return done.result;
  }

  /** Puts a summary in the place of the beginning of this branch. */
  async compact(customInstructions?: string): Promise<CompactResult> {
    const done = await this.#run((parts) => compactSession(parts, customInstructions));
    if (done === 'aborted') return { cancelled: true, aborted: true };
    if (!done) return { cancelled: true };
    this.#rebuildContext();
    await this.#emit(done);
    return { cancelled: false, compactionEntry: done.compactionEntry };
  }

  newSession(options?: NewSessionOptions): Promise<SwitchResult> {
    return this.#switch('new', undefined, () => this.session.newSession(options));
  }

  switchSession(sessionFile: string): Promise<SwitchResult> {
    return this.#switch('resume', sessionFile, () => this.session.setSessionFile(sessionFile));
  }

  /** Tells everybody, and closes the file. */
  async close(): Promise<void> {
    this.abort();
    try {
      await this.#emit({ type: 'session_shutdown' });
    } finally {
      this.session.close();
    }
  }

  async #switch(reason: 'new' | 'resume', target: string | undefined, go: () => void): Promise<SwitchResult> {
    const previousSessionFile = this.session.getSessionFile();
    const done = await this.#run(async ({ emit }) => {
      const answer = await emit({ type: 'session_before_switch', reason, targetSessionFile: target });
      if (answer?.cancel) return false;
      // Whoever comes back finds the leaf where it was.
      this.session.close();
      go();
      return true;
    });
    if (done !== true) return { cancelled: true };
    this.#rebuildContext();
    await this.#emit({ type: 'session_switch', reason, previousSessionFile });
    return { cancelled: false };
  }

  /** Until its end nothing else begins; the events that tell of it come after, so that handlers can go on from there. */
  async #run<T>(work: (parts: AgentParts) => Promise<T>): Promise<T | 'aborted'> {
    this.#needIdle();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    try {
      return await work({
        session: this.session,
        summarizer: this.summarizer,
        contextWindow: this.#contextWindow,
        compaction: this.#compaction,
        signal,
        emit: (event) => abortable(this.#emit(event), signal),
      });
    } catch (error) {
      if (signal.aborted) return 'aborted';
      throw error;
    } finally {
      this.#running = null;
    }
  }

  #needIdle(): void {
    if (this.#running)
      throw new SkeinError('busy', 'Wait until the current navigation, branch or compaction is finished, or abort it');
  }

  #emit<E extends SessionEvent>(event: E): Promise<ResultOf<E> | undefined> {
    return this.#handlers.emit(event, this.#extensionContext);
  }

  #rebuildContext(): void {
    this.#context = this.session.buildSessionContext();
  }
}
