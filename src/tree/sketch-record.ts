import type { Key } from '../model/index.ts';
import { aboveOf, type Draft } from './drafts.ts';
import { type Node, timeOf } from './nodes.ts';
import { idOf } from './publish-record.ts';

/** What a record hangs on, for a fraction of what the record takes. */
export interface Sketch {
  readonly id: Key;
  readonly parent: Key | null;
  readonly time: number | null;
  readonly isAnswer: boolean;
  /** An answer whose calls all have results and are not older than itself. */
  readonly isPlain: boolean;
}

/** Null for a record that is not shown. */
export function sketchRecord(draft: Draft): Sketch | null {
  const { head, others } = draft;
  const { spot } = head;
  if (spot.more?.hidden === true) return null;
  const above = aboveOf(draft);
  const time = timeOf(spot);
  const isAnswer = spot.kind === 'assistant';
  const isPlain = isAnswer && isDone(head, time) && (!others || others.every((part) => isDone(part, time)));
  return { id: idOf(head), parent: above && idOf(above.head), time, isAnswer, isPlain };
}

function isDone({ site: first, spot }: Node, since: number | null): boolean {
  for (let site = first; site; site = site.also) if (!site.result) return false;
  return first === null || since === null || (timeOf(spot) ?? since) >= since;
}
