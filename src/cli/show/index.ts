import type { Session, Thread } from '../../history/index.ts';
import type { Key, LogRecord, Subagent } from '../../model/index.ts';
import type { OutlineOptions } from '../../outline/index.ts';
import type { Output } from '../output.ts';

/** What of a session is shown: one thread, or one sub-agent. */
export interface Selection {
  readonly session: Session;
  readonly thread: Thread | null;
  readonly subagent: Subagent | null;
  /** Where to begin. */
  readonly from?: Key;
}

export interface ShowOptions {
  readonly verbose?: boolean;
  /** Given by name, not by default. */
  readonly thread?: string;
  /** Of a form that is JSON otherwise. */
  readonly text?: boolean;
  readonly prices?: string;
}

type Show = (selection: Selection, output: Output, options: ShowOptions) => void | Promise<void>;

/** The forms of `show --as`. A new one is a file beside this one and a line here. */
export const showAs: Readonly<Record<string, Show>> = {
  text: async (...args) => (await import('./text.ts')).showText(...args),
  markdown: async (...args) => (await import('./markdown.ts')).showMarkdown(...args),
  html: async (...args) => (await import('./html.ts')).showHtml(...args),
  json: async (...args) => (await import('./json.ts')).showJson(...args),
  chat: async (...args) => (await import('./chat.ts')).showChat(...args),
  outline: async (...args) => (await import('./outline.ts')).showOutline(...args),
  messages: async (...args) => (await import('./messages.ts')).showMessages(...args),
};

/** What was asked for by name: a thread or a sub-agent; undefined: the whole session (P4). */
export function askedFor({ thread, subagent }: Selection, options: ShowOptions): OutlineOptions['only'] {
  if (subagent) return { subagent: subagent.id };
  return thread && options.thread !== undefined ? { thread: thread.id } : undefined;
}

export function* recordsOf({ session, thread, subagent, from }: Selection): Generator<LogRecord> {
  let isBefore = from !== undefined;
  for (const record of subagent ? session.subagentRecords(subagent) : (thread?.records() ?? [])) {
    if (record.id === from) isBefore = false;
    if (!isBefore) yield record;
  }
}
