import { SkeinError } from '../../model/index.ts';
import { type CompactionPreparation, prepareCompaction } from '../compaction.ts';
import type { CompactionEntry, SessionEntry } from '../entries.ts';
import { type AgentParts, holdPlace, needSummarizer } from './agent-parts.ts';
import type { SessionBeforeCompactResult, SessionCompactEvent } from './events.ts';
import { summarizeHistory } from './summarize-history.ts';

export interface CompactResult {
  cancelled: boolean;
  aborted?: boolean;
  compactionEntry?: CompactionEntry;
}

/** Puts a summary in the place of the beginning of this branch. Undefined: it was cancelled, and nothing has changed. */
export async function compactSession(
  parts: AgentParts,
  customInstructions: string | undefined,
): Promise<SessionCompactEvent | undefined> {
  const { session, signal } = parts;
  needSummarizer(parts.summarizer);
  const branchEntries = session.getBranch();
  const preparation = prepareCompaction(branchEntries, parts.compaction);
  if (!preparation) throw nothingToDo(branchEntries);
  const checkPlace = holdPlace(parts);
  const answer = await parts.emit({
    type: 'session_before_compact',
    preparation,
    branchEntries,
    customInstructions,
    signal,
  });
  if (answer?.cancel) return undefined;
  const given = answer?.compaction;
  if (given) checkAnchor(given, branchEntries);
  const made = given ?? (await summarized(parts, preparation, customInstructions));
  checkPlace();
  const { summary, firstKeptEntryId, tokensBefore, details, usage, preserveData }: Compaction = made;
  const fromExtension = given !== undefined;
  const id = session.appendCompaction(
    summary,
    firstKeptEntryId,
    tokensBefore,
    details,
    fromExtension,
    usage,
    preserveData,
  );
  return { type: 'session_compact', compactionEntry: session.getEntry(id) as CompactionEntry, fromExtension };
}

type Given = NonNullable<SessionBeforeCompactResult['compaction']>;
type Compaction = Given & { readonly preserveData?: Record<string, unknown> | undefined };

async function summarized(
  parts: AgentParts,
  preparation: CompactionPreparation,
  customInstructions: string | undefined,
): Promise<Compaction> {
  const { firstKeptEntryId, tokensBefore } = preparation;
  const wishes = await parts.emit({
    type: 'session.compacting',
    sessionId: parts.session.getSessionId(),
    messages: [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages],
  });
  const history = await summarizeHistory(parts, preparation, { ...wishes, customInstructions });
  return { ...history, firstKeptEntryId, tokensBefore, preserveData: wishes?.preserveData };
}

function nothingToDo(path: readonly SessionEntry[]): SkeinError {
  if (path.at(-1)?.type === 'compaction') return new SkeinError('bad_input', 'Already compacted');
  return new SkeinError('bad_input', 'Nothing to compact: all of the session is kept');
}

/** With an anchor that is not above it, everything before the compaction would be out of sight. */
function checkAnchor({ firstKeptEntryId }: Given, path: readonly SessionEntry[]): void {
  if (path.some(({ id }) => id === firstKeptEntryId)) return;
  throw new SkeinError(
    'bad_input',
    `A handler of session_before_compact keeps from ${firstKeptEntryId} on, which is not on this branch`,
  );
}
