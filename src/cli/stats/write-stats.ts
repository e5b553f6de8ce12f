import { isoTime, jsonUsageSum } from '../../views/json/index.ts';
import { printable } from '../../views/text/printable.ts';
import { NO_SESSION, type Stats } from './draw-stats.ts';
import type { Row } from './rows.ts';

/** For programs. */
export function jsonStats({ by, rows, total, prices, sessions }: Stats, isBrokenDown: boolean): object {
  const about = (group: string | null): object => {
    if (by !== 'session') return { [by]: group };
    const { id = null, title = null, endedAt = null, project = null } = sessions.of(group) ?? {};
    return { session_id: id, title, last_activity: isoTime(endedAt), project_path: project };
  };
  return {
    totals: jsonUsageSum(total),
    items: rows.map(({ group, sum, models }) => ({
      ...about(group),
      ...jsonUsageSum(sum),
      ...(isBrokenDown ? { models: models.map((each) => ({ model: each.model, ...jsonUsageSum(each.sum) })) } : {}),
    })),
    by,
    prices,
  };
}

const COLUMNS = [
  'responses',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'cost_usd',
] as const;

/** For spreadsheets: one line per row, or per row and model. */
export function csvStats({ by, rows, sessions }: Stats, isBrokenDown: boolean): string {
  const cells = (sum: Row['sum']): string[] => {
    const json = jsonUsageSum(sum);
    return COLUMNS.map((column) => `${json[column] ?? ''}`);
  };
  const lines = rows.flatMap(({ group, sum, models }) => {
    const name = (by === 'session' ? sessions.of(group)?.id : group) ?? NO_SESSION;
    return isBrokenDown ? models.map((each) => [name, each.model, ...cells(each.sum)]) : [[name, ...cells(sum)]];
  });
  const head = [by, ...(isBrokenDown ? ['model'] : []), ...COLUMNS];
  return [head, ...lines].map((line) => `${line.map(csvCell).join(',')}\n`).join('');
}

/** Spreadsheets run what begins like a formula, and terminals what begins with an escape. */
function csvCell(given: string): string {
  const text = printable(given);
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
