import { Argument, Command } from 'commander';
import { print } from '../../terminal/output.ts';
import { type CommandSpec, completionScript, type Shell } from '../completion.ts';
import { commands, home } from './index.ts';

export function define(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => void print(completionScript(shell, await readSpecs())));
}

const HELP = `
Examples:
  skein completion bash > ~/.local/share/bash-completion/completions/skein
  skein completion zsh > ~/.zfunc/_skein       (with ~/.zfunc in $fpath)
  skein completion fish > ~/.config/fish/completions/skein.fish`;

/** Every command says itself what it takes. */
async function readSpecs(): Promise<CommandSpec[]> {
  const specs: CommandSpec[] = [specOf('', '', new Command(), await home())];
  for (const { name, summary, isHidden, load } of commands)
    if (!isHidden) specs.push(specOf(name, summary, new Command(name), await load()));
  return specs;
}

function specOf(
  name: string,
  summary: string,
  command: Command,
  { define }: { define(command: Command): void },
): CommandSpec {
  define(command);
  const [argument] = command.registeredArguments;
  return {
    name,
    summary,
    options: command.options.map(({ flags, description, argChoices }) => ({
      flags,
      description,
      ...(argChoices ? { choices: argChoices } : {}),
    })),
    argument: ARGUMENTS[argument?.name() ?? ''] ?? 'none',
  };
}

const ARGUMENTS: Readonly<Record<string, NonNullable<CommandSpec['argument']>>> = {
  id: 'session',
  what: 'session',
  path: 'file',
};
