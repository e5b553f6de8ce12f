import type { Command } from 'commander';

/** A command is one file beside this one and one entry in this list. */
export interface CommandEntry {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** For programs, not for people. */
  readonly isHidden?: boolean;
  load(): Promise<{ define(command: Command): void }>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'projects',
    usage: 'projects',
    summary: 'the working folders that have sessions',
    load: () => import('./projects.ts'),
  },
  { name: 'sessions', usage: 'sessions', summary: 'sessions, newest first', load: () => import('./sessions.ts') },
  { name: 'show', usage: 'show [id]', summary: 'one session as text or JSON', load: () => import('./show.ts') },
  {
    name: 'search',
    usage: 'search [query...]',
    summary: 'find a word, a file, an error in everything that was said and done',
    load: () => import('./search.ts'),
  },
  {
    name: 'file',
    usage: 'file <path>',
    summary: 'which prompts read or changed a file, newest first',
    load: () => import('./file.ts'),
  },
  {
    name: 'threads',
    usage: 'threads <id>',
    summary: 'the threads of a session: every way the conversation went',
    load: () => import('./threads.ts'),
  },
  {
    name: 'tree',
    usage: 'tree <id>',
    summary: 'the session as a tree to walk: branches, labels, sub-agents',
    load: () => import('./tree.ts'),
  },
  {
    name: 'label',
    usage: 'label [id] [record] [text]',
    summary: 'give a record a name; without arguments: all labels',
    load: () => import('./label.ts'),
  },
  {
    name: 'branch',
    usage: 'branch <id>',
    summary: 'what leads to a record as a new session of Pi',
    load: () => import('./branch.ts'),
  },
  {
    name: 'resume',
    usage: 'resume <id>',
    summary: 'the command that continues a session, in the right folder',
    load: () => import('./resume.ts'),
  },
  {
    name: 'context',
    usage: 'context <id>',
    summary: 'what the model had in its window',
    load: () => import('./context.ts'),
  },
  { name: 'stats', usage: 'stats', summary: 'tokens and cost', load: () => import('./stats.ts') },
  {
    name: 'export',
    usage: 'export [id]',
    summary: 'pages that need nothing but a browser',
    load: () => import('./export.ts'),
  },
  {
    name: 'check',
    usage: 'check [what]',
    summary: 'every oddity in the logs, and the proof that no line is lost',
    load: () => import('./check.ts'),
  },
  {
    name: 'index',
    usage: 'index',
    summary: 'archive what the agents wrote, before they delete it',
    load: () => import('./index-logs.ts'),
  },
  { name: 'status', usage: 'status', summary: 'what is archived', load: () => import('./status.ts') },
  {
    name: 'restore',
    usage: 'restore [id]',
    summary: 'write archived files back as they were',
    load: () => import('./restore.ts'),
  },
  {
    name: 'forget',
    usage: 'forget [id]',
    summary: 'remove a session or project from the archive for good',
    load: () => import('./forget.ts'),
  },
  {
    name: 'settings',
    usage: 'settings [name] [value]',
    summary: 'how Skein shall behave',
    load: () => import('./settings.ts'),
  },
  {
    name: 'completion',
    usage: 'completion <shell>',
    summary: 'completion for bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
  {
    name: '__complete',
    usage: '__complete <what> [prefix]',
    summary: 'what the completion scripts ask',
    isHidden: true,
    load: () => import('./complete.ts'),
  },
];

/** `skein` alone. */
export const home = (): Promise<{ define(command: Command): void }> => import('./home.ts');
