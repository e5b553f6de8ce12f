import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LineSplitter } from '../../src/formats/index.ts';

/** What a corpus looks like from outside, told by reading it. */
export interface Profile {
  readonly files: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly lines: number;
  readonly bytesPerLine: number;
  /** Bytes of prompts, answers, thinking, tool input and tool output, by all bytes. */
  readonly textShare: number;
  /** Different words in that text. */
  readonly vocabulary: number;
  /** Lines by type, and `user` and `assistant` by their first block. */
  readonly types: ReadonlyMap<string, number>;
}

export function profileFolder(folder: string): Profile {
  const sizes: number[] = [];
  const types = new Map<string, number>();
  const words = new Set<string>();
  let lines = 0;
  let text = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.jsonl')) continue;
    sizes.push(statSync(join(folder, path)).size);
    for (const line of linesOf(join(folder, path))) {
      lines++;
      const object = parse(line);
      const type = typeOf(object);
      types.set(type, (types.get(type) ?? 0) + 1);
      for (const said of textsOf(object)) {
        text += Buffer.byteLength(said);
        for (const [word] of said.matchAll(/[\p{L}\p{N}]+/gu)) words.add(word.toLowerCase());
      }
    }
  }
  sizes.sort((a, b) => a - b);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const at = (share: number): number => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
  return {
    files: sizes.length,
    bytes,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    lines,
    bytesPerLine: bytes / Math.max(1, lines),
    textShare: text / Math.max(1, bytes),
    vocabulary: words.size,
    types,
  };
}

function* linesOf(path: string): Generator<string> {
  const ready: string[] = [];
  const splitter = new LineSplitter(path, (bytes) => ready.push(Buffer.from(bytes).toString('utf8')));
  const handle = openSync(path, 'r');
  const piece = Buffer.alloc(1 << 20);
  for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece)) {
    splitter.push(piece.subarray(0, size));
    yield* ready.splice(0);
  }
  closeSync(handle);
  splitter.end();
  yield* ready;
}

// biome-ignore lint/suspicious/noExplicitAny: lines of a log may hold anything, and nothing here depends on it
type Any = any;

function parse(line: string): Any {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function typeOf(object: Any): string {
  if (typeof object?.type !== 'string') return '(not JSON)';
  const content = object.message?.content;
  if (object.type !== 'user' && object.type !== 'assistant') return object.type;
  return `${object.type}/${Array.isArray(content) ? content.map((block: Any) => block?.type).sort()[0] : 'text'}`;
}

function* textsOf(object: Any): Generator<string> {
  const content = object?.message?.content;
  if (typeof content === 'string') yield content;
  for (const block of Array.isArray(content) ? content : []) {
    if (block?.type === 'text' && typeof block.text === 'string') yield block.text;
    else if (block?.type === 'thinking' && typeof block.thinking === 'string') yield block.thinking;
    else if (block?.type === 'tool_use') yield* stringsIn(block.input);
    else if (block?.type === 'tool_result') yield* textsOf({ message: block });
  }
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* stringsIn(inner);
}
