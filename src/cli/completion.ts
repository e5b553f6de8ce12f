import { bashScript } from './completion/bash.ts';
import type { Command, Option } from './completion/command.ts';
import { fishScript } from './completion/fish.ts';
import { zshScript } from './completion/zsh.ts';

/** One command as a shell has to know it. The name '' stands for `skein` without a command. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly {
    /** As commander has them: `-o, --output <file>`. The placeholders `<dir>`, `<file>` and `<session>` are completed. */
    readonly flags: string;
    readonly description: string;
    readonly choices?: readonly string[];
  }[];
  readonly argument?: 'session' | 'file' | 'none';
}

export type Shell = 'bash' | 'zsh' | 'fish';

/** The script a shell sources. Session ids come from `skein __complete sessions PREFIX`: one `id<TAB>title` per line. */
export function completionScript(shell: Shell, specs: readonly CommandSpec[]): string {
  return SCRIPTS[shell](specs.map(readCommand));
}

const SCRIPTS: { readonly [shell in Shell]: (commands: readonly Command[]) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const readCommand = ({ name, summary, options, argument }: CommandSpec): Command => ({
  name: word(name),
  summary: oneLine(summary),
  options: [...options, { flags: '-h, --help', description: 'how to use it' }].map(readOption),
  argument: argument ?? 'none',
});

function readOption({ flags, description, choices }: CommandSpec['options'][number]): Option {
  const names = flags.split(/[ ,|]+/).filter((part) => part.startsWith('-'));
  const value = /<([^>]+?)(?:\.\.\.)?>/.exec(flags)?.[1]?.toLowerCase();
  const kind = value === 'session' || value === 'file' || value === 'dir' ? value : 'none';
  return {
    names: names.map(word),
    description: oneLine(description),
    value: value === undefined ? null : { kind, choices: (choices ?? []).map(word) },
  };
}

/** Names and choices stand unquoted in the scripts; they are ours, and plain. */
function word(text: string): string {
  if (!/^[\w.-]*$/.test(text)) throw new Error(`Not a plain word for a completion script: ${text}`);
  return text;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
