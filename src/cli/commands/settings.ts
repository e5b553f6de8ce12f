import type { Command } from 'commander';
import { SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { jsonText } from '../../views/json/index.ts';
import { readNotes, writeNotes } from '../notes.ts';
import { isSetting, SETTINGS, settingsOf } from '../settings.ts';
import { formatTable } from '../table.ts';

interface Options {
  readonly clear?: boolean;
  readonly json?: boolean;
}

export function define(command: Command): void {
  command
    .argument('[name]', 'which setting')
    .argument('[value]', 'what it shall be')
    .option('--clear', 'back to what it is without being set')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action((name: string | undefined, value: string | undefined, options: Options) => run(name, value, options));
}

const HELP = `
Settings are kept in notes.db in Skein's own folder.

${Object.entries(SETTINGS)
  .map(([name, { values, meaning }]) => `  ${name}  ${values.join(', ')}\n      ${meaning}`)
  .join('\n')}

Examples:
  skein settings
  skein settings doubleEscapeAction tree
  skein settings doubleEscapeAction --clear`;

async function run(name: string | undefined, value: string | undefined, { clear, json }: Options): Promise<void> {
  if (name !== undefined) {
    if (!isSetting(name)) throw new SkeinError('bad_input', `There is no setting ${name}; there is: ${names}`);
    const values: readonly string[] = SETTINGS[name].values;
    if (value !== undefined && !values.includes(value))
      throw new SkeinError('bad_input', `${name} cannot be ${value}; it can be: ${values.join(', ')}`);
    if (value !== undefined || clear) await writeNotes((notes) => notes.setSetting(name, value ?? null));
  } else if (clear) throw new SkeinError('bad_input', 'Say which setting to clear');
  const settings = settingsOf(await readNotes((notes) => notes.settings(), new Map()));
  const shown = Object.entries(settings).filter(([each]) => name === undefined || each === name);
  if (json) print(`${jsonText(Object.fromEntries(shown))}\n`);
  else print(`${formatTable([{ title: 'SETTING' }, { title: 'VALUE' }], shown)}\n`);
}

const names = Object.keys(SETTINGS).join(', ');
