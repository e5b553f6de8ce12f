import { CATEGORIES, type Category, type ContextView, type ContextWindow, sumTokens } from '../context/index.ts';
import { largest } from '../model/index.ts';
import { readModelName } from '../usage/index.ts';
import { formatTime } from '../views/text/format-time.ts';
import { printableLine } from '../views/text/printable.ts';
import { bold, dim, formatNumber, formatTable, plural } from './table.ts';

const TITLES: Readonly<Record<Category, string>> = {
  claude_md: 'CLAUDE.md files',
  mentioned_files: 'Mentioned files',
  tool_outputs: 'Tool outputs',
  task_coordination: 'Task coordination',
  user_messages: 'User messages',
  thinking_and_text: 'Thinking and text',
  system: 'System and hooks',
};

const LABEL = 120;

/** The window as one bar per category, and below it what is in it, in order. */
export function drawContext(window: ContextWindow, view: ContextView, time: number | null): string {
  return `${[heading(window, view, time), bars(window), sums(window), list(window)].join('\n\n')}\n`;
}

function heading({ record, phase, model, size }: ContextWindow, view: ContextView, time: number | null): string {
  const phases = view.phases.at(-1)?.number ?? 1;
  const began = phase.begins === 'start' ? '' : `, after a ${phase.begins}${emptied(phase)}`;
  const facts = [
    `phase ${phase.number} of ${phases}${began}`,
    model === null ? 'model unknown' : printableLine(readModelName(model).label),
    ...(size === null ? [] : [`window of ${formatNumber(size)} tokens`]),
  ];
  const at = [shortId(record), formatTime(time)].filter(Boolean).join(', ');
  return `${bold(`The window after ${at}`)}\n${facts.join(' · ')}`;
}

/** ` (150,015 → 20,015 tokens)` */
function emptied({ before, after }: ContextWindow['phase']): string {
  if (before === null && after === null) return '';
  const [from, to] = [before, after].map((tokens) => (tokens === null ? '?' : formatNumber(tokens)));
  return ` (${from} → ${to} tokens)`;
}

/** Bars only where a person looks. */
function bars({ categories, tokens, response }: ContextWindow): string {
  const other = Math.max(0, response?.notAttributed ?? 0);
  const rows: [string, number][] = CATEGORIES.map((category) => [TITLES[category], categories[category]]);
  if (response && response.reported !== null) rows.push(['Not attributed', other]);
  const all = tokens + other || 1;
  const width = process.stdout.isTTY ? Math.max(0, Math.min(50, (process.stdout.columns ?? 80) - 38)) : 0;
  const most = largest(
    rows.map(([, count]) => count),
    1,
  );
  return formatTable(
    [
      { title: 'CATEGORY' },
      { title: 'TOKENS', align: 'right' },
      { title: 'SHARE', align: 'right' },
      ...(width > 0 ? [{ title: '' }] : []),
    ],
    rows.map(([title, count]) => [
      title,
      formatNumber(count),
      `${Math.round((count / all) * 100)} %`,
      ...(width > 0 ? ['█'.repeat(Math.ceil((count / most) * width))] : []),
    ]),
  );
}

function sums({ tokens, messages, response, size }: ContextWindow): string {
  const lines = [`${formatNumber(tokens)} tokens estimated in ${plural(messages.length, 'message')}.`];
  if (response && response.reported !== null && response.notAttributed !== null) {
    const share = size === null ? '' : `, ${Math.round((response.reported / size) * 100)} % of the window`;
    const attributed = formatNumber(sumTokens(response.total));
    lines.push(
      `${formatNumber(response.reported)} reported for response ${shortId(response.record)}${share}:`,
      `${attributed} attributed, ${formatNumber(response.notAttributed)} not.`,
    );
  }
  return lines.join('\n');
}

function list({ messages }: ContextWindow): string {
  const parts = messages.flatMap((message) => message.parts);
  if (parts.length === 0) return dim('Nothing is in the window.');
  return formatTable(
    [
      { title: 'TOKENS', align: 'right' },
      { title: 'CATEGORY', spare: 2 },
      { title: 'KIND', spare: 1 },
      { title: 'RECORD' },
      { title: 'WHAT', flexible: 24, most: LABEL },
    ],
    parts.map(({ tokens, category, type, record, label }) => [
      formatNumber(tokens),
      TITLES[category],
      type,
      shortId(record),
      printableLine(label),
    ]),
  );
}

/** What is enough to ask for it; an id made from a place is kept whole. */
function shortId(id: string): string {
  const own = printableLine(id.slice(id.lastIndexOf('/') + 1));
  return own.includes(':') ? own : own.slice(0, 8);
}
