import type { Block } from '../model/index.ts';
import type { Category } from './categories.ts';
import { textTokens, valueTokens } from './estimate-tokens.ts';
import { excerpt } from './label-part.ts';
import type { PartList } from './part-list.ts';

/**
 * What an annotation put into the window; most put nothing there. Its kind says whose line it was: lines of the user's side
 * (`injected/system-reminder`, `caveat`, the echo of a command) are messages like others, of attachments the model sees some.
 */
export function addAnnotation(list: PartList, kind: string, blocks: readonly Block[]): void {
  if (kind.startsWith('attachment/')) {
    for (const block of blocks) addAttachment(list, block);
    return;
  }
  const category = categoryOfAnnotation(kind);
  if (category === null) return;
  for (const block of blocks) {
    if (block.type === 'injected' && category === 'mentioned_files')
      list.add('file', category, excerpt(block.name), textTokens(block.text));
    else if (block.type === 'injected') addInjected(list, block);
    else if (block.type === 'command')
      list.add('command', category, excerpt(block.name), textTokens(block.name + block.args));
    else if ('text' in block) list.add('injected', category, excerpt(block.text) || kind, textTokens(block.text));
  }
}

const ECHOES: ReadonlySet<string> = new Set(['built_in_command', 'command_output', 'bash_output']);
const INJECTED: ReadonlySet<string> = new Set(['meta', 'caveat', 'system', 'developer']);

function categoryOfAnnotation(kind: string): Category | null {
  if (ECHOES.has(kind)) return 'user_messages';
  if (kind === 'fileMention') return 'mentioned_files';
  return INJECTED.has(kind) || kind.startsWith('injected/') || kind.startsWith('message/') ? 'system' : null;
}

const MEMORY = /Contents of ([^\n]{0,400}?(?:CLAUDE(?:\.local)?\.md|MEMORY\.md|\.claude\/rules\/[^\n]{0,200}?\.md))/g;

/** A reminder, or what an editor or a hook said; one that holds CLAUDE.md files is split into them. */
export function addInjected(list: PartList, { name, text }: Block & { readonly type: 'injected' }): void {
  const files = [...text.matchAll(MEMORY)];
  if (files.length === 0) list.add('injected', 'system', excerpt(name), textTokens(text));
  for (const [i, match] of files.entries()) {
    const start = i === 0 ? 0 : match.index;
    const end = files[i + 1]?.index ?? text.length;
    list.add('file', 'claude_md', excerpt(match[1] ?? ''), Math.ceil((end - start) / 4));
  }
}

const FILES: ReadonlySet<unknown> = new Set(['file', 'directory', 'compact_file_reference', 'pdf_reference']);

/** Attachments that say something to the human or to the program, not to the model. */
const UNSEEN: ReadonlySet<unknown> = new Set([
  'already_read_file',
  'async_hook_response',
  'command_permissions',
  'dynamic_skill',
  'hook_cancelled',
  'hook_non_blocking_error',
  'hook_system_message',
  'prompt_snapshot',
  'structured_output',
]);

/** Of what a hook prints when all is well, the model sees that before a prompt. */
const HEARD = /^(?:SessionStart|UserPromptSubmit|SubagentStart)\b/;

/**
 *     {"type":"nested_memory","path":"/r/src/CLAUDE.md","content":{"path":"…","type":"Project","content":"…"}}
 *     {"type":"file","filename":"/r/a.ts","content":{"type":"text","file":{"filePath":"/r/a.ts","content":"…","numLines":9}}}
 *     {"type":"hook_additional_context","hookName":"UserPromptSubmit","content":["…"]}
 */
function addAttachment(list: PartList, block: Block): void {
  const json = block.type === 'unknown' ? objectOf(block.json) : null;
  if (!json || UNSEEN.has(json.type)) return;
  if (json.type === 'hook_success' && !HEARD.test(nameOf(json))) return;
  const tokens = shownOf(json).reduce((sum: number, value) => sum + (value == null ? 0 : valueTokens(value)), 0);
  if (tokens === 0) return;
  const label = excerpt(nameOf(json));
  if (json.type === 'nested_memory') list.add('file', 'claude_md', label, tokens);
  else if (FILES.has(json.type)) list.add('file', 'mentioned_files', label, tokens);
  else list.add('injected', 'system', label, tokens);
}

/** What of an attachment is text for the model; the sentences around it are not in the log. */
function shownOf(json: JsonObject): readonly unknown[] {
  const content = objectOf(json.content);
  const held = objectOf(content?.file);
  return [
    held ? (held.content ?? held.base64) : (content?.content ?? json.content),
    json.snippet,
    json.addedLines ?? json.addedNames,
    json.addedBlocks,
    objectOf(json.blockingError)?.blockingError,
  ];
}

function nameOf(json: JsonObject): string {
  for (const name of [json.filename, json.path, json.displayPath, json.hookName, json.hookEvent, json.type])
    if (typeof name === 'string' && name !== '') return name;
  return 'attachment';
}

type JsonObject = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
