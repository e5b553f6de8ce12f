import type { Session } from '../history/index.ts';
import { keyOf, type Row, type Selector } from '../selector/index.ts';
import { paint } from '../terminal/output.ts';
import { drawRow } from '../tui/draw-row.ts';
import { isoTime } from '../views/json/index.ts';
import { padTo } from '../views/text/width.ts';
import type { Output } from './output.ts';
import { dim, shortRecordId } from './table.ts';

/** A row in a file may be longer than on a screen, but it stays a row. */
const COLUMNS = 200;
const ID = 8;

/** Every row with the id of its record: what `skein label` and `skein branch` are told. */
export function printTree(selector: Selector, session: Session, output: Output): void {
  const columns = (process.stdout.isTTY ? (process.stdout.columns ?? 80) : COLUMNS) - ID - 1;
  const look = { columns, shift: 0, noTools: selector.mode === 'no-tools', query: selector.query, paint };
  for (const row of rowsOf(selector)) {
    const id = row.node.annotation ? '' : shortRecordId(row.node.record?.id ?? '', session.id);
    const shown = { ...row, isSelected: false };
    output.write(`${dim(padTo(id, ID))}${drawRow(shown, selector.rows, look)}`.trimEnd().concat('\n'));
  }
}

/** Each row for programs, from top to bottom. */
export function* jsonRows(selector: Selector): Generator<object> {
  const { nodes, rows } = selector;
  for (const row of rowsOf(selector)) {
    const { record, annotation } = row.node;
    const above = nodes.nodes[rows.node[rows.parent[row.index] ?? -1] ?? -1];
    yield {
      uuid: keyOf(row.node),
      parent_uuid: above ? keyOf(above) : null,
      kind: annotation?.kind ?? record?.kind ?? null,
      role: row.text.role,
      timestamp: isoTime(annotation?.time ?? record?.time ?? null),
      depth: row.depth,
      is_active: row.isActive,
      is_leaf: rows.node[row.index] === nodes.leaf,
      is_annotation: annotation !== null,
      ...(selector.found ? { is_match: !row.isDim } : {}),
      agent_id: record?.subagent ?? null,
      label: row.label?.text ?? null,
      labeled_at: isoTime(row.label?.time ?? null),
      text: row.text.text,
      calls: row.text.calls,
      is_error: row.text.isError,
    };
  }
}

function* rowsOf(selector: Selector): Generator<Row> {
  for (let index = 0; index < selector.length; index++) {
    const row = selector.row(index, -1);
    if (row) yield row;
  }
}
