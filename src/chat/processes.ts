import type { Key, LogRecord, Session, Subagent, SubagentId } from '../model/index.ts';
import type { ThreadPath, Tree } from '../tree/index.ts';
import { Conversation, type ConversationSource } from './conversation.ts';
import { metricsOf, modelsOf } from './metrics.ts';
import type { Part, RawCall } from './read-part.ts';
import { atTime } from './times.ts';
import type { Process } from './types.ts';

const PARALLEL_MS = 100;

/** The sub-agents of a session as processes, each kept until one of its records changes. */
export class Processes {
  session: Session | null = null;
  readonly #known = new Map<SubagentId, { process: Process; signature: string; conversation: Conversation }>();
  /** Sub-agents whose records changed, with those around them. */
  readonly #dirty = new Map<SubagentId, Key[]>();
  #listed: { session: Session; byId: Map<SubagentId, Subagent>; parallel: Set<SubagentId> } | null = null;

  /** Notes which sub-agents read differently, and names their spawning records as changed. */
  forget(tree: Tree, keys: readonly Key[], changed: Key[]): void {
    for (const key of keys) {
      const record = tree.record(key);
      if (!record || record.subagent === null) continue;
      const list = this.#dirty.get(record.subagent);
      if (list) list.push(key);
      else this.#dirty.set(record.subagent, [key]);
    }
    for (const id of [...this.#dirty.keys()]) this.#markAbove(tree, id, changed);
  }

  /** A call shows its sub-agent, and that one may show others: all above read differently. */
  #markAbove(tree: Tree, id: SubagentId, changed: Key[]): void {
    const seen = new Set<SubagentId>();
    for (let at: SubagentId | null = id; at !== null && !seen.has(at); ) {
      seen.add(at);
      const subagent: Subagent | undefined = this.#list(tree)?.byId.get(at);
      const spawn: Key | undefined = subagent?.spawn?.record;
      if (spawn === undefined) return;
      const within: SubagentId | null = subagent?.within ?? null;
      if (within === null) changed.push(spawn);
      else this.#dirty.set(within, [...(this.#dirty.get(within) ?? []), spawn]);
      at = within;
    }
  }

  /** Started by the calls of some parts, in the order they started. */
  startedBy(parts: readonly Part[], source: ConversationSource): Process[] {
    const processes: Process[] = [];
    for (const { calls } of parts)
      for (const call of calls)
        for (const id of call.call.subagents) {
          const process = this.#make(id, call, source);
          if (process) processes.push(process);
        }
    return processes.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
  }

  unlinked(source: ConversationSource): Process[] {
    const own = this.#list(source.tree);
    return [...(own?.byId.values() ?? [])]
      .filter(({ hidden, spawn }) => !hidden && spawn === null)
      .flatMap(({ id }) => this.#make(id, null, source) ?? []);
  }

  #make(id: SubagentId, call: RawCall | null, source: ConversationSource): Process | null {
    const listed = this.#list(source.tree);
    const subagent = listed?.byId.get(id);
    if (!listed || !subagent || subagent.hidden) return null;
    const isParallel = listed.parallel.has(id);
    const known = this.#known.get(id);
    const dirty = this.#dirty.get(id);
    const signature = `${isParallel} ${call?.record.revision ?? ''} ${source.now - (source.lastGrowth ?? 0) < 3e5} ${subagent.recordCount} ${subagent.spawn?.call ?? ''}`;
    if (known && !dirty && known.signature === signature) return known.process;
    this.#dirty.delete(id);
    const conversation = known?.conversation ?? new Conversation(id, null, 'subagent');
    // Taken out while it is made: a sub-agent that seems to start itself ends here.
    this.#known.delete(id);
    const process = this.#build(subagent, call, isParallel, conversation, dirty ?? [], source);
    this.#known.set(id, { process, signature, conversation });
    return process;
  }

  readonly #making = new Set<SubagentId>();

  #build(
    subagent: Subagent,
    call: RawCall | null,
    isParallel: boolean,
    conversation: Conversation,
    dirty: readonly Key[],
    source: ConversationSource,
  ): Process {
    const ids = this.#making.has(subagent.id) ? [] : source.tree.subagentRecords(subagent.id);
    this.#making.add(subagent.id);
    const records = ids.flatMap((id) => source.tree.record(id) ?? []);
    const path: ThreadPath = { stamp: {}, length: ids.length, from: (index) => ids.slice(index) };
    const view = conversation.refresh(source, path, dirty, []);
    this.#making.delete(subagent.id);
    const { start, end } = spanOf(records, subagent.time);
    return {
      id: subagent.id,
      sort: subagent.sort,
      ...describe(call),
      ...(subagent.spawn ? { parentTaskId: subagent.spawn.call } : {}),
      startTime: atTime(start),
      endTime: atTime(end),
      durationMs: end - start,
      isParallel,
      isOngoing: view.isOngoing,
      models: modelsOf(records),
      metrics: metricsOf(records, end - start, source.prices),
      ...(call ? { mainSessionImpact: { callTokens: call.callTokens, resultTokens: call.resultTokens } } : {}),
      files: subagent.files,
      conversation: view,
    };
  }

  #list(tree: Tree) {
    const { session } = this;
    if (!session) return null;
    const now = tree.session(session.id);
    if (this.#listed?.session !== now)
      this.#listed = {
        session: now,
        byId: new Map(now.subagents.map((each) => [each.id, each])),
        parallel: findParallel(now.subagents),
      };
    return this.#listed;
  }
}

function spanOf(records: readonly LogRecord[], time: number | null): { start: number; end: number } {
  let start = time ?? Number.POSITIVE_INFINITY;
  let end = time ?? 0;
  for (const record of records)
    for (const line of record.lines) {
      if (line.time === null) continue;
      start = Math.min(start, line.time);
      end = Math.max(end, line.time);
    }
  return { start: Number.isFinite(start) ? start : end, end };
}

/** Those that started within 100 ms of the first of their bunch. */
function findParallel(subagents: readonly Subagent[]): Set<SubagentId> {
  const parallel = new Set<SubagentId>();
  const sorted = subagents
    .filter(({ hidden, time }) => !hidden && time !== null)
    .sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
  let bunch: Subagent[] = [];
  for (const subagent of sorted) {
    if (bunch.length > 0 && (subagent.time ?? 0) - (bunch[0]?.time ?? 0) > PARALLEL_MS) bunch = [];
    bunch.push(subagent);
    if (bunch.length > 1) for (const { id } of bunch) parallel.add(id);
  }
  return parallel;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What the call that started it said about it. */
function describe(call: RawCall | null): Pick<Process, 'description' | 'subagentType' | 'team'> {
  const input = (call?.input ?? {}) as Record<string, unknown>;
  const description = text(input.description);
  const subagentType = text(input.subagent_type) ?? text(input.agent);
  const teamName = text(input.team_name);
  const memberName = text(input.name);
  const color = text((call?.result?.block.detail as { color?: unknown } | null | undefined)?.color);
  return {
    ...(description === undefined ? {} : { description }),
    ...(subagentType === undefined ? {} : { subagentType }),
    ...(teamName !== undefined && memberName !== undefined
      ? { team: { teamName, memberName, ...(color === undefined ? {} : { memberColor: color }) } }
      : {}),
  };
}
