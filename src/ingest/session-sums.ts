import type { FileId, Key, SessionId, SubagentId, Usage } from '../model/index.ts';
import { compareUsage, type UsageGroup, UsageGroups } from '../usage/index.ts';

/** What one record adds to the figures of its session; of a record that nobody sees all is nothing. */
export interface Share {
  readonly group: Group;
  readonly messages: number;
  readonly usages: readonly Usage[];
  /** How many times stand in it, and their hash. */
  readonly timeCount: number;
  readonly timeHash: number;
}

/** Records that change their session together: those of the main line of a file, or of a sub-agent. */
export interface Group {
  readonly sums: SessionSums;
  readonly agent: SubagentId | null;
  readonly file: FileId;
  readonly keys: Set<Key>;
  messages: number;
}

/** Pauses from here on are kept: when a session was active, and when not. */
export const PAUSE = 15 * 60_000;

/** The figures of a session, brought up to date record by record: a growing session costs what was added. */
export class SessionSums {
  readonly session: SessionId;
  readonly #files = new Map<FileId, Group>();
  readonly #agents = new Map<SubagentId, Group>();
  /** Records of the main line, shown or not. */
  mainCount = 0;
  /** Copies of a sibling: in no view. */
  folded: ReadonlySet<Key> = new Set();
  /** Sub-agents that name the session and are listed nowhere. */
  unlisted: ReadonlySet<SubagentId> = new Set();
  /** Sub-agents that are shown in no view: nobody finds what they said. */
  silent: ReadonlySet<SubagentId> = new Set();
  /** A title that is not a prompt is found with the first record. */
  titled: { readonly record: Key; readonly title: string } | null = null;
  /** Of a session that is listed nowhere nobody finds anything. */
  isListed = true;
  /** Something was taken out: when it was active has to be looked at again. */
  isStale = false;
  readonly #claims = new Map<string, Usage | Usage[]>();
  readonly #groups = new UsageGroups();
  #active: number[] = [];

  constructor(session: SessionId) {
    this.session = session;
  }

  enter(id: Key, agent: SubagentId | null, file: FileId): Group {
    let group = agent === null ? this.#files.get(file) : this.#agents.get(agent);
    if (!group) {
      group = { sums: this, agent, file, keys: new Set(), messages: 0 };
      if (agent === null) this.#files.set(file, group);
      else this.#agents.set(agent, group);
    }
    group.keys.add(id);
    if (agent === null) this.mainCount++;
    return group;
  }

  leave(id: Key, { agent, file, keys }: Group): void {
    keys.delete(id);
    if (agent === null) this.mainCount--;
    if (keys.size > 0) return;
    if (agent === null) this.#files.delete(file);
    else this.#agents.delete(agent);
  }

  *groups(): Generator<Group> {
    yield* this.#files.values();
    yield* this.#agents.values();
  }

  *mainKeys(): Generator<Key> {
    for (const { keys } of this.#files.values()) yield* keys;
  }

  get agents(): Iterable<SubagentId> {
    return this.#agents.keys();
  }

  keysOf(agent: SubagentId): Iterable<Key> {
    return this.#agents.get(agent)?.keys ?? [];
  }

  /** Null before: it is new; null after: it is gone. `times`: when it and its lines were written, as far as it is shown. */
  replace(before: Share | null, after: Share | null, times: readonly number[]): void {
    if (before) before.group.messages -= before.messages;
    if (after) after.group.messages += after.messages;
    const [gone, come] = [before?.usages ?? NO_USAGES, after?.usages ?? NO_USAGES];
    if (gone.length !== come.length || gone.some((usage, i) => usage !== come[i])) {
      for (const usage of gone) this.#withdraw(usage);
      for (const usage of come) this.#claim(usage);
    }
    // A record that grows has further times after those it had.
    if (before && before.timeHash !== hashTimes(times, before.timeCount)) this.isStale = true;
    for (const time of times) this.#wasActive(time);
  }

  /** Messages of the main line and of the sub-agents that are shown. */
  messages(isHidden: (agent: SubagentId) => boolean): number {
    let count = 0;
    for (const { agent, messages } of this.groups()) if (agent === null || !isHidden(agent)) count += messages;
    return count;
  }

  usage(): UsageGroup[] {
    return this.#groups.list();
  }

  get active(): readonly number[] {
    return this.#active;
  }

  /** After something was taken out. */
  setActive(times: Iterable<number>): void {
    this.#active = [];
    this.isStale = false;
    for (const time of times) this.#wasActive(time);
  }

  /** A response is reported by several records when it was copied or replayed; one report counts. */
  #claim(usage: Usage): void {
    const known = this.#claims.get(usage.key);
    if (known === undefined) {
      this.#claims.set(usage.key, usage);
      this.#groups.add(usage, 1);
      return;
    }
    const claims = Array.isArray(known) ? known : [known];
    const best = bestOf(claims);
    if (compareUsage(usage, best) > 0) {
      this.#groups.add(best, -1);
      this.#groups.add(usage, 1);
    }
    this.#claims.set(usage.key, [...claims, usage]);
  }

  #withdraw(usage: Usage): void {
    const known = this.#claims.get(usage.key);
    const claims = known === undefined ? [] : Array.isArray(known) ? known : [known];
    const left = [...claims];
    const at = left.indexOf(usage);
    if (at < 0) return;
    left.splice(at, 1);
    this.#groups.add(bestOf(claims), -1);
    if (left.length === 0) this.#claims.delete(usage.key);
    else {
      this.#groups.add(bestOf(left), 1);
      this.#claims.set(usage.key, left);
    }
  }

  /** Keeps the pairs of beginning and end sorted and apart; mostly a time belongs to the last of them. */
  #wasActive(time: number): void {
    const active = this.#active;
    let i = active.length - 2;
    while (i >= 0 && (active[i] as number) > time) i -= 2;
    // The pair `i` begins at or before it, the next one after it.
    const joinsThis = i >= 0 && time <= (active[i + 1] as number) + PAUSE;
    const joinsNext = i + 2 < active.length && (active[i + 2] as number) - PAUSE <= time;
    if (joinsThis && joinsNext) active.splice(i + 1, 2);
    else if (joinsThis) active[i + 1] = Math.max(active[i + 1] as number, time);
    else if (joinsNext) active[i + 2] = time;
    else active.splice(i + 2, 0, time, time);
  }
}

const NO_USAGES: readonly Usage[] = [];

/** Of the first ones; of fewer than there are to be, another. */
export function hashTimes(times: readonly number[], count: number): number {
  let hash = count;
  for (let i = 0; i < count; i++) hash = (Math.imul(hash, 31) + (times[i] ?? -1)) | 0;
  return hash;
}

const bestOf = (claims: readonly Usage[]): Usage =>
  claims.reduce((best, claim) => (compareUsage(claim, best) > 0 ? claim : best));
