import type { SessionEntry } from '../entries.ts';

/** Writes the summary of a part of a session. Rejects if it cannot, and if `signal` tells it to stop. */
export interface Summarizer {
  /** `entries` are in the order they were said, with their edits; `instructions` say what the summary should be like. */
  summarize(entries: readonly SessionEntry[], instructions: string, signal: AbortSignal): Promise<string>;
}
