import type { Session } from '../../history/index.ts';
import { printableLine } from '../../views/text/printable.ts';
import { commandLine } from '../command-line.ts';
import type { RootOptions } from '../options.ts';
import type { Output } from '../output.ts';
import { dim, plural } from '../table.ts';
import type { Selection } from './index.ts';

const SHOWN = 3;

/** For the person at the terminal: what else there is of this session, and how to see it. */
export function showHints({ session, thread, subagent }: Selection, output: Output, options: RootOptions): void {
  if (output.columns === null) return;
  const hints = [
    ...threadHints(session, thread?.id ?? null, options),
    ...(subagent ? [] : subagentHints(session, options)),
  ];
  if (hints.length > 0) output.write(`\n${dim(`${'─'.repeat(40)}\n${hints.join('\n')}`)}\n`);
}

function threadHints({ id, threads }: Session, shown: string | null, options: RootOptions): string[] {
  const others = threads.filter((thread) => thread.id !== shown).length;
  return others > 0 ? [`${plural(others, 'other thread')}:  ${commandLine(['threads', short(id)], options)}`] : [];
}

function subagentHints({ id, facts }: Session, options: RootOptions): string[] {
  const visible = facts.subagents.filter(({ hidden }) => !hidden);
  if (visible.length === 0) return [];
  const first = visible
    .slice(0, SHOWN)
    .map((subagent) => `  ${commandLine(['show', short(id), '--agent', short(subagent.id)], options)}`);
  const rest = visible.length > SHOWN ? [`  … and ${visible.length - SHOWN} more`] : [];
  return [`${plural(visible.length, 'sub-agent')}:`, ...first, ...rest];
}

const short = (id: string): string => printableLine(id).slice(0, 12);
