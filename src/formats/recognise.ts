import type { Certainty, Format } from '../model/index.ts';
import { parseHead } from './lines/index.ts';
import { findOtherAgent } from './other-agents.ts';

/** Whose a file is. Both are null where its lines say nothing, or what nobody knows. */
export interface Recognised {
  readonly format: Format | null;
  /** An agent whose logs are not read. */
  readonly other: string | null;
  readonly certainty: Certainty;
  /** Nothing in it is JSON: whoever reads it can only report its lines. */
  readonly isRubbish: boolean;
}

/** By what the beginning of a file says: who is surest has it. */
export function recogniseAmong(formats: readonly Format[], head: string): Recognised {
  const objects = parseHead(head);
  let sure: Certainty = 0;
  let surest: Format | null = null;
  for (const format of formats) {
    const certainty = format.sniff(objects);
    if (certainty > sure) [sure, surest] = [certainty, format];
  }
  const isRubbish = objects.length === 0;
  const other = findOtherAgent(head, objects, sure);
  if (other) return { format: null, other: other.title, certainty: other.certainty, isRubbish };
  return { format: surest, other: null, certainty: sure, isRubbish };
}
