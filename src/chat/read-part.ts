import {
  type Block,
  type CallResult,
  type ContentOf,
  type LogRecord,
  ownBlocks,
  type RecordContent,
  type ToolCall,
} from '../model/index.ts';
import { type Category, classify } from './classify.ts';
import { commandOutput } from './command-output.ts';
import { estimateTokens, lengthOf, outputOf, resultLength } from './measure.ts';
import type { SemanticStepType, StepContent, Writable } from './types.ts';

/**
 * What one record adds to the chat. It depends on this record only, so it is made once until the record changes; and what the record says
 * is read when somebody looks at it: which items there are is told by the tree alone.
 */
export class Part {
  readonly record: LogRecord;
  readonly category: Category;
  readonly #contentOf: ContentOf;
  #content: RecordContent | null = null;
  #read: Read | null = null;
  #output: string | null = null;

  constructor(record: LogRecord, contentOf: ContentOf) {
    this.record = record;
    this.category = classify(record);
    this.#contentOf = contentOf;
  }

  /** For what is not made of steps: prompts, summaries, messages of teammates. */
  get content(): RecordContent {
    this.#content ??= this.#contentOf(this.record);
    return this.#content;
  }

  /** Output of a command, if it says something. */
  get output(): string {
    this.#output ??= this.category === 'command' || this.category === 'system' ? commandOutput(this.content) : '';
    return this.#output;
  }

  get steps(): readonly RawStep[] {
    return this.#steps.steps;
  }

  get calls(): readonly RawCall[] {
    return this.#steps.calls;
  }

  get #steps(): Read {
    this.#read ??= this.category === 'ai' ? readSteps(this.record, this.content) : NOTHING;
    return this.#read;
  }
}

interface Read {
  readonly steps: readonly RawStep[];
  readonly calls: readonly RawCall[];
}

/** A step before it is known what follows it. */
export interface RawStep {
  readonly id: string;
  readonly type: SemanticStepType;
  readonly time: number | null;
  readonly content: StepContent;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly record: LogRecord;
  /** Of a call: its result came then. */
  readonly end: number | null;
}

export interface RawCall {
  /** In its group. */
  readonly id: string;
  readonly call: ToolCall;
  readonly input: unknown;
  readonly time: number | null;
  readonly result: CallResult | null;
  readonly callTokens: number;
  readonly resultTokens: number;
  readonly record: LogRecord;
}

const NO_CALLS: readonly RawCall[] = [];
const NOTHING: Read = { steps: [], calls: NO_CALLS };

function readSteps(record: LogRecord, content: RecordContent): Read {
  const steps: RawStep[] = [];
  const calls: RawCall[] = [];
  const timeOf = timesOf(record);
  const takeCall = callTaker(record.calls);
  ownBlocks(record, content).forEach((block, i) => {
    const time = timeOf(block);
    if (block.type === 'call') {
      const call = takeCall(block.id);
      if (call) calls.push(readCall(record, call, block.input, time, content.results.get(block.id) ?? null));
    } else {
      const step = readStep(record, block, i, time);
      if (step) steps.push(step);
    }
  });
  for (const call of calls) addCallSteps(call, steps);
  return { steps, calls: calls.length > 0 ? calls : NO_CALLS };
}

/** Each block keeps the time of the line it stands in. */
function timesOf({ lines, time }: LogRecord): (block: Block) => number | null {
  if (lines.length === 1) return () => time;
  const times = new Map(lines.map((line) => [`${line.ref.line} ${line.ref.file}`, line.time]));
  return ({ at }) => times.get(`${at.line} ${at.file}`) ?? time;
}

/** Gives each call once: a block that repeats an id says nothing new. Of calls that share one, the one with the results. */
function callTaker(calls: readonly ToolCall[]): (id: string) => ToolCall | null {
  if (calls.length === 1) {
    let only: ToolCall | null = calls[0] as ToolCall;
    return (id) => {
      const call = only?.id === id ? only : null;
      if (call) only = null;
      return call;
    };
  }
  const byId = new Map<string, ToolCall>();
  for (const call of calls) if (!byId.get(call.id)?.result) byId.set(call.id, call);
  return (id) => {
    const call = byId.get(id) ?? null;
    byId.delete(id);
    return call;
  };
}

function readStep(record: LogRecord, block: Block, i: number, time: number | null): RawStep | null {
  const step = (type: SemanticStepType, content: StepContent, tokens: RawStep['tokens']): RawStep => ({
    id: `${record.id}:${i}`,
    type,
    time,
    content,
    tokens,
    record,
    end: null,
  });
  switch (block.type) {
    case 'thinking': {
      // Newer models keep their thoughts to themselves: there is nothing to show but that they thought.
      return step('thinking', { text: block.text }, { input: 0, output: estimateTokens(block.text.length) });
    }
    case 'text': {
      if (block.text.trim() === '') return null;
      if (record.origin === 'interruption') return step('interruption', { text: block.text }, null);
      if (record.kind !== 'assistant') return null;
      const tokens = { input: 0, output: estimateTokens(block.text.length) };
      return step('output', { text: block.text, ...(block.error ? { isError: true } : {}) }, tokens);
    }
    case 'result':
      return step(
        'tool_result',
        {
          toolCallId: block.of,
          toolResult: block.output,
          ...(block.detail === undefined ? {} : { toolUseResult: block.detail }),
          isError: block.isError,
        },
        { input: estimateTokens(resultLength(block.output)), output: 0 },
      );
    case 'image':
      return step('output', { text: `[image ${block.media}]` }, null);
    case 'unknown':
      return record.kind === 'assistant' ? step('output', { text: `[${block.name}]` }, null) : null;
    default:
      return null;
  }
}

function readCall(
  record: LogRecord,
  call: ToolCall,
  input: unknown,
  time: number | null,
  result: CallResult | null,
): RawCall {
  return {
    id: call.id,
    call,
    input,
    time,
    result,
    callTokens: estimateTokens(call.name.length + lengthOf(input)),
    resultTokens: result ? estimateTokens(resultLength(outputOf(result))) : 0,
    record,
  };
}

function addCallSteps(
  { call, input, time, result, callTokens, resultTokens, record }: RawCall,
  steps: RawStep[],
): void {
  steps.push({
    id: call.id,
    type: 'tool_call',
    time,
    content: { toolCallId: call.id, toolName: call.name, toolInput: input },
    tokens: { input: 0, output: callTokens },
    record,
    end: result ? (result.time ?? time) : null,
  });
  if (!result) return;
  const { detail, rejected } = result.block;
  const content: Writable<StepContent> = {
    toolCallId: call.id,
    toolName: call.name,
    toolResult: outputOf(result),
    isError: call.isError,
  };
  if (detail !== undefined) content.toolUseResult = detail;
  if (rejected) content.isRejected = true;
  steps.push({
    id: `${call.id}:result`,
    type: 'tool_result',
    time: result.time ?? time,
    content,
    tokens: { input: resultTokens, output: 0 },
    record,
    end: null,
  });
}
