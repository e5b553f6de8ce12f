import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type {
  CallName,
  ChainLine,
  Env,
  Fact,
  FileId,
  Line,
  LineRef,
  More,
  Place,
  QueueLine,
  Usage,
} from '../model/index.ts';
import { sameEnv } from '../model/index.ts';
import { sameUsage } from '../usage/index.ts';

/** So many lines of a file are packed together: its chunks are the same in whatever pieces it was read. */
export const CHUNK_LINES = 256;

/**
 * Lines without their content, as a store keeps them. What follows from the line before is left out, and of a chunk that grows nothing
 * is written down twice.
 */
export class LinePacker {
  readonly #before = new Before('');
  /** Not written down yet: all at once takes less time than one by one. */
  #waiting: Packed[] = [];
  /** A list as JSON. Not a text: one that grows with every line would leave all it was before to the garbage collector. */
  #json = EMPTY;
  #length = EMPTY.length;
  count = 0;

  add(line: Line): void {
    this.#waiting.push(this.#before.leaveOut(line));
    this.count++;
  }

  /** Valid until it is asked for again. */
  get lines(): Uint8Array {
    if (this.#waiting.length > 0) this.#writeDown(JSON.stringify(this.#waiting));
    return this.#json.subarray(0, this.#length);
  }

  #writeDown(list: string): void {
    this.#waiting = [];
    // The end of the one list and the beginning of the other become a comma.
    const from = this.#length > EMPTY.length ? this.#length - 1 : 0;
    const end = from + Buffer.byteLength(list);
    if (end > this.#json.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#json.length));
      this.#json.copy(grown, 0, 0, from);
      this.#json = grown;
    }
    this.#json.write(list, from);
    if (from > 0) this.#json[from] = COMMA;
    this.#length = end;
  }
}

const EMPTY = Buffer.from('[]');
const COMMA = 0x2c;

/** Most of it are random ids: looking harder for repetitions takes longer and finds none. */
const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 };

/** A copy: what comes out lies in a much larger piece of memory. */
export const packLines = (lines: Uint8Array): Uint8Array =>
  new Uint8Array(zstdCompressSync(lines, { params: LEVEL, pledgedSrcSize: lines.length }));

export function unpackLines(bytes: Uint8Array, file: FileId): Line[] {
  const before = new Before(file);
  return (JSON.parse(zstdDecompressSync(bytes).toString('utf8')) as Packed[]).map((packed) => before.putBack(packed));
}

/** Lines passed over (blank ones), bytes passed over, length of the line; then what the line is and what it says. */
type Packed = readonly [gap: number, skipped: number, bytes: number, form: 0 | 1 | 2 | 3, ...says: unknown[]];

/** As nearly always, or as in the line before. */
const SAME = 0;
const AGAIN = 1;

/** What the line before said: equal values are written as `SAME` and become one object again. */
class Before {
  readonly #file: FileId;
  #line = 0;
  #end = 0;
  #key = '';
  #time = 0;
  #env: Env | null = null;
  #usage: ChainLine['usage'] = null;

  constructor(file: FileId) {
    this.#file = file;
  }

