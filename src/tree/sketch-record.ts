import type { Key } from '../model/index.ts';
import type { CallSite } from './calls.ts';
import { aboveOf, type Draft } from './drafts.ts';
import { missingParent } from './list-findings.ts';
import { type Node, timeOf } from './nodes.ts';
import { idOf } from './publish-record.ts';

/** What a record hangs on, for a fraction of what the record takes. */
export interface Sketch {
  readonly id: Key;
  readonly parent: Key | null;
  /** The parent that its line names and that is nowhere. */
  readonly missing: Key | null;
  /** Its line and those above it form a circle, which was opened here (H11). */
  readonly isCut: boolean;
  readonly time: number | null;
  readonly isAnswer: boolean;
  /** Its calls all have results, none of them older than what it belongs to, and the results it brings have their calls. */
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
  const isPlain = isDone(head, time) && (!others || others.every((part) => isDone(part, time)));
  const isCut = draft.more?.cut === true;
  const missing = above || isCut ? null : missingParent(draft);
  return { id: idOf(head), parent: above && idOf(above.head), missing, isCut, time, isAnswer, isPlain };
}

function isDone({ site: first, result: brought, spot }: Node, since: number | null): boolean {
  for (let result = brought; result; result = result.also) if (!result.site) return false;
  if (first === null) return true;
  const time = timeOf(spot) ?? since;
  for (let site: CallSite | null = first; site; site = site.also) {
    if (!site.result) return false;
    const came = timeOf(site.result.spot);
    if (time !== null && came !== null && came < time) return false;
  }
  return since === null || time === null || time >= since;
}
