import type { Session } from '../../history/index.ts';
import { printableLine } from '../../views/text/printable.ts';
import { COMMAND, dim, plural } from '../table.ts';
import type { Selection } from './index.ts';

const SHOWN = 3;

/** For the person at the terminal: what else there is of this session, and how to see it. */
export function showHints({ session, thread, subagent }: Selection): void {
  if (!process.stdout.isTTY || !process.stderr.isTTY) return;
  const hints = [...threadHints(session, thread?.id ?? null), ...(subagent ? [] : subagentHints(session))];
  if (hints.length > 0) process.stderr.write(`\n${dim(`${'─'.repeat(40)}\n${hints.join('\n')}`)}\n`);
}

function threadHints({ id, threads }: Session, shown: string | null): string[] {
  const others = threads.filter((thread) => thread.id !== shown).length;
  return others > 0 ? [`${plural(others, 'other thread')}:  ${COMMAND} threads ${short(id)}`] : [];
}

function subagentHints({ id, facts }: Session): string[] {
  const visible = facts.subagents.filter(({ hidden }) => !hidden);
  if (visible.length === 0) return [];
  const first = visible
    .slice(0, SHOWN)
    .map((subagent) => `  ${COMMAND} show ${short(id)} --agent ${short(subagent.id)}`);
  const rest = visible.length > SHOWN ? [`  … and ${visible.length - SHOWN} more`] : [];
  return [`${plural(visible.length, 'sub-agent')}:`, ...first, ...rest];
}

const short = (id: string): string => printableLine(id).slice(0, 12);
