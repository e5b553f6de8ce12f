import type { LogRecord, Usage } from '../model/index.ts';
import type { PriceTable } from './prices.ts';
import { compareUsage, sumUsage, type UsageSum } from './sum-usage.ts';

/** One response, with where it belongs. */
export interface Response {
  readonly usage: Usage;
  readonly time: number | null;
  readonly session: string;
  readonly project: string;
  readonly isSubagent: boolean;
}

/** Every response of everything that was read, each once: forks, resumes and replays in other files repeat them. */
export class Ledger {
  readonly #byKey = new Map<string, Response>();

  /** `isWanted`: told by when it was answered. */
  add(record: LogRecord, project: string, isWanted: (time: number | null) => boolean = () => true): void {
    const { usage, time, session, spent = [] } = record;
    const isSubagent = record.subagent !== null;
    if (usage && isWanted(time)) this.addResponse({ usage, time, session, project, isSubagent });
    for (const each of spent) if (isWanted(each.time)) this.addResponse({ isSubagent, ...each, session, project });
  }

  addResponse(response: Response): void {
    const { key } = response.usage;
    const known = this.#byKey.get(key);
    if (!known || isBetter(response, known)) this.#byKey.set(key, response);
  }

  get responses(): IterableIterator<Response> {
    return this.#byKey.values();
  }

  sum(table: PriceTable): UsageSum {
    return sumUsage(
      [...this.#byKey.values()].map(({ usage }) => usage),
      table,
    );
  }

  /** One sum per group, in the order of their first response. */
  sumBy<Group>(groupOf: (response: Response) => Group, table: PriceTable): Map<Group, UsageSum> {
    const groups = new Map<Group, Usage[]>();
    for (const response of this.#byKey.values()) {
      const group = groupOf(response);
      const usages = groups.get(group);
      if (usages) usages.push(response.usage);
      else groups.set(group, [response.usage]);
    }
    return new Map([...groups].map(([group, usages]) => [group, sumUsage(usages, table)]));
  }
}

/** The greatest output wins; of equal accounts the original, then the earliest, so that it does not matter what was read first. */
function isBetter(a: Response, b: Response): boolean {
  const more = compareUsage(a.usage, b.usage);
  if (more !== 0) return more > 0;
  if (a.usage.isCopy !== b.usage.isCopy) return b.usage.isCopy === true;
  if (a.time !== b.time) return (a.time ?? Number.POSITIVE_INFINITY) < (b.time ?? Number.POSITIVE_INFINITY);
  return placeOf(a) < placeOf(b);
}

const placeOf = ({ project, session, isSubagent }: Response): string => `${project} ${session} ${isSubagent ? 1 : 0}`;
