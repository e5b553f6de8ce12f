import { cut, estimateTokens, previewJson, resultText } from './measure.ts';
import type { Part, RawCall } from './read-part.ts';
import { atTime } from './times.ts';
import type { LinkedToolItem } from './types.ts';

const INPUT_PREVIEW = 100;
const OUTPUT_PREVIEW = 200;

/** Every call of a group with its result, however late that came (C3, C5). */
export function linkTools(parts: readonly Part[], start: number, isRunning: boolean): Map<string, LinkedToolItem> {
  const linked = new Map<string, LinkedToolItem>();
  for (const { calls } of parts) for (const call of calls) linked.set(call.call.id, linkTool(call, start, isRunning));
  return linked;
}

function linkTool(raw: RawCall, start: number, isRunning: boolean): LinkedToolItem {
  const { call, input, result, record } = raw;
  const begin = raw.time ?? start;
  const end = result ? (result.time ?? begin) : null;
  const skill = result?.body.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n') ?? '';
  return {
    id: call.id,
    name: call.name,
    input: isObject(input) ? input : input === undefined || input === null ? {} : { input },
    callTokens: raw.callTokens,
    ...(result ? { result: resultOf(raw, result.block) } : {}),
    inputPreview: previewInput(input),
    ...(result ? { outputPreview: cut(resultText(result.block.output), OUTPUT_PREVIEW) } : {}),
    startTime: atTime(begin),
    ...(end === null ? {} : { endTime: atTime(end), durationMs: Math.max(0, end - begin) }),
    isOrphaned: !result && !isRunning,
    ...(record.usage ? { sourceModel: record.usage.model } : {}),
    ...(skill === '' ? {} : { skillInstructions: skill, skillInstructionsTokenCount: estimateTokens(skill.length) }),
  };
}

function resultOf(raw: RawCall, block: { output: unknown; detail?: unknown }): NonNullable<LinkedToolItem['result']> {
  const { output, detail } = block;
  return {
    content: typeof output === 'string' || Array.isArray(output) ? output : resultText(output),
    isError: raw.call.isError,
    ...(detail === undefined ? {} : { toolUseResult: detail }),
    tokenCount: raw.resultTokens,
  };
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
