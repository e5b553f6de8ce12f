import type { Key, Session } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';

export interface Label {
  readonly text: string;
  /** When it was last set; null where nobody says. */
  readonly time: number | null;
}

/** The labels that the log itself holds, by the record (or annotation) they stand on; the last word about each counts. */
export function readLabels(tree: Tree, { id, facts, annotations }: Session): Map<Key, Label> {
  const labels = new Map<Key, Label>();
  const said = facts.filter(({ type, about }) => type === 'label' && about !== null);
  if (said.length === 0) return labels;
  const times = new Map<string, number | null>();
  for (const each of [...annotations, ...tree.records(id).flatMap((key) => tree.record(key)?.annotations ?? [])])
    if (each.kind === 'label') times.set(placeOf(each.ref), each.time);
  for (const { about, value, ref } of said) {
    const key = tree.record(about ?? '')?.id ?? about ?? '';
    if (typeof value === 'string' && value.trim() !== '')
      labels.set(key, { text: value, time: times.get(placeOf(ref)) ?? null });
    else labels.delete(key);
  }
  return labels;
}

const placeOf = ({ file, line }: { readonly file: string; readonly line: number }): string => `${line} ${file}`;
