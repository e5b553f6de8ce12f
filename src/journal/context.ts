import { applyEdit, type Edits, editsIn } from './apply-edits.ts';
import { addContextMessages } from './context-messages.ts';
import { type CompactionEntry, messageOf, type SessionEntry } from './entries.ts';
import type { AgentMessage } from './messages.ts';
import { type EntriesById, walkPath } from './walk-path.ts';

interface SessionState {
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
  /** `none` if nothing set one; only oh-my-pi does. */
  mode: string;
  /** Names of the rules that oh-my-pi put before the model on this path, each once. */
  injectedTtsrRules: string[];
}

export interface SessionContext extends SessionState {
  messages: AgentMessage[];
}

export interface ProjectedSessionEntry {
  sourceEntry: SessionEntry;
  /** After edits; empty for what only changes the state, and for what was left out. */
  messages: AgentMessage[];
}

export interface SessionProjection extends SessionContext {
  entries: ProjectedSessionEntry[];
}

/**
 * What the model is given at a leaf. Null: nothing. No leaf, or one that nobody knows: the last entry is it.
 * State follows the whole path, also what a compaction left behind.
 */
export function buildSessionContext(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: EntriesById,
): SessionContext {
  return contextOfPath(pathOf(entries, leafId, byId));
}

/** The same, and which entry each message comes from. */
export function buildSessionProjection(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: EntriesById,
): SessionProjection {
  return projectPath(pathOf(entries, leafId, byId));
}

/** The entries that make up the context: the latest compaction, what it kept, what came after. */
export function buildContextEntries(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: EntriesById,
): SessionEntry[] {
  return [...selectEntries(pathOf(entries, leafId, byId))];
}

export function getLatestCompactionEntry(entries: readonly SessionEntry[]): CompactionEntry | null {
  return entries.findLast((entry) => entry.type === 'compaction') ?? null;
}

function pathOf(entries: readonly SessionEntry[], leafId?: string | null, byId?: EntriesById): SessionEntry[] {
  if (leafId === null) return [];
  const index = byId ?? new Map(entries.map((entry) => [entry.id, entry]));
  return walkPath((leafId ? index.get(leafId) : undefined) ?? entries.at(-1), index);
}

export function selectEntries(path: readonly SessionEntry[]): readonly SessionEntry[] {
  if (!path.some(cutsContext)) return path;
  const at = path.findLastIndex(cutsContext);
  const mark = path[at];
  if (mark?.type !== 'compaction') return path.slice(at + 1);
  const keptFrom = path.findIndex((entry) => entry.id === mark.firstKeptEntryId);
  const kept = keptFrom < 0 ? [] : path.slice(keptFrom, Math.max(keptFrom, at)).filter((entry) => !isSystem(entry));
  return [mark, ...kept, ...path.slice(at + 1)];
}

/** `reset_boundary` is `/clear` of oh-my-pi: what was said before is no longer there. */
const cutsContext = ({ type }: { type: string }): boolean => type === 'compaction' || type === 'reset_boundary';

/** The compaction carries the system prompt as it stood. */
const isSystem = (entry: SessionEntry): boolean => messageOf(entry)?.role === 'system';

/**
 * The same without saying where each message comes from. Where nothing cuts or edits the path, which may be long, one pass is enough: what is
 * far apart in memory is met once.
 */
export function contextOfPath(path: readonly SessionEntry[]): SessionContext {
  const state = new StateAlongPath();
  const messages: AgentMessage[] = [];
  let isWhole = true;
  for (const entry of path) {
    state.follow(entry);
    isWhole &&= !cutsContext(entry) && entry.type !== 'context_edit';
    if (isWhole) addContextMessages(messages, entry);
  }
  return { messages: isWhole ? messages : projectPath(path).messages, ...state.end() };
}

export function projectPath(path: readonly SessionEntry[]): SessionProjection {
  const selected = selectEntries(path);
  const edits = editsIn(selected);
  const entries = selected.map((sourceEntry, place) => {
    const messages: AgentMessage[] = [];
    addMessages(messages, sourceEntry, place, edits);
    return { sourceEntry, messages };
  });
  return { entries, messages: entries.flatMap(({ messages }) => messages), ...stateOf(path) };
}

/** An older compaction may lie in what the latest one kept; its summary is part of the later one. */
function addMessages(messages: AgentMessage[], entry: SessionEntry, place: number, edits: Edits): void {
  if (entry.type === 'compaction' && place > 0) return;
  const seen = edits.size > 0 ? applyEdit(entry, edits) : entry;
  if (seen) addContextMessages(messages, seen);
}

function stateOf(path: readonly SessionEntry[]): SessionState {
  const state = new StateAlongPath();
  for (const entry of path) state.follow(entry);
  return state.end();
}

class StateAlongPath {
  readonly #rules = new Set<string>();
  #thinkingLevel = 'off';
  #mode = 'none';
  /** The entry that says which model it is. */
  #source: SessionEntry | null = null;

  follow(entry: SessionEntry): void {
    switch (entry.type) {
      case 'message':
        if (messageOf(entry)?.role === 'assistant') this.#source = entry;
        break;
      case 'model_change':
        if (modelOf(entry)) this.#source = entry;
        break;
      case 'thinking_level_change':
        this.#thinkingLevel = entry.thinkingLevel;
        break;
      case 'mode_change':
        this.#mode = entry.mode;
        break;
      case 'ttsr_injection':
        addAll(this.#rules, entry.injectedRules);
    }
  }

  end(): SessionState {
    return {
      thinkingLevel: this.#thinkingLevel,
      model: this.#source && modelOf(this.#source),
      mode: this.#mode,
      injectedTtsrRules: [...this.#rules],
    };
  }
}

function addAll(rules: Set<string>, names: unknown): void {
  if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') rules.add(name);
}

/** oh-my-pi writes one name where Pi writes two, and has models for other work than the conversation: null. */
function modelOf(entry: SessionEntry): SessionState['model'] {
  if (entry.type !== 'model_change') {
    const message = messageOf(entry);
    return message?.role === 'assistant' ? { provider: message.provider, modelId: message.model } : null;
  }
  if (entry.role !== undefined && entry.role !== 'default') return null;
  if (entry.provider !== undefined || typeof entry.model !== 'string')
    return { provider: entry.provider, modelId: entry.modelId };
  const slash = entry.model.indexOf('/');
  return { provider: entry.model.slice(0, Math.max(0, slash)), modelId: entry.model.slice(slash + 1) };
}
