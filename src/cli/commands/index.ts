import type { Command } from 'commander';

/** A command is one file beside this one and one entry in this list. */
export interface CommandEntry {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  load(): Promise<{ define(command: Command): void }>;
}

export const commands: readonly CommandEntry[] = [
  { name: 'show', usage: 'show <id>', summary: 'one session as text', load: () => import('./show.ts') },
  {
    name: 'check',
    usage: 'check [what]',
    summary: 'every oddity in the logs, and the proof that no line is lost',
    load: () => import('./check.ts'),
  },
];

/** `skein` alone. */
export const home = (): Promise<{ define(command: Command): void }> => import('./home.ts');
