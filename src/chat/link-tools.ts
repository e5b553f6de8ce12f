import type { CallResult } from '../model/index.ts';
import type { GroupPart } from './distinct-calls.ts';
import { cut, estimateTokens, outputOf, previewJson, resultText } from './measure.ts';
import type { RawCall } from './read-part.ts';
import { atTime } from './times.ts';
import type { LinkedToolItem, Writable } from './types.ts';

const INPUT_PREVIEW = 100;
const OUTPUT_PREVIEW = 200;

/** Every call of a group with its result, however late that came (C3, C5). Only calls of the last answer can be running. */
export function linkTools(parts: readonly GroupPart[], start: number, mayRun: boolean): Map<string, LinkedToolItem> {
  const linked = new Map<string, LinkedToolItem>();
  const last = mayRun ? parts.findLast(({ record }) => record.kind === 'assistant') : null;
  for (const part of parts) for (const call of part.calls) linked.set(call.id, linkTool(call, start, part === last));
  return linked;
}

function linkTool(raw: RawCall, start: number, isRunning: boolean): LinkedToolItem {
  const { id, call, input, result, record } = raw;
  const begin = raw.time ?? start;
  const tool: Writable<LinkedToolItem> = {
    id,
    name: call.name,
    input: isObject(input) ? input : input === undefined || input === null ? {} : { input },
    callTokens: raw.callTokens,
    inputPreview: previewInput(input),
    startTime: atTime(begin),
    isOrphaned: !result && !isRunning,
  };
  if (record.usage) tool.sourceModel = record.usage.model;
  if (result) addResult(tool, raw, result, begin);
  return tool;
}

function addResult(tool: Writable<LinkedToolItem>, raw: RawCall, result: CallResult, begin: number): void {
  const { detail } = result.block;
  const output = outputOf(result);
  const end = Math.max(begin, result.time ?? begin);
  tool.result = {
    content: typeof output === 'string' || Array.isArray(output) ? output : resultText(output),
    isError: raw.call.isError,
    ...(detail === undefined ? {} : { toolUseResult: detail }),
    tokenCount: raw.resultTokens,
  };
  tool.outputPreview = cut(resultText(output), OUTPUT_PREVIEW);
  tool.endTime = atTime(end);
  tool.durationMs = end - begin;
  if (result.body.length === 0) return;
  const skill = result.body.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n');
  tool.skillInstructions = skill;
  tool.skillInstructionsTokenCount = estimateTokens(skill.length);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What says most about a call, when it is there. */
const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description', 'skill', 'prompt'] as const;

function previewInput(input: unknown): string {
  if (!isObject(input))
    return typeof input === 'string' ? cut(input, INPUT_PREVIEW) : previewJson(input ?? {}, INPUT_PREVIEW);
  for (const key of TELLING) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return cut(value, INPUT_PREVIEW);
  }
  return previewJson(input, INPUT_PREVIEW);
}
