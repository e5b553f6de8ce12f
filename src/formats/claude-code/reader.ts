import {
  type Block,
  type ChainLine,
  type CodedResult,
  type Env,
  type FileFacts,
  isAscii,
  type Line,
  type LineRef,
  type More,
  type Parsed,
  type Reader,
  type ReadOptions,
  type Warning,
} from '../../model/index.ts';
import { type JsonObject, objectOf, readObject, textOf } from '../lines/index.ts';
import { missingUuid, readAssistant } from './assistant-line.ts';
import { checkLine, unknownType } from './check-line.ts';
import { codedResult } from './coded-result.ts';
import { readBlocks } from './content-blocks.ts';
import { type Context, type Envelope, keyByPlace, readEnvelope } from './envelope.ts';
import {
  isKnownType,
  readAttachment,
  readFact,
  readProgress,
  readQueueOperation,
  readSystem,
  readUnknown,
} from './other-lines.ts';
import { NO_CALLS, type Reading } from './reading.ts';
import { type ScannedLine, scanLine } from './scan-line.ts';
import { extend, FORKED, RECORD, readUser } from './user-line.ts';

const NO_WARNINGS: readonly Warning[] = [];
const NO_BLOCKS = (): readonly Block[] => [];

export function openFile(
  file: FileFacts,
  state?: unknown,
  { survey = true, blocks = true, details = true }: ReadOptions = {},
): Reader {
  const stem = (file.path.split('/').pop() ?? file.native).replace(/\.jsonl$/, '');
  const context: Context = {
    file,
    stem,
    env: { ...EMPTY_ENV, ...(state as Partial<Env> | undefined) },
    last: null,
    survey,
    blocks,
    details,
  };
  return new FileReader(context);
}

/** A class: with closures, which end with their file, their compiled code may end too. */
class FileReader implements Reader {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  get state(): Env {
    return this.#context.env;
  }

  next(bytes: Uint8Array, ref: LineRef, cut = false, torn = false): Parsed {
    return readLine(bytes, ref, cut, torn, this.#context);
  }
}

const EMPTY_ENV: Env = { cwd: null, gitBranch: null, slug: null, version: null, session: null };

function readLine(bytes: Uint8Array, ref: LineRef, cut: boolean, torn: boolean, context: Context): Parsed {
  const ascii = isAscii(bytes);
  const scanned = cut ? null : scanLine(bytes, ascii);
  const usual = scanned && readScanned(scanned, ref, context);
  if (usual) return usual;
  const { object, warnings: encoding } = readObject(bytes, torn, ascii);
  if (!object) return { line: { in: 'report', ref, warnings: encoding }, blocks: NO_BLOCKS };
  const type = textOf(object.type) ?? '';
  const found = context.survey ? checkLine(object, type) : null;
  let warnings: readonly Warning[] = found ?? NO_WARNINGS;
  if (encoding.length > 0) warnings = [...encoding, ...warnings];
  if (cut) warnings = [...warnings, tooLong(ref)];
  return new ReadLine(lineOf(object, type, ref, warnings, context, cut, scanned), object, type);
}

/** An answer or a result: what nobody asks for is passed over. Null where it is another line, or all of it is looked at. */
function readScanned(scanned: ScannedLine, ref: LineRef, context: Context): Parsed | null {
  const { survey, blocks, details } = context;
  if (survey) return null;
  const answer = scanned.answer(blocks);
  if (answer) {
    const line = lineOf(answer, 'assistant', ref, NO_WARNINGS, context, false, scanned);
    return blocks ? new ReadLine(line, answer, 'assistant') : new ScannedParsed(line, 'assistant', scanned);
  }
  const result = blocks && details ? null : scanned.result();
  const coded = result && blocks ? codedResult(scanned, result) : undefined;
  if (!result || coded === null) return null;
  const line = lineOf(result, 'user', ref, NO_WARNINGS, context, false, scanned);
  return new ScannedParsed(line, 'user', scanned, coded);
}

/** A class, not a closure: one is made for every line, and hardly ever asked for its blocks. */
class ReadLine implements Parsed {
  readonly line: Line;
  readonly #object: JsonObject;
  readonly #type: string;

  constructor(line: Line, object: JsonObject, type: string) {
    this.line = line;
    this.#object = object;
    this.#type = type;
  }

  /** May be taken out of the object. */
  get blocks(): () => readonly Block[] {
    return () => readBlocks(this.#object, this.#type, this.line);
  }
}

/** Its blocks can be had until the next line is read. */
class ScannedParsed implements Parsed {
  readonly line: Line;
  readonly coded?: CodedResult;
  readonly #type: string;
  readonly #scanned: ScannedLine;
  readonly #scan: number;

  constructor(line: Line, type: string, scanned: ScannedLine, coded?: CodedResult) {
    this.line = line;
    if (coded) this.coded = coded;
    this.#type = type;
    this.#scanned = scanned;
    this.#scan = scanned.scan;
  }

