import type { Key, SubagentId, Usage } from '../model/index.ts';
import { compareUsage, type UsageGroup, UsageGroups } from '../usage/index.ts';

/** What one record adds to the figures of its session. */
export interface Share {
  readonly agent: SubagentId | null;
  readonly messages: number;
  readonly usage: Usage | null;
  /** When it and its lines were written. */
  readonly times: readonly number[];
}

/** Pauses from here on are kept: when a session was active, and when not. */
export const PAUSE = 15 * 60_000;

/** The figures of a session, brought up to date record by record: a growing session costs what was added. */
export class SessionSums {
  /** Its records of the main line, shown or not. */
  readonly main = new Set<Key>();
  readonly subagents = new Map<SubagentId, Set<Key>>();
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
  readonly #messages = new Map<SubagentId | null, number>();
  readonly #claims = new Map<string, Usage | Usage[]>();
  readonly #groups = new UsageGroups();
  #active: number[] = [];

  /** Null before: it is new; null after: it is gone, or shown nowhere. */
  replace(before: Share | null, after: Share | null): void {
    if (before) this.#count(before.agent, -before.messages);
    if (after) this.#count(after.agent, after.messages);
    if (before?.usage !== after?.usage) {
      if (before?.usage) this.#withdraw(before.usage);
      if (after?.usage) this.#claim(after.usage);
    }
    if (before?.times.some((time) => !after?.times.includes(time))) this.isStale = true;
    for (const time of after?.times ?? []) this.#wasActive(time);
  }

  /** Messages of the main line and of the sub-agents that are shown. */
  messages(isHidden: (agent: SubagentId) => boolean): number {
    let count = 0;
    for (const [agent, messages] of this.#messages) if (agent === null || !isHidden(agent)) count += messages;
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

  #count(agent: SubagentId | null, messages: number): void {
    this.#messages.set(agent, (this.#messages.get(agent) ?? 0) + messages);
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

const bestOf = (claims: readonly Usage[]): Usage =>
  claims.reduce((best, claim) => (compareUsage(claim, best) > 0 ? claim : best));
