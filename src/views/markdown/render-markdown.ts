import { type Block, largest, type ResultBlock, resultBlocks, writeJson } from '../../model/index.ts';
import { type Outline, type OutlineNode, type RowTool, resultText } from '../../outline/index.ts';
import { languageOf } from '../language.ts';
import { printable, printableLine } from '../printable.ts';
import { sayCompaction } from '../say-compaction.ts';
import { safeLine, safeText } from './safe-text.ts';

/** The same content as the outline (O16): a heading per node, code in fences, edits as diffs. `facts` are told below the title. */
export function* renderMarkdown({ root }: Outline, facts: readonly string[] = []): Generator<string> {
  yield `# ${headingOf(root)}\n\n`;
  if (facts.length > 0) yield `${facts.map((fact) => safeLine(printableLine(fact))).join(' · ')}\n\n`;
  for (const child of root.children) yield* renderNode(child, 2);
}

const DEEPEST = 6;

function* renderNode(node: OutlineNode, depth: number): Generator<string> {
  const level = Math.min(depth, DEEPEST);
  yield `${'#'.repeat(level)} ${headingOf(node)}\n\n`;
  const body = bodyOf(node, level).trim();
  if (body !== '') yield `${body}\n\n`;
  for (const child of node.children) yield* renderNode(child, depth + 1);
}

function headingOf(node: OutlineNode): string {
  const time = node.time === null ? '' : ` · ${new Date(node.time).toISOString().slice(0, 16).replace('T', ' ')}`;
  const name = node.tool ? `Tool: ${inline(node.tool.name)}${shortInput(node.tool)}` : nameOf(node);
  return `${name}${node.isError ? ' (error)' : ''}${time}`;
}

const nameOf = ({ type, text, pair }: OutlineNode): string => {
  if (type === 'session' || type === 'branch' || type === 'subagent') return `${capital(type)}: ${inline(text)}`;
  return capital(type === 'thinking' && pair ? 'assistant' : type.replace('_', ' '));
};

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const short = (text: string): string => printableLine(text).slice(0, 120).toWellFormed();
const inline = (text: string): string => safeLine(short(text));

function shortInput({ call }: RowTool): string {
  const input = (call?.input ?? {}) as Record<string, unknown>;
  const value = input.file_path ?? input.path ?? input.pattern ?? input.description ?? input.query ?? input.url;
  return typeof value === 'string' && value !== '' ? ` ${code(short(value))}` : '';
}

/** `level`: of the heading above it. */
function bodyOf(node: OutlineNode, level: number): string {
  if (node.type === 'branch') return '';
  if (node.sameAs !== undefined) return '(same as the result of the call)';
  if (node.tool) return toolBody(node.tool, level);
  const blocks = [...node.blocks, ...(node.pair?.blocks ?? [])];
  return join(blocks.map((block) => blockText(block, level)));
}

const join = (texts: readonly string[]): string => texts.filter(Boolean).join('\n\n');

function blockText(block: Block, level: number): string {
  const said = (text: string): string => safeText(text.trim(), level);
  switch (block.type) {
    case 'text':
      return said(block.text);
    case 'thinking':
      return quote(said(block.text) || 'thinking (hidden)');
    case 'command': {
      const command = printable(`${block.name} ${block.args}`.trim());
      return command.includes('\n') ? fence(command, '') : code(command);
    }
    case 'output':
      return block.text.trim() === '' ? '' : fence(block.text, '');
    case 'image':
      return `(image ${inline(block.media)})`;
    case 'unknown':
      return fence(writeJson(block.json, 2), 'json');
    case 'teammate':
      return join([`**${inline(block.from)}:** ${inline(block.summary)}`, said(block.text)]);
    case 'notification':
      return join([said(block.summary), said(block.result ?? '')]);
    case 'compaction':
      return sayCompaction(block) && `(${inline(sayCompaction(block))})`;
    case 'result':
      return `Result of ${code(short(block.of))}\n\n${fence(resultText(block.output), '')}`;
    case 'system':
    case 'injected':
      return fence(block.text, '');
    default:
      return '';
  }
}

function toolBody({ call, result }: RowTool, level: number): string {
  const input = fieldsOf(call?.input);
  const given = inputText(input, fieldsOf(result?.block.detail), level);
  const outputs = result ? resultBlocks(result).map((block) => outputText(block, input)) : [];
  const body = (result?.body ?? []).map((block) => blockText(block, level));
  return join([given, ...outputs, ...body]);
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

function inputText(input: Fields, detail: Fields, level: number): string {
  const patch = detail.structuredPatch;
  if (Array.isArray(patch) && patch.length > 0) return fence(patch.flatMap(patchText).join('\n'), 'diff');
  if (typeof input.command === 'string') return fence(input.command, 'bash');
  const plan = textOf(input.plan) || textOf(detail.plan);
  if (plan !== '') return safeText(plan, level);
  if (typeof input.prompt === 'string') return quote(safeText(input.prompt, level));
  if (typeof input.content === 'string' && pathOf(input) !== '') return fence(input.content, languageOf(pathOf(input)));
  const edits = (Array.isArray(input.edits) ? input.edits : [input]).map(fieldsOf).map(editText);
  if (edits.length > 0 && !edits.includes('')) return edits.join('\n\n');
  return Object.keys(input).length > 0 ? fence(writeJson(input, 2), 'json') : '';
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
  const mark = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${mark}${language}\n${printable(text).replace(/\n$/, '')}\n${mark}`;
}

function code(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1);
  return mark.length > 1 ? `${mark} ${text} ${mark}` : `\`${text}\``;
}

const longestRun = (text: string): number =>
  largest(
    [...text.matchAll(/`+/g)].map(([run]) => run.length),
    0,
  );

const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
