import { addAll } from '../../model/index.ts';
import { type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { type Injected, splitInjected } from './text-tags.ts';

export interface MessageText {
  /** Text blocks joined, without injected parts. */
  readonly text: string;
  readonly injected: readonly Injected[];
  readonly results: readonly JsonObject[];
  /** Images, documents and blocks nobody knows: something was given, even without text. */
  readonly others: number;
  /** Neither text nor a list of blocks. */
  readonly odd: boolean;
}

const NO_RESULTS: readonly JsonObject[] = [];

/** `message.content` is a text or a list of blocks, in which plain texts may stand too. */
export function readMessageText(content: unknown): MessageText {
  if (typeof content === 'string') {
    const { text, injected } = splitInjected(content);
    return { text, injected, results: NO_RESULTS, others: 0, odd: false };
  }
  if (!Array.isArray(content))
    return { text: '', injected: [], results: NO_RESULTS, others: content == null ? 0 : 1, odd: true };
  return readBlocks(content);
}

/** By far the most user lines bring one result and nothing else. */
export function onlyResult(content: unknown): JsonObject | null {
  const block = Array.isArray(content) && content.length === 1 ? objectOf(content[0]) : null;
  return block?.type === 'tool_result' && textOf(block.tool_use_id) !== null ? block : null;
}

function readBlocks(content: readonly unknown[]): MessageText {
  const texts: string[] = [];
  const injected: Injected[] = [];
  const results: JsonObject[] = [];
  let others = 0;
  for (const item of content) {
    const block = objectOf(item);
    if (block?.type === 'tool_result') {
      results.push(block);
      continue;
    }
    const text =
      typeof item === 'string' ? item : block?.type === 'text' && typeof block.text === 'string' ? block.text : null;
    if (text === null) {
      others++;
      continue;
    }
    const split = splitInjected(text);
    addAll(injected, split.injected);
    if (split.text.trim() !== '') texts.push(split.text);
  }
  return { text: texts.join('\n'), injected, results, others, odd: false };
}
