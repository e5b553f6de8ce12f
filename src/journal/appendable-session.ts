import { SkeinError } from '../model/index.ts';
import type {
  BranchSummaryEntry,
  CompactionEntry,
  ContextEditEntry,
  CustomEntry,
  CustomMessageEntry,
  LabelEntry,
  ModeChangeEntry,
  ModelChangeEntry,
  SessionEntry,
  SessionEntryBase,
  SessionInfoEntry,
  SessionMessageEntry,
  ThinkingLevelChangeEntry,
  TtsrInjectionEntry,
  UsageEntry,
} from './entries.ts';
import { newEntryId } from './ids.ts';
import type { BashExecutionMessage, CustomMessage, FileMentionMessage, Message, Usage } from './messages.ts';
import { ReadableSession } from './readable-session.ts';
import { getCurrentSystemMessage } from './system-message.ts';

/** An entry without what every entry has. */
type Fields<T extends SessionEntry> = Omit<T, Exclude<keyof SessionEntryBase, 'type'>>;

/** Appending hangs an entry on the leaf and makes it the leaf. If it cannot be written, nothing has changed. */
export abstract class AppendableSession extends ReadableSession {
  /** Where entries are kept beside the memory. */
  protected abstract write(entry: SessionEntry): void;

  /** Summaries are entries of their own: `appendCompaction`, `branchWithSummary`. */
  appendMessage(message: Message | CustomMessage | BashExecutionMessage | FileMentionMessage): string {
    return this.#append<SessionMessageEntry>({ type: 'message', message }).id;
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    return this.#append<ThinkingLevelChangeEntry>({ type: 'thinking_level_change', thinkingLevel }).id;
  }

  appendModelChange(provider: string, modelId: string): string {
    const model = `${provider}/${modelId}`;
    return this.#append<ModelChangeEntry>({ type: 'model_change', provider, modelId, model }).id;
  }

  appendModeChange(mode: string, data?: unknown): string {
    return this.#append<ModeChangeEntry>({ type: 'mode_change', mode, data }).id;
  }

  appendTtsrInjection(ruleNames: readonly string[]): string {
    return this.#append<TtsrInjectionEntry>({ type: 'ttsr_injection', injectedRules: [...ruleNames] }).id;
  }

  /** Tokens that were spent beside the conversation. */
  appendUsage(kind: string, provider: string, model: string, usage: Usage, note?: string): UsageEntry {
    return this.#append<UsageEntry>({ type: 'usage', kind, provider, model, usage, ...(note ? { note } : {}) });
  }

  /** Null: nothing is kept. */
  appendCompaction<T = unknown>(
    summary: string,
    firstKeptEntryId: string | null,
    tokensBefore: number,
    details?: T,
    fromHook?: boolean,
    usage?: Usage,
    preserveData?: Record<string, unknown>,
  ): string {
    const id = this.#newId();
    const system = getCurrentSystemMessage(this.buildSessionProjection().messages);
    const entry = this.#append<CompactionEntry>(
      {
        type: 'compaction',
        summary,
        firstKeptEntryId: firstKeptEntryId ?? id,
        tokensBefore,
        details,
        usage,
        fromHook,
        fromExtension: fromHook,
        preserveData,
        ...(system ? { systemMessage: { ...system, timestamp: Date.now() } } : {}),
      },
      this.leafId,
      id,
    );
    return entry.id;
  }

  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append<CustomEntry>({ type: 'custom', customType, data }).id;
  }

  appendCustomMessageEntry<T = unknown>(
    customType: string,
    content: CustomMessageEntry['content'],
    display: boolean,
    details?: T,
  ): string {
    return this.#append<CustomMessageEntry>({ type: 'custom_message', customType, content, display, details }).id;
  }

  /** An empty name takes the name away. */
  appendSessionInfo(name: string): string {
    return this.#append<SessionInfoEntry>({ type: 'session_info', name: name.replace(/[\r\n]+/g, ' ').trim() }).id;
  }

  /** Nothing, or an empty label, takes the label away. */
  appendLabelChange(targetId: string, label: string | undefined): string {
    this.#need(targetId);
    return this.#append<LabelEntry>({ type: 'label', targetId, label }).id;
  }

  /** Null leaves the entry out of the context of this branch. */
  appendContextEdit(targetId: string, replacement: ContextEditEntry['replacement']): string {
    const content: unknown = replacement === null ? [] : replacement?.content;
    if (typeof content !== 'string' && !Array.isArray(content))
      throw new SkeinError('bad_input', 'Context edit replacement must be null or contain string/array content');
    const target = this.#need(targetId);
    if (!this.getBranch().includes(target))
      throw new SkeinError('bad_input', `Entry ${targetId} is not on the active branch`);
    const role = target.type === 'message' ? target.message.role : target.type;
    if (!EDITABLE.has(role))
      throw new SkeinError('bad_input', `Entry ${targetId} does not contribute editable model content`);
    const inBlocks = replacement && typeof content === 'string' && (role === 'assistant' || role === 'toolResult');
    return this.#append<ContextEditEntry>({
      type: 'context_edit',
      targetId,
      replacement: inBlocks ? { content: [{ type: 'text', text: content }] } : replacement,
    }).id;
  }

  /** The next entry will hang on this one. */
  branch(branchFromId: string): void {
    this.leafId = this.#need(branchFromId).id;
  }

  /** The next entry will be a root. */
  resetLeaf(): void {
    this.leafId = null;
  }

  /** Moves the leaf and says there what happened on the branch that was left. Null: before everything. */
  branchWithSummary(
    branchFromId: string | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): string {
    if (branchFromId !== null) this.#need(branchFromId);
    const fromId = branchFromId === null ? 'root' : (this.leafId ?? 'root');
    return this.#append<BranchSummaryEntry>(
      { type: 'branch_summary', fromId, summary, details, usage, fromHook, fromExtension: fromHook },
      branchFromId,
    ).id;
  }

  #need(id: string): SessionEntry {
    const entry = this.index.get(id);
    if (!entry) throw new SkeinError('not_found', `Entry ${id} not found`);
    return entry;
  }

  #newId(): string {
    return newEntryId(this.index);
  }

  #append<T extends SessionEntry>(fields: Fields<T>, parentId = this.leafId, id = this.#newId()): T {
    const base: SessionEntryBase = { type: fields.type, id, parentId, timestamp: now() };
    const entry = Object.assign(base, fields) as unknown as T;
    this.write(entry);
    this.index.add(entry);
    this.leafId = id;
    return entry;
  }
}

let last = { ms: 0, text: '' };

/** Many entries may be written in one millisecond; its text is made once. */
function now(): string {
  const ms = Date.now();
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

const EDITABLE: ReadonlySet<string> = new Set(['user', 'assistant', 'toolResult', 'custom_message']);
