import { SkeinError } from '../../model/index.ts';

/** An empty answer must not stand for a conversation. */
export function checkedSummary(text: unknown): string {
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw new SkeinError('no_answer', 'The summarizer wrote nothing: nothing was changed');
}
