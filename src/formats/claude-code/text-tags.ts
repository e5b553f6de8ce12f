import type { TaskUsage } from '../../model/index.ts';
import { type JsonObject, objectOf, textOf } from '../lines/index.ts';

/** What the agent writes into prompts as tags. They count only at the beginning of a text: prose may quote them. */

const INJECTED =
  /^\s*<(system-reminder|ide_[a-z_]+|post-tool-use-hook|user-prompt-submit-hook|session-start-hook|new-diagnostics|local-command-caveat)>/;
const TRAILING = '</system-reminder>';

export interface Injected {
  readonly name: string;
  readonly text: string;
}

export interface SplitText {
  /** What is left when injected text is taken away. */
  readonly text: string;
  readonly injected: readonly Injected[];
}

const NOTHING: readonly Injected[] = [];

/** `<ide_opened_file>…</ide_opened_file>\nFix the test` → `Fix the test` and what stood before it. */
export function splitInjected(text: string): SplitText {
  if (!mayHoldTags(text)) return { text, injected: NOTHING };
  const injected: Injected[] = [];
  let rest = text;
  for (;;) {
    const name = INJECTED.exec(rest)?.[1];
    if (name === undefined) break;
    const close = `</${name}>`;
    const end = rest.indexOf(close);
    if (end < 0) break;
    injected.push({ name, text: rest.slice(0, end + close.length).trim() });
    rest = rest.slice(end + close.length);
  }
  for (;;) {
    const trimmed = rest.trimEnd();
    if (!trimmed.endsWith(TRAILING)) break;
    const start = trimmed.lastIndexOf('<system-reminder>');
    if (start < 0) break;
    injected.push({ name: 'system-reminder', text: trimmed.slice(start) });
    rest = trimmed.slice(0, start);
  }
  if (/^\s*Stop hook feedback:/.test(rest)) {
    injected.push({ name: 'hook_feedback', text: rest.trim() });
    rest = '';
  }
  return injected.length > 0 ? { text: rest.trim(), injected } : { text, injected: NOTHING };
}

const FIRST = /\S/;

function mayHoldTags(text: string): boolean {
  if (text === '') return false;
  const first = text.charCodeAt(0);
  if (first !== 60 && first > 32 && first !== 0xfeff && first !== 83)
    return text.endsWith(TRAILING) || text.trimEnd().endsWith(TRAILING);
  return FIRST.test(text);
}

/** Text between a tag and its end; with `greedy` to the last end, because arguments may quote it. */
export function tagText(text: string, tag: string, greedy = false): string | null {
  const open = `<${tag}>`;
  const start = text.indexOf(open);
  if (start < 0) return null;
  const close = `</${tag}>`;
  const end = greedy ? text.lastIndexOf(close) : text.indexOf(close, start + open.length);
  return end < start ? text.slice(start + open.length) : text.slice(start + open.length, end);
}

export type TextSort =
  | 'command'
  | 'command_output'
  | 'bash'
  | 'bash_output'
  | 'memory'
  | 'notification'
  | 'teammate'
  | 'interruption'
  | 'compaction'
  | 'caveat'
  | 'plain';

const SORTS: readonly (readonly [TextSort, string])[] = [
  ['command', '<command-name>'],
  ['command', '<command-message>'],
  ['command', '<command-args>'],
  ['command', '<command-contents>'],
  ['command_output', '<local-command-stdout>'],
  ['command_output', '<local-command-stderr>'],
  ['command_output', '<local-command-result>'],
  ['caveat', '<local-command-caveat>'],
  ['caveat', 'Caveat: The messages below were generated'],
  ['bash', '<bash-input>'],
  ['bash_output', '<bash-stdout>'],
  ['bash_output', '<bash-stderr>'],
  ['memory', '<user-memory-input>'],
  ['notification', '<task-notification>'],
  ['teammate', '<teammate-message '],
  ['teammate', '<teammate-message>'],
  ['interruption', '[Request interrupted by user'],
  ['compaction', 'This session is being continued from a previous conversation'],
];

export function sortOf(text: string): TextSort {
  const start = text.trimStart();
  if (start === '') return 'plain';
  const first = start.charCodeAt(0);
  if (first !== 60 && first !== 91 && first !== 67 && first !== 84) return 'plain';
  for (const [sort, prefix] of SORTS) if (start.startsWith(prefix)) return sort;
  return 'plain';
}

