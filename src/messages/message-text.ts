import {
  addAll,
  type Block,
  type CallBlock,
  type CallId,
  type CodedResult,
  isUnreadable,
  type RecordContent,
  resultBlocks,
  sortsSaid,
  stripEscapes,
} from '../model/index.ts';
import type { Message } from './message.ts';

/**
 * The text of a message that is searched: what was typed or answered, with thinking and the output of commands; of a call every text
 * and number of its input; of a result its output. No names of fields, no images, nothing a terminal would only colour by.
 */
export function searchText(message: Named, content: RecordContent): string {
  return stripEscapes(rawText(message, content));
}

type Named = Pick<Message, 'type' | 'uuid' | 'toolUseId'>;

function rawText(message: Named, content: RecordContent): string {
  switch (message.type) {
    case 'tool_use':
      return joinTexts(valuesIn(callOf(message, content)?.input));
    case 'tool_result':
      return joinTexts(
        resultsOf(message, content).flatMap((block) => (isUnreadable(block) ? [] : outputTexts(block.output))),
      );
    default:
      return joinTexts([...content.own, ...content.replies].flatMap(saidBy));
  }
}

/** NUL stands between them: no phrase begins in one and ends in another. */
export const joinTexts = (texts: readonly string[]): string => texts.join('\n\u0000\n');

/** The call of a tool use, or of a result of one. */
export const callOf = ({ uuid, toolUseId }: Omit<Named, 'type'>, content: RecordContent): CallBlock | null =>
  callAt(numberOf(uuid), toolUseId ?? '', content);

/** Which of the calls or results of its record a message is. */
const numberOf = (uuid: string): number => Number(/_(?:tool|result)_(\d+)$/.exec(uuid)?.[1]);

/** An id may stand in an answer twice: the number tells. */
export function callAt(number: number, id: CallId, { own }: RecordContent): CallBlock | null {
  const { calls, byId } = pairedIn(own);
  const numbered = calls[number];
  return numbered?.id === id ? numbered : (byId.get(id) ?? null);
}

interface Paired {
  readonly calls: readonly CallBlock[];
  /** The first of each id. */
  readonly byId: ReadonlyMap<string, CallBlock>;
  readonly results: readonly Result[];
}

/** Each of the messages asks for its own: gone through for each, thousands of calls in one answer would take minutes. */
const PAIRED = new WeakMap<readonly Block[], Paired>();

function pairedIn(own: readonly Block[]): Paired {
  let paired = PAIRED.get(own);
  if (!paired) {
    const calls = own.filter((block) => block.type === 'call');
    const results = own.filter((block) => block.type === 'result');
    const byId = new Map([...calls].reverse().map((call) => [call.id, call]));
    paired = { calls, byId, results };
    PAIRED.set(own, paired);
  }
  return paired;
}

/** What one line adds to the messages it belongs to: to its record's own, to a call, or to a result. */
export interface LineText {
  readonly of: 'own' | 'call' | 'result';
  readonly call: string | null;
  readonly texts: readonly string[];
  readonly hasImage: boolean;
  /** Of a record's own: `sortsSaid`. */
  readonly sorts?: number;
  /** Of a call. */
  readonly tool?: string;
  readonly input?: unknown;
}

/** The same texts line by line, for who has the lines and not yet the records. */
export function lineTexts(blocks: readonly Block[]): LineText[] {
  const own: string[] = [];
  const others: LineText[] = [];
  let hasImage = false;
  for (const block of blocks) {
    if (block.type === 'call')
      others.push({
        of: 'call',
        call: block.id,
        texts: valuesIn(block.input),
        hasImage: false,
        tool: block.name,
        input: block.input,
      });
    else if (block.type === 'result') others.push(resultText(block));
    else {
      if (isImage(block)) hasImage = true;
      addAll(own, saidBy(block));
    }
  }
  if (own.length > 0 || hasImage)
    others.push({ of: 'own', call: null, texts: own, hasImage, sorts: sortsSaid(blocks) });
  return others;
}

/** What one result says. Also of one whose texts are codes: then these are. */
export const resultText = ({ of, output }: CodedResult): LineText => ({
  of: 'result',
  call: of,
  texts: outputTexts(output),
  hasImage: showsImage(output),
});

/** Whether a message shows a picture. */
export function hasImage(message: Named, content: RecordContent): boolean {
  if (message.type === 'tool_use') return false;
  if (message.type !== 'tool_result') return [...content.own, ...content.replies].some(isImage);
  return resultsOf(message, content).some(({ output }) => showsImage(output));
}

/** Also one that lies elsewhere. */
const isImage = (block: Block): boolean =>
  block.type === 'image' || (block.type === 'unknown' && block.name === 'image');

const showsImage = (output: unknown): boolean =>
  Array.isArray(output) && output.some((item) => fieldsOf(item)?.type === 'image');

type Result = Block & { readonly type: 'result' };

/** Paired with its call, or alone with the record that brought it. */
function resultsOf({ uuid, toolUseId }: Named, { own, results }: RecordContent): readonly Result[] {
  const paired = toolUseId === undefined ? undefined : results.get(toolUseId);
  if (paired) return resultBlocks(paired);
  const alone = pairedIn(own).results[numberOf(uuid)];
  return alone && alone.of === toolUseId ? [alone] : [];
}

/** Those that stand in a record itself. */
export const resultsIn = ({ own }: RecordContent): readonly Result[] => pairedIn(own).results;

function saidBy(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'teammate':
    case 'notification':
    case 'output':
      return block.text.trim() === '' || isUnreadable(block) ? [] : [block.text];
    case 'command':
      return [`${block.name}\n${block.args}`.trim()];
    case 'unknown':
      return textsIn(block.json);
    default:
      return [];
  }
}

/** What a block says that nobody knows: no names of types, nothing that is encoded or encrypted. */
export function textsIn(json: unknown): string[] {
  const found: string[] = [];
  addTexts(json, 0, found);
  return found;
}

function addTexts(value: unknown, depth: number, found: string[]): void {
  if (depth > DEEPEST) return;
  const fields = fieldsOf(value);
  if (fields) {
    for (const [name, each] of Object.entries(fields))
      if (name !== 'type' && !isEncoded(name, fields)) addTexts(each, depth + 1, found);
  } else if (Array.isArray(value)) for (const each of value) addTexts(each, depth + 1, found);
  else addValues(value, depth, found);
}

const isEncoded = (name: string, { type }: Readonly<Record<string, unknown>>): boolean =>
  name === 'signature' || name.startsWith('encrypted_') || (name === 'data' && type === 'base64');

function outputTexts(output: unknown): string[] {
  if (typeof output === 'string') return [output];
  if (!Array.isArray(output)) return valuesIn(output);
  return output.flatMap((item) => {
    const fields = fieldsOf(item);
    if (!fields) return valuesIn(item);
    if (fields.type === 'image') return [];
    if (typeof fields.text === 'string') return [fields.text];
    const { type: _, ...rest } = fields;
    return valuesIn(rest);
  });
}

const DEEPEST = 32;

/** Every text and number in a value, in its order. */
function valuesIn(value: unknown): string[] {
  const found: string[] = [];
  addValues(value, 0, found);
  return found;
}

function addValues(value: unknown, depth: number, found: string[]): void {
  if (typeof value === 'string') {
    if (value !== '') found.push(value);
  } else if (typeof value === 'number') found.push(String(value));
  else if (typeof value === 'object' && value !== null && depth < DEEPEST)
    for (const each of Array.isArray(value) ? value : Object.values(value)) addValues(each, depth + 1, found);
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
