import type { Command } from 'commander';
import { eachSession } from '../../history/index.ts';
import { print } from '../../terminal/output.ts';
import { printableLine } from '../../views/text/printable.ts';
import { cutToWidth } from '../../views/text/width.ts';
import { addRootOption, openHistory, type RootOptions } from '../options.ts';

const SHOWN = 50;

/** What the completion scripts ask: `id<TAB>title` of the sessions whose id begins so, those of the last written projects first. */
export function define(command: Command): void {
  addRootOption(command)
    .argument('<what>')
    .argument('[prefix]')
    .action((_what: string, prefix: string | undefined, options: RootOptions) => {
      let left = SHOWN;
      for (const { id, title } of eachSession(openHistory(options))) {
        if (left === 0) return;
        if (!id.startsWith(prefix ?? '')) continue;
        print(`${printableLine(id)}\t${cutToWidth(printableLine(title ?? ''), 60)}\n`);
        left--;
      }
    });
}