  leaveOut(line: Line): Packed {
    const { line: number, offset, bytes } = line.ref;
    const gap = number - this.#line;
    const skipped = offset - this.#end;
    const warnings = line.warnings.length > 0 ? line.warnings : SAME;
    this.#line = number;
    this.#end = offset + bytes + 1;
    if (line.in === 'report') return [gap, skipped, bytes, 0, warnings];
    if (line.in === 'bookkeeping') return [gap, skipped, bytes, 1, withoutRef(line.fact), warnings];
    const { key, parent, time, env, usage, calls } = line;
    const packed: [number, number, number, 2 | 3, ...unknown[]] = [
      gap,
      skipped,
      bytes,
      line.in === 'chain' ? 2 : 3,
      key,
      parent === this.#key ? SAME : parent,
      time === null ? null : time - this.#time,
      line.kind,
      packPlace(line.place),
      line.digest,
      this.#env && sameEnv(env, this.#env) ? SAME : [env.cwd, env.gitBranch, env.slug, env.version, env.session],
      usage === null ? SAME : sameUsage(usage, this.#usage) ? AGAIN : packUsage(usage),
      calls.length > 0 ? calls.map(packCall) : SAME,
      line.stop ?? SAME,
      line.subagent ?? SAME,
      line.origin ?? SAME,
      line.edge === 'parent' ? SAME : line.edge,
      line.more ? withoutRefs(line.more) : SAME,
      warnings,
    ];
    if (line.in === 'queue') packed.push(line.op, line.empty);
    while (packed[packed.length - 1] === SAME) packed.pop();
    this.#remember(key, time, env, usage);
    return packed;
  }

  putBack([gap, skipped, bytes, form, ...says]: Packed): Line {
    const ref: LineRef = { file: this.#file, line: this.#line + gap, offset: this.#end + skipped, bytes };
    this.#line = ref.line;
    this.#end = ref.offset + bytes + 1;
    const warnings = (list: unknown) => (list || NONE) as Line['warnings'];
    if (form === 0) return { in: 'report', ref, warnings: warnings(says[0]) };
    if (form === 1)
      return { in: 'bookkeeping', ref, fact: withRef(says[0] as object, ref), warnings: warnings(says[1]) };
    return this.#chain(form, says, ref);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the list above, read back
  #chain(form: 2 | 3, says: readonly any[], ref: LineRef): Line {
    const [key, parent, time, kind, place, digest, env, usage, calls, stop, subagent, origin, edge, more, warnings] =
      says;
    const line = {
      ref,
      key,
      parent: parent === SAME ? this.#key : parent,
      edge: edge || 'parent',
      kind,
      place: placeOf(place),
      time: time === null ? null : this.#time + time,
      subagent: subagent || null,
      origin: origin || null,
      calls: calls ? calls.map(callOf) : NONE,
      usage: usage === AGAIN ? this.#usage : usage ? usageOf(usage) : null,
      stop: stop || null,
      digest: digest ?? 0,
      env: env ? envOf(env) : this.#env,
      more: more ? withRefs(more, ref) : null,
      warnings: warnings || NONE,
    };
    this.#remember(key, line.time, line.env as Env, line.usage);
    if (form === 2) return { in: 'chain', ...line } as ChainLine;
    return { in: 'queue', ...line, op: says[15], empty: says[16] } as QueueLine;
  }

  #remember(key: string, time: number | null, env: Env, usage: ChainLine['usage']): void {
    this.#key = key;
    this.#time = time ?? this.#time;
    this.#env = env;
    if (usage !== null) this.#usage = usage;
  }
}

const NONE: readonly never[] = [];
const RECORD = { as: 'record' } as const;

/** Nearly all are a record of their own, part of an answer, or one result: written as nothing, its id, and its call and whether it failed. */
function packPlace(place: Place): unknown {
  if (place.as === 'record') return SAME;
  if (place.as === 'part') return place.of;
  const only = place.as === 'result' && !place.text && !place.body && place.of.length === 1 ? place.of[0] : undefined;
  return only ? [only.call, only.isError ? 1 : 0] : place;
}

function placeOf(packed: unknown): Place {
  if (!packed) return RECORD;
  if (typeof packed === 'string') return { as: 'part', of: packed };
  if (!Array.isArray(packed)) return packed as Place;
  return { as: 'result', of: [{ call: packed[0], isError: packed[1] === 1 }], text: false, body: false };
}

const packUsage = (usage: Usage): unknown[] => {
  const { key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd } = usage;
  const packed = [key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd];
  return usage.fast ? [...packed, 1] : packed;
};

// biome-ignore lint/suspicious/noExplicitAny: the list above, read back
function usageOf([key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd, fast]: any[]): Usage {
  const usage = { key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd };
  return fast ? { ...usage, fast: true } : usage;
}

const packCall = ({ id, name, tokens }: CallName): unknown[] => (tokens.length > 0 ? [id, name, tokens] : [id, name]);
const callOf = ([id, name, tokens = NONE]: [string, string, (readonly string[])?]): CallName => ({ id, name, tokens });

const envOf = ([cwd, gitBranch, slug, version, session]: readonly (string | null)[]): Env =>
  ({ cwd, gitBranch, slug, version, session }) as Env;

/** A fact stands where its line stands. */
const withoutRef = ({ ref: _, ...fact }: Fact): object => fact;
const withRef = (fact: object, ref: LineRef): Fact => ({ ...(fact as Omit<Fact, 'ref'>), ref });
const withoutRefs = (more: More): object => (more.facts ? { ...more, facts: more.facts.map(withoutRef) } : more);
const withRefs = (more: More, ref: LineRef): More =>
  more.facts ? { ...more, facts: more.facts.map((fact) => withRef(fact, ref)) } : more;
