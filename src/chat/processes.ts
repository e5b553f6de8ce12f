import type { CallId, Change, Key, LogRecord, Session, Subagent, SubagentId } from '../model/index.ts';
import type { ThreadPath } from '../tree/index.ts';
import { Conversation, type ConversationSource } from './conversation.ts';
import { keepEqual } from './keep-equal.ts';
import { metricsOf, modelsOf } from './metrics.ts';
import type { Told } from './notifications.ts';
import { keepRecords } from './process-records.ts';
import type { RawCall } from './read-part.ts';
import { atTime } from './times.ts';
import type { Process } from './types.ts';

const PARALLEL_MS = 100;

interface Listed {
  readonly facts: Subagent;
  readonly isParallel: boolean;
  /** What of it the tree says. */
  readonly said: string;
}

interface Known {
  readonly process: Process;
  readonly call: RawCall | null;
  readonly conversation: Conversation;
}

/** The sub-agents of a session as processes, each kept until it reads differently. */
export class Processes {
  /** Records of which a sub-agent, or one below it, reads differently now. */
  readonly spawning = new Set<Key>();
  #listed = new Map<SubagentId, Listed>();
  /** Those which are shown, and the calls that started them. */
  #shown: ReadonlySet<string> = new Set();
  /** Others are shown than before. */
  showsOthers = false;
  readonly #known = new Map<SubagentId, Known>();
  /** Sub-agents to be looked at again, with their changed records. */
  readonly #stale = new Map<SubagentId, Key[]>();
  #source: ConversationSource | null = null;

  /** Finds out which sub-agents read differently. */
  follow(
    { subagents }: Session,
    change: Pick<Change, 'added' | 'changed' | 'removed'>,
    source: ConversationSource,
  ): void {
    const before = this.#listed;
    const isSame = this.#source?.fresh === source.fresh && this.#source.prices === source.prices;
    this.#source = source;
    this.spawning.clear();
    this.showsOthers = false;
    if (before.size === 0 && subagents.length === 0) return;
    this.#listed = listSubagents(subagents);
    const shown = new Set(
      subagents.flatMap(({ id, hidden, spawn }) => (hidden ? [] : spawn ? [id, spawn.call] : [id])),
    );
    this.showsOthers = shown.size !== this.#shown.size || [...shown].some((each) => !this.#shown.has(each));
    this.#shown = shown;
    for (const [id, { facts }] of before) if (!this.#listed.has(id)) this.#drop(facts);
    for (const [id, { said }] of this.#listed) if (!isSame || before.get(id)?.said !== said) this.#note(id);
    for (const key of [...change.added, ...change.changed]) {
      const subagent = source.tree.record(key)?.subagent ?? null;
      if (subagent !== null) this.#note(subagent, key);
    }
    for (const key of change.removed)
      for (const [id, { conversation }] of this.#known) if (conversation.has(key)) this.#note(id);
  }

  /** It belongs to another session now. */
  #drop({ id, spawn, within }: Subagent): void {
    this.#known.delete(id);
    if (spawn) this.spawning.add(spawn.record);
    if (within !== null) this.#note(within);
  }

  /** A call shows its sub-agent, and that one may show others: all above read differently too. */
  #note(id: SubagentId, key?: Key): void {
    const keys = this.#stale.get(id) ?? [];
    this.#stale.set(id, keys);
    if (key !== undefined && this.#known.has(id)) keys.push(key);
    const seen = new Set<SubagentId>();
    for (let at: SubagentId | null = id; at !== null && !seen.has(at); ) {
      seen.add(at);
      if (!this.#stale.has(at)) this.#stale.set(at, []);
      const facts: Subagent | undefined = this.#listed.get(at)?.facts;
      if (facts?.spawn) this.spawning.add(facts.spawn.record);
      at = facts?.within ?? null;
    }
  }

  /** Started by some calls, in the order they started. */
  startedBy(calls: readonly RawCall[], source: ConversationSource): Process[] {
    const processes = calls.flatMap((call) =>
      call.call.subagents.flatMap((id) => this.#settle(id, call, source) ?? []),
    );
    return processes.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
  }

  /** The call that started the sub-agent a notification tells of, null where none is known of; undefined: that is not there. */
  shownFor({ task, call }: Told): CallId | null | undefined {
    if (task !== null && this.#shown.has(task)) return this.#listed.get(task)?.facts.spawn?.call ?? null;
    return call !== null && this.#shown.has(call) ? call : undefined;
  }

  unlinked(source: ConversationSource): Process[] {
    const free = [...this.#listed.values()].filter(({ facts }) => facts.spawn === null);
    return free.flatMap(({ facts }) => this.#settle(facts.id, null, source) ?? []);
  }

  #settle(id: SubagentId, call: RawCall | null, source: ConversationSource): Process | null {
    const listed = this.#listed.get(id);
    if (!listed || listed.facts.hidden) return null;
    const known = this.#known.get(id);
    const changed = this.#stale.get(id);
    if (known && !changed && known.call === call) return known.process;
    this.#stale.delete(id);
    const conversation = known?.conversation ?? new Conversation(id, null, 'subagent');
    const records = source.tree.subagentRecords(id, source.session).flatMap((key) => source.tree.record(key) ?? []);
    const made = makeProcess(listed, call, conversation, records, changed ?? [], source);
    const process = keepEqual(known?.process ?? null, made);
    keepRecords(process, records);
    this.#known.set(id, { process, call, conversation });
    return process;
  }
}

function makeProcess(
  { facts, isParallel }: Listed,
  call: RawCall | null,
  conversation: Conversation,
  records: readonly LogRecord[],
  changed: readonly Key[],
  source: ConversationSource,
): Process {
  const ids = records.map(({ id }) => id);
  const path: ThreadPath = { stamp: {}, length: ids.length, from: (index) => ids.slice(index) };
  const view = conversation.refresh(source, path, changed);
  const { start, end } = spanOf(records, facts.time);
  return {
    id: facts.id,
    sort: facts.sort,
    ...describe(call),
    ...(facts.spawn ? { parentTaskId: facts.spawn.call } : {}),
    startTime: atTime(start),
    endTime: atTime(end),
    durationMs: end - start,
    isParallel,
    isOngoing: view.isOngoing,
    models: modelsOf(records),
    metrics: metricsOf(records, end - start, source.prices),
    ...(call ? { mainSessionImpact: { callTokens: call.callTokens, resultTokens: call.resultTokens } } : {}),
    files: facts.files,
    conversation: view,
  };
}

function listSubagents(subagents: readonly Subagent[]): Map<SubagentId, Listed> {
  const parallel = findParallel(subagents);
  return new Map(
    subagents.map((facts) => {
      const { id, sort, hidden, spawn, within, files, recordCount, time } = facts;
      const isParallel = parallel.has(id);
      const said = JSON.stringify([sort, hidden, spawn, within, files, recordCount, time, isParallel]);
      return [id, { facts, isParallel, said }];
    }),
  );
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
  let first: Subagent | null = null;
  for (const subagent of sorted) {
    if (first && (subagent.time ?? 0) - (first.time ?? 0) <= PARALLEL_MS) parallel.add(first.id).add(subagent.id);
    else first = subagent;
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
