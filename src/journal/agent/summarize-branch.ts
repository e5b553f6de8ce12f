import { applyEdits } from '../apply-edits.ts';
import { sessionEntryToContextMessages } from '../context-messages.ts';
import type { SessionEntry } from '../entries.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { fileListText, fileOperations, listFiles } from '../list-files.ts';
import type { Usage } from '../messages.ts';
import { abortable } from './abortable.ts';
import { type AgentParts, needSummarizer } from './agent-parts.ts';
import { checkedSummary } from './checked-summary.ts';
import { BRANCH_INSTRUCTIONS, BRANCH_PREAMBLE, withFocus } from './summary-instructions.ts';

export interface BranchSummary {
  readonly summary: string;
  readonly details?: unknown;
  readonly usage?: Usage;
}

interface Wishes {
  readonly customInstructions: string | undefined;
  readonly replaceInstructions: boolean | undefined;
}

/** What happened on a branch that is left; null if nothing was said there. */
export async function summarizeBranch(
  { summarizer, contextWindow, compaction, signal }: AgentParts,
  entries: readonly SessionEntry[],
  { customInstructions, replaceInstructions }: Wishes,
): Promise<BranchSummary | null> {
  const told = latestWithin(applyEdits(entries), contextWindow - compaction.reserveTokens);
  if (told.length === 0) return null;
  const instructions =
    replaceInstructions && customInstructions ? customInstructions : withFocus(BRANCH_INSTRUCTIONS, customInstructions);
  const text = await abortable(needSummarizer(summarizer).summarize(told, instructions, signal), signal);
  const details = listFiles(fileOperations(entries));
  return { summary: `${BRANCH_PREAMBLE}${checkedSummary(text)}${fileListText(details)}`, details };
}

/**
 * From the end as much as the model takes in. Results are left out: the calls say what was done. An older summary stands for much, and may
 * go over the edge a little.
 */
function latestWithin(entries: readonly SessionEntry[], budget: number): SessionEntry[] {
  const told: SessionEntry[] = [];
  let used = 0;
  for (const entry of entries.toReversed()) {
    const messages = sessionEntryToContextMessages(entry).filter(
      ({ role }) => role !== 'toolResult' && role !== 'system',
    );
    if (messages.length === 0) continue;
    const tokens = messages.reduce((sum, message) => sum + estimateTokens(message), 0);
    if (used + tokens > budget) {
      const isSummary = entry.type === 'compaction' || entry.type === 'branch_summary';
      if (isSummary && used < budget * ALMOST_ALL) told.push(entry);
      break;
    }
    told.push(entry);
    used += tokens;
  }
  return told.reverse();
}

const ALMOST_ALL = 0.9;