  get blocks(): () => readonly Block[] {
    return () => readBlocks(this.#scanned.object(this.#scan), this.#type, this.line);
  }
}

const tooLong = (ref: LineRef): Warning => ({
  type: 'line_too_long',
  detail: 'long',
  message: `Line of ${Math.round(ref.bytes / 1048576)} MB is too long, or holds too many values, to be read whole; its beginning is kept`,
});

function lineOf(
  object: JsonObject,
  type: string,
  ref: LineRef,
  warnings: readonly Warning[],
  context: Context,
  cut: boolean,
  scanned: ScannedLine | null,
): Line {
  if (type === 'queue-operation') {
    const queue = readQueueOperation(object);
    if (queue) {
      const { key, time, subagent, env } = readEnvelope(object, context, ref, warnings);
      return {
        in: 'queue',
        ref,
        key,
        parent: null,
        edge: 'parent',
        kind: queue.kind,
        place: RECORD,
        time,
        subagent,
        origin: queue.origin,
        calls: NO_CALLS,
        usage: null,
        stop: null,
        digest: queue.digest,
        env,
        more: queue.more,
        warnings,
        op: queue.op,
        empty: queue.empty,
      };
    }
  }
  const chained =
    textOf(object.uuid) !== null || type === 'user' || type === 'assistant' || isLooseQueued(object, type);
  if (!chained) return bookkeeping(object, type, ref, warnings, context);
  const envelope = readEnvelope(object, context, ref, warnings);
  return chainLine(object, type, envelope, cut, scanned);
}

/** Some queued commands are written without a uuid; they hold a prompt all the same. */
const isLooseQueued = (object: JsonObject, type: string): boolean =>
  type === 'attachment' && (object.attachment as JsonObject | null | undefined)?.type === 'queued_command';

function chainLine(
  object: JsonObject,
  type: string,
  envelope: Envelope,
  cut: boolean,
  scanned: ScannedLine | null,
): ChainLine {
  const reading = readByType(object, type, envelope, scanned);
  const { ref, key, time, subagent, env } = envelope;
  const logical = envelope.parent === null && reading.kind === 'compaction' ? textOf(object.logicalParentUuid) : null;
  const fork = objectOf(object.forkedFrom);
  const forked = fork && readFork(fork, key);
  const isCopyAlone = forked?.copyOf !== undefined && envelope.parent === null && logical === null;
  let { more } = reading;
  if (forked) more = extend(more, forked);
  if (cut) more = extend(more, REPORTED);
  return {
    in: 'chain',
    ref,
    key,
    parent: reading.parent ?? envelope.parent ?? logical,
    edge: reading.edge ?? (logical !== null ? 'compaction' : isCopyAlone ? 'fork' : 'parent'),
    kind: reading.kind,
    place: reading.place,
    time,
    subagent,
    origin: reading.origin,
    calls: reading.calls,
    usage: reading.usage,
    stop: reading.stop,
    digest: reading.digest,
    env,
    more,
    warnings: withProblems(object, type, envelope),
  };
}

const REPORTED: More = { reported: true };

/**
 *     "forkedFrom":{"sessionId":"S1","messageUuid":"u1"}
 *
 * The command line's forks keep the ids of what they copy, the SDK's have new ones.
 */
function readFork(fork: JsonObject, key: string): More {
  const copyOf = textOf(fork.messageUuid);
  return copyOf === null || copyOf === key ? FORKED : { forked: true, copyOf };
}

function readByType(object: JsonObject, type: string, envelope: Envelope, scanned: ScannedLine | null): Reading {
  switch (type) {
    case 'user':
      return readUser(object, envelope, scanned);
    case 'assistant':
      return readAssistant(object, envelope, scanned);
    case 'system':
      return readSystem(object, envelope.ref);
    case 'attachment':
      return readAttachment(object);
    case 'progress':
      return readProgress(object, envelope.ref);
    default:
      return readUnknown(object, envelope.ref);
  }
}

function withProblems(object: JsonObject, type: string, envelope: Envelope): readonly Warning[] {
  if (type === 'user' || type === 'assistant') {
    const missing = missingUuid(object, envelope);
    return missing ? [...envelope.warnings, missing] : envelope.warnings;
  }
  if (isKnownType(type)) return envelope.warnings;
  return [...envelope.warnings, unknownType(type === '' ? '(none)' : type)];
}

function bookkeeping(
  object: JsonObject,
  type: string,
  ref: LineRef,
  warnings: readonly Warning[],
  context: Context,
): Line {
  const fact = readFact(object, ref);
  if (fact) return { in: 'bookkeeping', ref, fact, warnings };
  const known = isKnownType(type);
  const missing: Warning = {
    type: 'missing_required_field',
    detail: `${type}.uuid`,
    message: `Record of type '${type}' has no uuid; it is kept as ${keyByPlace(context, ref)}`,
  };
  const problem = known ? missing : unknownType(type === '' ? '(none)' : type);
  const all = type === 'queue-operation' ? warnings : [...warnings, problem];
  return { in: 'bookkeeping', ref, fact: { type: type || 'unknown', about: null, value: null, ref }, warnings: all };
}
