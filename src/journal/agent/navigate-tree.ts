import { SkeinError } from '../../model/index.ts';
import type { BranchSummaryEntry } from '../entries.ts';
import type { SessionManager } from '../session-manager.ts';
import { type AgentParts, holdPlace, needSummarizer } from './agent-parts.ts';
import type { SessionBeforeTreeResult, SessionTreeEvent, TreePreparation } from './events.ts';
import { type Landing, landingOf } from './landing.ts';
import { collectEntriesForBranchSummary } from './left-entries.ts';
import { type BranchSummary, summarizeBranch } from './summarize-branch.ts';

export interface NavigateTreeOptions {
  /** Write down at the new place what happened on the branch that is left. */
  summarize?: boolean | undefined;
  customInstructions?: string | undefined;
  replaceInstructions?: boolean | undefined;
  /** For the summary, or for the target if there is none. */
  label?: string | undefined;
}

export interface NavigateTreeResult {
  cancelled: boolean;
  /** It was cancelled by `abort`. */
  aborted?: boolean;
  /** What was said at the target, to be said anew. */
  editorText?: string;
  summaryEntry?: BranchSummaryEntry;
}

/** Undefined: it was cancelled, and nothing has changed. */
export type Navigation = { readonly result: NavigateTreeResult; readonly event: SessionTreeEvent } | undefined;

/** Moves the leaf within the session. Nothing changes before everything is known that can fail. */
export async function navigateTree(
  parts: AgentParts,
  targetId: string,
  options: NavigateTreeOptions,
): Promise<Navigation> {
  const { session } = parts;
  if (options.summarize) needSummarizer(parts.summarizer);
  const target = session.getEntry(targetId);
  if (!target) throw new SkeinError('not_found', `Entry ${targetId} not found`);
  const preparation = prepare(session, targetId, options);
  const checkPlace = holdPlace(parts);
  const answer = await parts.emit({ type: 'session_before_tree', preparation, signal: parts.signal });
  if (answer?.cancel) return undefined;
  const summary = await summaryFor(parts, preparation, answer);
  checkPlace();
  const landing = landingOf(session, target);
  const summaryEntry = moveLeaf(session, landing, summary);
  const label = answer?.label ?? options.label;
  if (label) session.appendLabelChange(summaryEntry?.id ?? targetId, label);
  return {
    result: {
      cancelled: false,
      ...(landing.editorText === undefined ? {} : { editorText: landing.editorText }),
      ...(summaryEntry ? { summaryEntry } : {}),
    },
    event: {
      type: 'session_tree',
      newLeafId: session.getLeafId(),
      oldLeafId: preparation.oldLeafId,
      summaryEntry,
      fromExtension: summaryEntry && summary?.fromExtension,
    },
  };
}

function prepare(session: SessionManager, targetId: string, options: NavigateTreeOptions): TreePreparation {
  const oldLeafId = session.getLeafId();
  const { entries, commonAncestorId } = collectEntriesForBranchSummary(session, oldLeafId, targetId);
  return {
    targetId,
    oldLeafId,
    commonAncestorId,
    entriesToSummarize: entries,
    userWantsSummary: options.summarize ?? false,
    customInstructions: options.customInstructions,
    replaceInstructions: options.replaceInstructions,
    label: options.label,
  };
}

interface NavigationSummary extends BranchSummary {
  readonly fromExtension: boolean;
}

async function summaryFor(
  parts: AgentParts,
  preparation: TreePreparation,
  answer: SessionBeforeTreeResult | undefined,
): Promise<NavigationSummary | null> {
  if (!preparation.userWantsSummary) return null;
  if (answer?.summary) return { ...answer.summary, fromExtension: true };
  const summary = await summarizeBranch(parts, preparation.entriesToSummarize, {
    customInstructions: answer?.customInstructions ?? preparation.customInstructions,
    replaceInstructions: answer?.replaceInstructions ?? preparation.replaceInstructions,
  });
  return summary && { ...summary, fromExtension: false };
}

/** The summary hangs on the new place, not on the branch that was left. */
function moveLeaf(
  session: SessionManager,
  { leafId }: Landing,
  given: NavigationSummary | null,
): BranchSummaryEntry | undefined {
  if (given?.summary) {
    const { summary, details, usage, fromExtension } = given;
    const id = session.branchWithSummary(leafId, summary, details, fromExtension, usage);
    return session.getEntry(id) as BranchSummaryEntry;
  }
  if (leafId === null) session.resetLeaf();
  else session.branch(leafId);
  return undefined;
}
