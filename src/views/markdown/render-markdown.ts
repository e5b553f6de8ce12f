import { type Block, largest, type ResultBlock, resultBlocks } from '../../model/index.ts';
import { type Outline, type OutlineNode, type RowTool, resultText } from '../../outline/index.ts';
import { languageOf } from '../language.ts';

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
  if (type === 'session' || type === 'branch' || type === 'subagent') return `${capital(type)}: ${inline(text)}`;
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
  const input = fieldsOf(call?.input);
  const given = inputText(input, fieldsOf(result?.block.detail));
  const outputs = result ? resultBlocks(result).map((block) => outputText(block, input)) : [];
  return [given, ...outputs].filter(Boolean).join('\n\n');
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? value : {}) as Fields;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const pathOf = (input: Fields): string => textOf(input.file_path) || textOf(input.path);

/** A file that was read is code of its language; everything else as it came. */
function outputText(block: ResultBlock, input: Fields): string {
  const { content } = fieldsOf(fieldsOf(block.detail).file);
  if (typeof content === 'string') return fence(content, languageOf(pathOf(input)));
  const output = resultText(block.output);
  return output.trim() === '' ? '' : fence(output, '');
}

function inputText(input: Fields, detail: Fields): string {
  const patch = detail.structuredPatch;
  if (Array.isArray(patch) && patch.length > 0) return fence(patch.flatMap(patchText).join('\n'), 'diff');
  if (typeof input.command === 'string') return fence(input.command, 'bash');
  if (typeof input.plan === 'string') return input.plan;
  if (typeof input.prompt === 'string') return quote(input.prompt);
  if (typeof input.content === 'string' && pathOf(input) !== '') return fence(input.content, languageOf(pathOf(input)));
  const edits = (Array.isArray(input.edits) ? input.edits : [input]).map(fieldsOf).map(editText);
  if (edits.length > 0 && !edits.includes('')) return edits.join('\n\n');
  return Object.keys(input).length > 0 ? fence(JSON.stringify(input, null, 2), 'json') : '';
}

/** Claude Code's names, and Pi's. */
function editText(edit: Fields): string {
  const [before, after] = [edit.old_string ?? edit.oldText, edit.new_string ?? edit.newText];
  if (typeof before !== 'string' || typeof after !== 'string') return '';
  return fence([...signed(before, '-'), ...signed(after, '+')].join('\n'), 'diff');
}

const signed = (text: string, sign: string): string[] => text.split('\n').map((line) => sign + line);

function patchText(hunk: unknown): string[] {
  const { oldStart, oldLines, newStart, newLines, lines } = (hunk ?? {}) as Record<string, unknown>;
  const body = Array.isArray(lines) ? lines.filter((line): line is string => typeof line === 'string') : [];
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...body];
}

/** A fence longer than any run of backticks inside, so that nothing gets out of it. */
function fence(text: string, language: string): string {
  const longest = largest(
    [...text.matchAll(/`+/g)].map(([run]) => run.length),
    2,
  );
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text.replace(/\n$/, '')}\n${mark}`;
}

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
