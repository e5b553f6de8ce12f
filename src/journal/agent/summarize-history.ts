import type { CompactionPreparation } from '../compaction.ts';
import type { SessionEntry } from '../entries.ts';
import { type FileLists, fileListText, listFiles } from '../list-files.ts';
import { abortable } from './abortable.ts';
import { type AgentParts, needSummarizer } from './agent-parts.ts';
import { checkedSummary } from './checked-summary.ts';
import type { SessionCompactingResult } from './events.ts';
import {
  HISTORY_INSTRUCTIONS,
  TURN_INSTRUCTIONS,
  UPDATE_INSTRUCTIONS,
  withContext,
  withFocus,
  withPrevious,
} from './summary-instructions.ts';

interface Wishes extends Pick<SessionCompactingResult, 'context' | 'prompt'> {
  readonly customInstructions: string | undefined;
}

/** The summary of a compaction. A turn that is cut in two has one of its own, so that its end is understood. */
export async function summarizeHistory(
  parts: AgentParts,
  preparation: CompactionPreparation,
  wishes: Wishes,
): Promise<{ summary: string; details: FileLists }> {
  const { entriesToSummarize, turnPrefixEntries, previousSummary } = preparation;
  const ask = async (entries: readonly SessionEntry[], instructions: string): Promise<string> => {
    const told = withContext(instructions, wishes.context);
    const { signal } = parts;
    return checkedSummary(await abortable(needSummarizer(parts.summarizer).summarize(entries, told, signal), signal));
  };
  const usual = wishes.prompt ?? (previousSummary === undefined ? HISTORY_INSTRUCTIONS : UPDATE_INSTRUCTIONS);
  const [history, turn] = await Promise.all([
    entriesToSummarize.length > 0
      ? ask(entriesToSummarize, withPrevious(withFocus(usual, wishes.customInstructions), previousSummary))
      : (previousSummary ?? null),
    turnPrefixEntries.length > 0 ? ask(turnPrefixEntries, TURN_INSTRUCTIONS) : null,
  ]);
  const details = listFiles(preparation.fileOps);
  const said = [history, turn && `**Turn Context (split turn):**\n\n${turn}`].filter((part) => part !== null);
  return { summary: `${said.join('\n\n---\n\n')}${fileListText(details)}`, details };
}
