import type { Ledger, PriceTable, Response, UsageSum } from '../../usage/index.ts';
import { formatDay, formatMonth, formatWeek } from '../../views/text/format-time.ts';

/** What a row is about; days, weeks and months are local ones. */
const GROUPS = {
  day: ({ time }: Response) => formatDay(time) || NO_TIME,
  week: ({ time }: Response) => formatWeek(time) || NO_TIME,
  month: ({ time }: Response) => formatMonth(time) || NO_TIME,
  model: ({ usage }: Response) => usage.model,
  project: ({ project }: Response) => project,
  session: ({ session, project }: Response) => sessionKey(session, project),
} as const;

const NO_TIME = '(no time)';

export type By = keyof typeof GROUPS;
export const BY = Object.keys(GROUPS) as By[];

/** A session may be in two projects: each has a row of its own. */
const sessionKey = (id: string, project: string): string => JSON.stringify([id, project]);

/** What rows say about a session beside its sum. */
export interface SessionFacts {
  readonly id: string;
  readonly title: string | null;
  readonly endedAt: number | null;
  /** Path of its project. */
  readonly project: string;
}

/** The sessions that rows may be about. */
export class StatsSessions {
  readonly #byKey = new Map<string, SessionFacts>();
  readonly #ids = new Set<string>();

  add(session: SessionFacts): void {
    this.#ids.add(session.id);
    this.#byKey.set(sessionKey(session.id, session.project), session);
  }

  /** In any project. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whom a row is about. */
  of(group: string | null): SessionFacts | undefined {
    return this.#byKey.get(group ?? '');
  }

  get size(): number {
    return this.#byKey.size;
  }
}

export interface Row {
  /** Null: housekeeping agents of which no session is left (H12). Where rows are sessions, `StatsSessions` knows whom it means. */
  readonly group: string | null;
  readonly sum: UsageSum;
  /** The dearest first; empty unless asked for. */
  readonly models: readonly { readonly model: string; readonly sum: UsageSum }[];
}

export interface RowOptions {
  readonly by: By;
  readonly breakdown?: boolean;
}

/** The newest first, or the dearest. */
export function rowsOf(
  ledger: Ledger,
  { by, breakdown = false }: RowOptions,
  sessions: StatsSessions,
  table: PriceTable,
): Row[] {
  const groupOf = (response: Response): string | null =>
    by === 'session' && !sessions.of(GROUPS.session(response)) ? null : GROUPS[by](response);
  const models = breakdown ? modelsOf(ledger, groupOf, table) : null;
  const rows = [...ledger.sumBy(groupOf, table)].map(([group, sum]) => ({
    group,
    sum,
    models: models?.get(group) ?? [],
  }));
  return rows.sort(by === 'day' || by === 'week' || by === 'month' ? byName : byCost);
}

function modelsOf(
  ledger: Ledger,
  groupOf: (response: Response) => string | null,
  table: PriceTable,
): Map<string | null, Row['models']> {
  const sums = ledger.sumBy((response) => JSON.stringify([groupOf(response), response.usage.model]), table);
  const parts = [...sums].map(([key, sum]) => {
    const [group, model] = JSON.parse(key) as [string | null, string];
    return { group, model, sum };
  });
  const byGroup = Map.groupBy(parts, ({ group }) => group);
  return new Map(
    [...byGroup].map(([group, own]) => [group, own.map(({ model, sum }) => ({ model, sum })).sort(dearer)]),
  );
}

const dearer = (a: Row['models'][number], b: Row['models'][number]): number =>
  b.sum.knownCostUsd - a.sum.knownCostUsd || (a.model < b.model ? -1 : 1);

const byName = (a: Row, b: Row): number => ((a.group ?? '') < (b.group ?? '') ? 1 : -1);

/** What belongs to no session comes last. */
const byCost = (a: Row, b: Row): number =>
  Number(a.group === null) - Number(b.group === null) ||
  b.sum.knownCostUsd - a.sum.knownCostUsd ||
  ((a.group ?? '') < (b.group ?? '') ? -1 : 1);
