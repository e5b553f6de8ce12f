import type { Block } from '../../model/index.ts';
import { type Outline, type OutlineNode, type RowTool, resultText } from '../../outline/index.ts';

/** The same content as the outline (O16): a heading per node, code in fences, edits as diffs. */
export function* renderMarkdown(outline: Outline): Generator<string> {
  yield* renderNode(outline.root, 1);
}

const DEEPEST = 6;

function* renderNode(node: OutlineNode, depth: number): Generator<string> {
  yield `${'#'.repeat(Math.min(depth, DEEPEST))} ${headingOf(node)}\n\n`;
  const body = bodyOf(node).trim();
  if (body !== '') yield `${body}\n\n`;
  for (const child of node.children) yield* renderNode(child, depth + 1);
}

function headingOf(node: OutlineNode): string {
  const time = node.time === null ? '' : ` · ${new Date(node.time).toISOString().slice(0, 16).replace('T', ' ')}`;
  const name = node.tool ? `Tool: ${node.tool.name}${shortInput(node.tool)}` : nameOf(node);
  return `${name}${node.isError ? ' (error)' : ''}${time}`;
}

const nameOf = ({ type, text, pair }: OutlineNode): string => {
  if (type === 'session' || type === 'branch') return `${capital(type)}: ${inline(text)}`;
  return capital(type === 'thinking' && pair ? 'assistant' : type.replace('_', ' '));
};

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const inline = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 120).toWellFormed();

function shortInput({ call }: RowTool): string {
  const input = (call?.input ?? {}) as Record<string, unknown>;
  const value = input.file_path ?? input.path ?? input.pattern ?? input.description ?? input.query ?? input.url;
  return typeof value === 'string' && value !== '' ? ` ${code(inline(value))}` : '';
}

function bodyOf(node: OutlineNode): string {
  if (node.type === 'session' || node.type === 'branch') return '';
  if (node.sameAs !== undefined) return '(same as the result of the call)';
  if (node.tool) return toolBody(node.tool);
  return [...node.blocks, ...(node.pair?.blocks ?? [])].map(blockText).filter(Boolean).join('\n\n');
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text.trim();
    case 'thinking':
      return quote(block.text.trim() || 'thinking (hidden)');
    case 'command':
      return code(`${block.name} ${block.args}`.trim());
    case 'output':
      return block.text.trim() === '' ? '' : fence(block.text, '');
    case 'image':
      return `(image ${block.media})`;
    case 'unknown':
      return fence(JSON.stringify(block.json, null, 2) ?? '', 'json');
    case 'teammate':
      return `**${block.from}:** ${block.text}`;
    case 'notification':
      return [block.summary, block.result ?? ''].filter(Boolean).join('\n\n');
    case 'system':
    case 'injected':
      return fence(block.text, '');
    default:
      return '';
  }
}

function toolBody({ call, result }: RowTool): string {
  const given = inputText(call?.input, result?.block.detail);
  const output = result ? resultText(result.block.output) : '';
  return [given, output.trim() === '' ? '' : fence(output, '')].filter(Boolean).join('\n\n');
}

function inputText(input: unknown, detail: unknown): string {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const patch = (detail as { structuredPatch?: unknown } | null | undefined)?.structuredPatch;
  if (Array.isArray(patch) && patch.length > 0) return fence(patch.flatMap(patchText).join('\n'), 'diff');
  if (typeof fields.command === 'string') return fence(fields.command, 'bash');
  if (typeof fields.plan === 'string') return fields.plan;
  if (typeof fields.prompt === 'string') return quote(fields.prompt);
  if (typeof fields.content === 'string' && typeof (fields.file_path ?? fields.path) === 'string')
    return fence(fields.content, '');
  if (typeof fields.old_string === 'string' && typeof fields.new_string === 'string')
    return fence([...signed(fields.old_string, '-'), ...signed(fields.new_string, '+')].join('\n'), 'diff');
  return Object.keys(fields).length > 0 ? fence(JSON.stringify(input, null, 2), 'json') : '';
}

const signed = (text: string, sign: string): string[] => text.split('\n').map((line) => sign + line);

function patchText(hunk: unknown): string[] {
  const { oldStart, oldLines, newStart, newLines, lines } = (hunk ?? {}) as Record<string, unknown>;
  const body = Array.isArray(lines) ? lines.filter((line): line is string => typeof line === 'string') : [];
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...body];
}

/** A fence longer than any run of backticks inside, so that nothing gets out of it. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text.replace(/\n$/, '')}\n${mark}`;
}

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
