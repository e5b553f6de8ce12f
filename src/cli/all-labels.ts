import type { Session } from '../history/index.ts';
import { type Label, readLabels } from '../selector/index.ts';
import { readNotes } from './notes.ts';
import { openHistory, type RootOptions } from './options.ts';
import { labelsOf } from './session-labels.ts';

export interface LabelRow extends Label {
  readonly session: string;
  readonly record: string;
}

export const labelsIn = async (session: Session): Promise<LabelRow[]> =>
  [...(await labelsOf(session))]
    .map(([record, label]) => ({ session: session.id, record, ...label }))
    .sort(newestFirst);

/** What is noted, and what stands in the logs that labels are written to; of two on one record the later one. */
export async function allLabels(options: RootOptions): Promise<LabelRow[]> {
  const rows = new Map<string, LabelRow>();
  const add = (row: LabelRow): void => {
    if ((rows.get(row.record)?.time ?? 0) <= (row.time ?? 0)) rows.set(row.record, row);
  };
  for (const row of await notedLabels()) add(row);
  for (const project of openHistory(options).projects) {
    for (const logs of project.logs.filter(({ format }) => format.name === 'pi')) {
      const { tree } = logs.read();
      for (const session of tree.sessionIds())
        for (const [record, label] of readLabels(tree, tree.session(session))) add({ session, record, ...label });
    }
    project.close();
  }
  return [...rows.values()].sort(newestFirst);
}

const notedLabels = (): Promise<LabelRow[]> =>
  readNotes(async (notes) => {
    const rows: LabelRow[] = [];
    for (const { agent, session } of await notes.sessions())
      for (const { sort, record, text, time } of await notes.about({ agent, sessions: [session] }))
        if (sort === 'label' && record !== null) rows.push({ session, record, text, time });
    return rows;
  }, []);

const newestFirst = (a: LabelRow, b: LabelRow): number =>
  (b.time ?? 0) - (a.time ?? 0) || (a.record < b.record ? -1 : 1);
