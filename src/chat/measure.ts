import type { CallResult } from '../model/index.ts';

const CHARS_PER_TOKEN = 4;

export const estimateTokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

const DEEPEST = 100;

/** About the length of a value as JSON, without making the text. */
export function lengthOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return value === undefined ? 0 : 4;
  if (depth > DEEPEST) return 0;
  let length = 2;
  if (Array.isArray(value)) for (const item of value) length += lengthOf(item, depth + 1) + 1;
  else for (const key in value) length += key.length + 4 + lengthOf((value as Record<string, unknown>)[key], depth + 1);
  return length;
}

/** The first characters; half of a pair is left out. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The beginning of a value as JSON; no more of it is written than is shown. */
export function previewJson(value: unknown, length: number): string {
  return cut(writeJson(value, length, 0), length);
}

function writeJson(value: unknown, length: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, length));
  if (value === null || typeof value !== 'object') return `${value}`;
  if (depth > DEEPEST) return '…';
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const key in value) {
    if (text.length > 1) text += ',';
    if (!isList) text += `${JSON.stringify(cut(key, length))}:`;
    text += writeJson((value as Record<string, unknown>)[key], length - text.length, depth + 1);
    if (text.length > length) return text;
  }
  return text + (isList ? ']' : '}');
}

/** What a call gave, as it came; of several results one list. */
export function outputOf({ block, more }: CallResult): unknown {
  return more.length > 0 ? [block, ...more].flatMap(({ output }) => partsOf(output)) : block.output;
}

const partsOf = (output: unknown): readonly unknown[] =>
  Array.isArray(output) ? output : [{ type: 'text', text: resultText(output) }];

/** The text of a result: texts as they are, other blocks by their name. */
export function resultText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (output === null || output === undefined) return '';
  if (!Array.isArray(output)) return previewJson(output, 10_000);
  return output
    .map((block: { text?: unknown; type?: unknown } | null) =>
      typeof block?.text === 'string' ? block.text : `[${typeof block?.type === 'string' ? block.type : 'block'}]`,
    )
    .join('\n');
}

/** Images are not text: an image counts what the API counts for one of usual size. */
const IMAGE_CHARS = 1_500 * CHARS_PER_TOKEN;

export function resultLength(output: unknown): number {
  if (!Array.isArray(output)) return typeof output === 'string' ? output.length : lengthOf(output);
  let length = 0;
  for (const block of output as readonly ({ type?: unknown; text?: unknown } | null)[])
    length +=
      block?.type === 'image' ? IMAGE_CHARS : typeof block?.text === 'string' ? block.text.length : lengthOf(block);
  return length;
}
