import { codesOf, decodeUtf8, findBytes, fingerprint, isDeeper, isUtf8 } from '../../model/index.ts';
import { hashBytes, type JsonObject, Scanner } from '../lines/index.ts';
import { isSpawner, TAIL } from './spawn-tokens.ts';
import { ADVISOR } from './usage.ts';

/** All that is looked at in the lines of answers and results, but for what results say. */
const PATHS = {
  type: 'type',
  uuid: 'uuid',
  parent: 'parentUuid',
  time: 'timestamp',
  isSidechain: 'isSidechain',
  agent: 'agentId',
  session: 'sessionId',
  cwd: 'cwd',
  version: 'version',
  branch: 'gitBranch',
  slug: 'slug',
  forkedFrom: 'forkedFrom',
  isCompactSummary: 'isCompactSummary',
  isApiError: 'isApiErrorMessage',
  request: 'requestId',
  cost: 'costUSD',
  detail: 'toolUseResult',
  startedAgent: 'toolUseResult.agentId',
  startedTeammate: 'toolUseResult.agent_id',
  startedRun: 'toolUseResult.runId',
  outputPath: 'toolUseResult.persistedOutputPath',
  messageId: 'message.id',
  model: 'message.model',
  stop: 'message.stop_reason',
  usage: 'message.usage',
  input: 'message.usage.input_tokens',
  output: 'message.usage.output_tokens',
  cacheRead: 'message.usage.cache_read_input_tokens',
  cacheWrite: 'message.usage.cache_creation_input_tokens',
  cacheWrite1h: 'message.usage.cache_creation.ephemeral_1h_input_tokens',
  speed: 'message.usage.speed',
  iterations: 'message.usage.iterations',
  content: 'message.content',
  blockType: 'message.content[].type',
  callId: 'message.content[].id',
  callName: 'message.content[].name',
  resultOf: 'message.content[].tool_use_id',
  isError: 'message.content[].is_error',
  said: 'message.content[].content',
} as const;

/** The line that was scanned last: there is one of these for each thread. */
export interface ScannedLine {
  /** `contentDigest` of what it says. */
  digest(seed: number): number;
  /**
   * The object of an answer, with all that is looked at; `says`: and with what it says, of which it has only the calls otherwise. Null
   * where it is none, or has to be read as a whole.
   */
  answer(says: boolean): JsonObject | null;
  /** The same of a line that brings one result, without what that says. */
  result(): JsonObject | null;
  /** What that result says, its texts as codes; null where it has to be read as text. */
  coded(): { readonly output: unknown } | null;
  /** All of it, while nothing else was scanned. */
  object(scan: number): JsonObject;
  /** Which scan this is. */
  readonly scan: number;
}

let scanned: LastScanned | null | undefined;

/** Null where nothing can be told of it: then it has to be parsed. */
export function scanLine(bytes: Uint8Array, isAscii: boolean): ScannedLine | null {
  if (scanned === undefined) scanned = start();
  return scanned?.take(bytes, isAscii) ? scanned : null;
}

/** Equal for equal contents, however they were read. It tells a replayed line from another line with the same id. */
export const contentDigest = (line: ScannedLine | null, content: unknown, seed: number): number =>
  line?.digest(seed) ?? digestOf(content, seed);

/** What is nested absurdly deep cannot be written. */
const digestOf = (content: unknown, seed: number): number =>
  isDeeper(content, DEEPEST) ? fingerprint(content, seed) : hashBytes(encoder.encode(JSON.stringify(content)), seed);

const DEEPEST = 100;
const encoder = new TextEncoder();

function start(): LastScanned | null {
  try {
    return new LastScanned();
  } catch {
    // Without WebAssembly every line is parsed.
    return null;
  }
}

class LastScanned implements ScannedLine {
  readonly #scanner = new Scanner(PATHS);
  readonly #at = this.#scanner.slots;
  scan = 0;

  take(bytes: Uint8Array, isAscii: boolean): boolean {
    this.scan++;
    return (isAscii || isUtf8(bytes)) && this.#scanner.scan(bytes, isAscii);
  }

  digest(seed: number): number {
    const { content } = this.#at;
    return this.#scanner.hash(content, seed) ?? digestOf(this.#scanner.value(content), seed);
  }

