import type { Block, CallId } from '../model/index.ts';
import type { Category } from './categories.ts';
import type { ContextPart } from './context-view.ts';
import { textTokens, valueTokens } from './estimate-tokens.ts';
import { excerpt } from './label-part.ts';

/** A part that does not know yet which message it is in. */
export type FoundPart = Pick<ContextPart, 'type' | 'category' | 'label' | 'tokens'> & { readonly call?: CallId };

/**
 * What an annotation put into the window; most put nothing there. Its kind says whose line it was: lines of the user's side
 * (`injected/system-reminder`, `caveat`, the echo of a command) are messages like others, of attachments the model sees some.
 */
export function annotationParts(kind: string, blocks: readonly Block[]): FoundPart[] {
  if (kind.startsWith('attachment/')) return blocks.flatMap((block) => attachmentPart(block) ?? []);
  const category = categoryOfAnnotation(kind);
  if (category === null) return [];
  return blocks.flatMap((block): FoundPart[] => {
    if (block.type === 'injected') return category === 'mentioned_files' ? [file(block)] : injectedParts(block);
    const text =
      block.type === 'text' || block.type === 'output' || block.type === 'notification' || block.type === 'teammate'
        ? block.text
        : null;
    if (text !== null) return [{ type: 'injected', category, label: excerpt(text) || kind, tokens: textTokens(text) }];
    if (block.type === 'command')
      return [{ type: 'command', category, label: excerpt(block.name), tokens: textTokens(block.name + block.args) }];
    return [];
  });
}

const ECHOES: ReadonlySet<string> = new Set(['built_in_command', 'command_output', 'bash_output']);
const INJECTED: ReadonlySet<string> = new Set(['meta', 'caveat', 'system', 'developer']);

function categoryOfAnnotation(kind: string): Category | null {
  if (ECHOES.has(kind)) return 'user_messages';
  if (kind === 'fileMention') return 'mentioned_files';
  return INJECTED.has(kind) || kind.startsWith('injected/') || kind.startsWith('message/') ? 'system' : null;
}

const file = ({ name, text }: Block & { readonly type: 'injected' }): FoundPart => ({
  type: 'file',
  category: 'mentioned_files',
  label: excerpt(name),
  tokens: textTokens(text),
});

const MEMORY = /Contents of ([^\n]{0,400}?(?:CLAUDE(?:\.local)?\.md|MEMORY\.md|\.claude\/rules\/[^\n]{0,200}?\.md))/g;

/** A reminder, or what an editor or a hook said; one that holds CLAUDE.md files is split into them. */
export function injectedParts({ name, text }: Block & { readonly type: 'injected' }): FoundPart[] {
  const files = [...text.matchAll(MEMORY)];
  if (files.length === 0)
    return [{ type: 'injected', category: 'system', label: excerpt(name), tokens: textTokens(text) }];
  return files.map((match, i): FoundPart => {
    const start = i === 0 ? 0 : match.index;
    const end = files[i + 1]?.index ?? text.length;
    return {
      type: 'file',
      category: 'claude_md',
      label: excerpt(match[1] ?? ''),
      tokens: Math.ceil((end - start) / 4),
    };
  });
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
function attachmentPart(block: Block): FoundPart | null {
  const json = block.type === 'unknown' ? objectOf(block.json) : null;
  if (!json || UNSEEN.has(json.type)) return null;
  if (json.type === 'hook_success' && !HEARD.test(String(json.hookName ?? json.hookEvent))) return null;
  const isMemory = json.type === 'nested_memory';
  const isFile = isMemory || FILES.has(json.type);
  const tokens = shownOf(json).reduce((sum: number, value) => sum + (value == null ? 0 : valueTokens(value)), 0);
  return {
    type: isFile ? 'file' : 'injected',
    category: isMemory ? 'claude_md' : isFile ? 'mentioned_files' : 'system',
    label: excerpt(nameOf(json)),
    tokens,
  };
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
  for (const name of [json.filename, json.path, json.displayPath, json.hookName])
    if (typeof name === 'string' && name !== '') return name;
  return String(json.type ?? 'attachment');
}

type JsonObject = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
