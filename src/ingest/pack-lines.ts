import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ChainLine, Env, Fact, FileId, Line, LineRef, More, QueueLine } from '../model/index.ts';
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

/** Lines passed over (blank ones), bytes passed over, length of the line; then what the line says. */
type Packed = [gap: number, skipped: number, bytes: number, says: Says];
type Says = readonly [0, unknown] | PackedFact | PackedChain;
type PackedFact = readonly [1, object, unknown];
type PackedChain = readonly [2 | 3, ...unknown[]];

const SAME = 0;

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
    const { ref } = line;
    const packed: Packed = [ref.line - this.#line, ref.offset - this.#end, ref.bytes, this.#saysOf(line)];
    this.#line = ref.line;
    this.#end = ref.offset + ref.bytes + 1;
    return packed;
  }

  putBack([gap, skipped, bytes, says]: Packed): Line {
    const ref: LineRef = { file: this.#file, line: this.#line + gap, offset: this.#end + skipped, bytes };
    this.#line = ref.line;
    this.#end = ref.offset + bytes + 1;
    const warnings = (list: unknown) => (list || NONE) as Line['warnings'];
    if (says[0] === 0) return { in: 'report', ref, warnings: warnings(says[1]) };
    if (says[0] === 1) return { in: 'bookkeeping', ref, fact: withRef(says[1], ref), warnings: warnings(says[2]) };
    return this.#chain(says as PackedChain, ref);
  }

  #saysOf(line: Line): Says {
    const warnings = line.warnings.length > 0 ? line.warnings : SAME;
    if (line.in === 'report') return [0, warnings];
    if (line.in === 'bookkeeping') return [1, withoutRef(line.fact), warnings];
    const { key, parent, time, env, usage } = line;
    const says: unknown[] = [
      line.in === 'chain' ? 2 : 3,
      key,
      parent === this.#key ? SAME : parent,
      time === null ? null : time - this.#time,
      line.kind,
      // A record that stands for itself is the usual case.
      line.place.as === 'record' ? SAME : line.place,
      line.digest,
      this.#env && sameEnv(env, this.#env) ? SAME : [env.cwd, env.gitBranch, env.slug, env.version, env.session],
      usage !== null && sameUsage(usage, this.#usage) ? SAME : usage,
      line.calls.length > 0 ? line.calls : SAME,
      line.origin ?? SAME,
      line.subagent ?? SAME,
      line.stop ?? SAME,
      line.edge === 'parent' ? SAME : line.edge,
      line.more ? withoutRefs(line.more) : SAME,
      warnings,
    ];
    if (line.in === 'queue') says.push(line.op, line.empty);
    while (says[says.length - 1] === SAME) says.pop();
    this.#remember(key, time, env, usage);
    return says as unknown as PackedChain;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the list above, read back
  #chain(says: readonly any[], ref: LineRef): Line {
    const [
      form,
      key,
      parent,
      time,
      kind,
      place,
      digest,
      env,
      usage,
      calls,
      origin,
      subagent,
      stop,
      edge,
      more,
      warnings,
    ] = says;
    const line = {
      ref,
      key,
      parent: parent === SAME ? this.#key : parent,
      edge: edge || 'parent',
      kind,
      place: place || RECORD,
      time: time === null ? null : this.#time + time,
      subagent: subagent || null,
      origin: origin || null,
      calls: calls || NONE,
      usage: usage === null ? null : usage || this.#usage,
      stop: stop || null,
      digest,
      env: env ? envOf(env) : this.#env,
      more: more ? withRefs(more, ref) : null,
      warnings: warnings || NONE,
    };
    this.#remember(key, line.time, line.env as Env, line.usage);
    if (form === 2) return { in: 'chain', ...line } as ChainLine;
    return { in: 'queue', ...line, op: says[16], empty: says[17] } as QueueLine;
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

const envOf = ([cwd, gitBranch, slug, version, session]: readonly (string | null)[]): Env =>
  ({ cwd, gitBranch, slug, version, session }) as Env;

/** A fact stands where its line stands. */
const withoutRef = ({ ref: _, ...fact }: Fact): object => fact;
const withRef = (fact: object, ref: LineRef): Fact => ({ ...(fact as Omit<Fact, 'ref'>), ref });
const withoutRefs = (more: More): object => (more.facts ? { ...more, facts: more.facts.map(withoutRef) } : more);
const withRefs = (more: More, ref: LineRef): More =>
  more.facts ? { ...more, facts: more.facts.map((fact) => withRef(fact, ref)) } : more;