  answer(says: boolean): JsonObject | null {
    const scanner = this.#scanner;
    const at = this.#at;
    // A message without a list of blocks is shown as it is.
    if (scanner.value(at.type) !== 'assistant' || scanner.sign(at.content) !== OPEN_LIST) return null;
    const model = scanner.value(at.model);
    if (model === '<synthetic>') return null;
    if (this.#hasAdvisor()) return null;
    // A summary may hang on more than its parent.
    if (scanner.value(at.isCompactSummary) === true) return null;
    const content = says ? scanner.value(at.content) : this.#calls();
    if (content === null) return null;
    const message = {
      id: scanner.value(at.messageId),
      model,
      stop_reason: scanner.value(at.stop),
      usage: scanner.sign(at.usage) === OPEN_OBJECT ? this.#usage() : null,
      content,
    };
    return this.#object('assistant', message, undefined);
  }

  result(): JsonObject | null {
    const scanner = this.#scanner;
    const at = this.#at;
    if (scanner.value(at.type) !== 'user') return null;
    if (scanner.elements !== 1 || scanner.value(at.blockType) !== 'tool_result') return null;
    const hasDetail = scanner.sign(at.detail) === OPEN_OBJECT;
    // Then the result itself may say which sub-agent was started.
    if (!hasDetail && this.#mayNameAgent()) return null;
    const block = { type: 'tool_result', tool_use_id: scanner.value(at.resultOf), is_error: scanner.value(at.isError) };
    const detail = hasDetail
      ? {
          agentId: scanner.value(at.startedAgent),
          agent_id: scanner.value(at.startedTeammate),
          runId: scanner.value(at.startedRun),
        }
      : undefined;
    return this.#object('user', { content: [block] }, detail);
  }

  coded(): { readonly output: unknown } | null {
    const scanner = this.#scanner;
    const { said, outputPath } = this.#at;
    // What it says may be only the beginning.
    if (scanner.escapesBeyondAscii || scanner.sign(outputPath) !== NOTHING) return null;
    if (scanner.sign(said) === NOTHING) return { output: undefined };
    const codes = codesOf(scanner.bytes(said));
    return codes === null ? null : { output: JSON.parse(codes) };
  }

  object(scan: number): JsonObject {
    if (scan !== this.scan) throw new Error('a line was asked for its blocks after the next one was read');
    return JSON.parse(decodeUtf8(this.#scanner.line));
  }

  /** Null where one may start a sub-agent: what it is told is looked at then. */
  #calls(): readonly JsonObject[] | null {
    const scanner = this.#scanner;
    const at = this.#at;
    let calls: JsonObject[] | null = null;
    for (let i = 0; i < scanner.elements; i++) {
      if (scanner.value(at.blockType, i) !== 'tool_use') continue;
      const name = scanner.value(at.callName, i);
      if (isSpawner(name)) return null;
      calls ??= [];
      calls.push({ type: 'tool_use', id: scanner.value(at.callId, i), name });
    }
    return calls ?? NOT_ONE;
  }

  #usage(): JsonObject {
    const scanner = this.#scanner;
    const at = this.#at;
    return {
      input_tokens: scanner.value(at.input),
      output_tokens: scanner.value(at.output),
      cache_read_input_tokens: scanner.value(at.cacheRead),
      cache_creation_input_tokens: scanner.value(at.cacheWrite),
      cache_creation: { ephemeral_1h_input_tokens: scanner.value(at.cacheWrite1h) },
      speed: scanner.value(at.speed),
    };
  }

  #object(type: string, message: JsonObject, toolUseResult: JsonObject | undefined): JsonObject {
    const scanner = this.#scanner;
    const at = this.#at;
    return {
      type,
      // Nearly always the line before: its id is one text for both.
      parentUuid: scanner.valueLike(at.uuid, at.parent),
      uuid: scanner.value(at.uuid),
      timestamp: scanner.value(at.time),
      isSidechain: scanner.value(at.isSidechain),
      agentId: scanner.value(at.agent),
      sessionId: scanner.value(at.session),
      cwd: scanner.value(at.cwd),
      version: scanner.value(at.version),
      gitBranch: scanner.value(at.branch),
      slug: scanner.value(at.slug),
      forkedFrom: scanner.value(at.forkedFrom),
      isApiErrorMessage: scanner.value(at.isApiError),
      requestId: scanner.value(at.request),
      costUSD: scanner.value(at.cost),
      message,
      toolUseResult,
    };
  }

  /** Its usage has to be looked at; it may be written in other ways. */
  #hasAdvisor(): boolean {
    const { iterations } = this.#at;
    if (this.#scanner.sign(iterations) === NOTHING) return false;
    const bytes = this.#scanner.bytes(iterations);
    return findBytes(bytes, ADVISOR_BYTES) >= 0 || bytes.includes(BACKSLASH);
  }

  /** A last line `agentId: a2271d1`; its letters may be written in other ways. */
  #mayNameAgent(): boolean {
    if (this.#scanner.hasUnits) return true;
    const all = this.#scanner.bytes(this.#at.said);
    // Of a plain text the end is looked at, where each character has four bytes at most.
    const bytes = all[0] === QUOTE ? all.subarray(-4 * TAIL) : all;
    return findBytes(bytes, AGENT_ID_END) >= 0;
  }
}

/** Of `agentId:`. It begins with a letter that is rare: that is found sooner. */
const AGENT_ID_END = encoder.encode('Id:');
const ADVISOR_BYTES = encoder.encode(ADVISOR);
const BACKSLASH = 92;
const NOT_ONE: readonly JsonObject[] = [];
const NOTHING = 0;
const QUOTE = 34;
const OPEN_LIST = 91;
const OPEN_OBJECT = 123;