export interface Command {
  /** With its slash: old versions wrote none. */
  readonly name: string;
  readonly args: string;
  readonly contents: string | null;
}

export function readCommand(whole: string): Command {
  // Arguments may quote any tag, so they are taken out first.
  const args = tagText(whole, 'command-args', true);
  const text = args === null ? whole : whole.replace(`<command-args>${args}`, '<command-args>');
  const name = (tagText(text, 'command-name') ?? tagText(text, 'command-message') ?? '').trim();
  const contents = tagText(text, 'command-contents', true);
  return {
    name: name.startsWith('/') || name === '' ? name : `/${name}`,
    args: (args ?? '').trim(),
    contents,
  };
}

/** Commands that say nothing about the work (H6). */
const SKIPPED: ReadonlySet<string> = new Set(['/clear', '/resume', '/context', '/release-notes', '/usage']);
export const isSkippedCommand = (name: string): boolean => SKIPPED.has(name);

export interface Notification {
  readonly task: string | null;
  readonly call: string | null;
  readonly status: string;
  readonly summary: string;
  readonly result: string | null;
  /** What the task used, as the agent counts it. */
  readonly usage?: TaskUsage;
  /** Where the agent put what the task said. */
  readonly transcript?: string;
}

/** The result is cut out first: its text may hold the same tags. */
export function readNotification(text: string): Notification {
  const start = text.indexOf('<result>');
  const end = text.lastIndexOf('</result>');
  const header = start >= 0 ? text.slice(0, start) + (end > start ? text.slice(end) : '') : text;
  const tag = (name: string): string => tagText(header, name)?.trim() ?? '';
  return {
    task: tag('task-id') || null,
    call: tag('tool-use-id') || null,
    status: tag('status'),
    summary: tag('summary'),
    result: start < 0 ? null : text.slice(start + '<result>'.length, end > start ? end : undefined).trim(),
    ...readTaskUsage(tag('usage')),
    ...withPlace(tag('output-file') || /^Full transcript available at: (.+)$/m.exec(header)?.[1]?.trim() || null),
  };
}

const withPlace = (transcript: string | null): Pick<Notification, 'transcript'> =>
  transcript === null ? {} : { transcript };

/** `total_tokens: 23099\ntool_uses: 2\nduration_ms: 15506`, newer `<subagent_tokens>`, `<tool_uses>` … */
function readTaskUsage(text: string): Pick<Notification, 'usage'> {
  const count = (name: string): number | null => {
    const found = new RegExp(`${name}(?::|>)\\s*(\\d+)`).exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  const tokens = count('total_tokens') ?? count('subagent_tokens');
  const [toolUses, durationMs] = [count('tool_uses'), count('duration_ms')];
  const isSaid = tokens !== null || toolUses !== null || durationMs !== null;
  return isSaid ? { usage: { tokens, toolUses, durationMs } } : {};
}

/** `{"task_id":"a2271d1","tool_use_id":"toolu_A","status":"completed","summary":"…"}`: the same, as some versions put it into the queue. */
export function readTask(text: string): Notification | null {
  if (!text.trimStart().startsWith('{') || !text.includes('"task_id"')) return null;
  let said: JsonObject | null = null;
  try {
    said = objectOf(JSON.parse(text));
  } catch {
    return null;
  }
  const task = textOf(said?.task_id);
  if (!said || task === null) return null;
  return {
    task,
    call: textOf(said.tool_use_id),
    status: textOf(said.status) ?? '',
    summary: textOf(said.summary) ?? textOf(said.description) ?? '',
    result: textOf(said.result),
    ...withPlace(textOf(said.output_file)),
  };
}

const TEAMMATE = /<teammate-message((?:\s+[\w-]+="[^"]*")*)\s*>([\s\S]*?)(?:<\/teammate-message>|$)/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

export interface TeammateText {
  readonly from: string;
  readonly summary: string;
  readonly body: string;
}

export function readTeammates(text: string): TeammateText[] {
  const found: TeammateText[] = [];
  for (const match of text.matchAll(TEAMMATE)) {
    const attributes = new Map<string, string>();
    for (const [, key, value] of (match[1] ?? '').matchAll(ATTRIBUTE)) attributes.set(key ?? '', value ?? '');
    found.push({
      from: attributes.get('teammate_id') ?? '',
      summary: attributes.get('summary') ?? '',
      body: (match[2] ?? '').trim(),
    });
  }
  return found;
}
