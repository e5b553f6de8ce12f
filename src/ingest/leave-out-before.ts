import type { CallId, CallName, ChainLine, Env, Fact, FileId, Line, LineRef, More } from '../model/index.ts';
import { type Place, type QueueLine, type ResultOf, sameEnv, type Usage } from '../model/index.ts';
import { sameUsage } from '../usage/index.ts';

/** Lines passed over (blank ones), bytes passed over, length of the line; then what the line is and what it says. */
export type Packed = readonly [gap: number, skipped: number, bytes: number, form: 0 | 1 | 2 | 3, ...says: unknown[]];

/** As nearly always, or as in the line before. */
const SAME = 0;
const AGAIN = 1;

/** What the line before said: equal values are written as `SAME` and become one object again. */
export class Before {
  readonly #file: FileId;
  #line = 0;
  #end = 0;
  #key = '';
  #time = 0;
  #env: Env | null = null;
  #usage: Usage | null = null;
  /** Of the answer before. */
  #request = 0;
  /** Calls whose results did not come yet. */
  #waiting: CallId[] = [];

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
      this.#placeOf(line),
      line.digest,
      this.#env && sameEnv(env, this.#env) ? SAME : [env.cwd, env.gitBranch, env.slug, env.version, env.session],
      usage === null ? SAME : sameUsage(usage, this.#usage) ? AGAIN : listUsage(usage, this.#usage),
      calls.length > 0 ? calls.map(listCall) : SAME,
      line.stop ?? SAME,
      line.subagent ?? SAME,
      line.origin ?? SAME,
      line.edge === 'parent' ? SAME : line.edge,
      line.more ? withoutRefs(line.more) : SAME,
      warnings,
    ];
    if (line.in === 'queue') packed.push(line.op, line.empty);
    while (packed[packed.length - 1] === SAME) packed.pop();
    this.#remember(line);
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

  /** Ids are long and random: what names one that was just named says where that was. */
  #placeOf({ place, usage }: ChainLine | QueueLine): PackedPlace {
    if (place.as === 'record') return SAME;
    if (place.as === 'part' && place.of === usage?.key) {
      const { request } = place;
      if (request === this.#request) return PART;
      this.#request = request;
      return request === SAME || request === PART ? place : request;
    }
    if (place.as !== 'result' || place.text || place.body || place.of.length !== 1) return place;
    const [{ call, isError }] = place.of as [ResultOf];
    const waits = this.#waiting.indexOf(call);
    if (waits < 0) return place;
    this.#waiting.splice(waits, 1);
    return isError ? [waits, 1] : [waits];
  }

  #placeFrom(packed: PackedPlace | undefined, usage: Usage | null): Place {
    if (!packed) return RECORD;
    if (typeof packed === 'number') {
      if (packed !== PART) this.#request = packed;
      return { as: 'part', of: usage?.key ?? '', request: this.#request };
    }
    if (!isList(packed)) {
      if (packed.as === 'part' && packed.of === usage?.key) this.#request = packed.request;
      return packed;
    }
    const [call = ''] = this.#waiting.splice(packed[0], 1);
    return { as: 'result', of: [{ call, isError: packed.length > 1 }], text: false, body: false };
  }

  // biome-ignore lint/suspicious/noExplicitAny: the list above, read back
  #chain(form: 2 | 3, says: readonly any[], ref: LineRef): Line {
    const [key, parent, time, kind, place, digest, env, packed, calls, stop, subagent, origin, edge, more, warnings] =
      says;
    const usage = packed === AGAIN ? this.#usage : packed ? usageFrom(packed, this.#usage) : null;
    const line = {
      ref,
      key,
      parent: parent === SAME ? this.#key : parent,
      edge: edge || 'parent',
      kind,
      place: this.#placeFrom(place, usage),
      time: time === null ? null : this.#time + time,
      subagent: given(subagent),
      origin: given(origin),
      calls: calls ? calls.map(callFrom) : NONE,
      usage,
      stop: given(stop),
      digest: digest ?? 0,
      env: env ? envOf(env) : this.#env,
      more: more ? withRefs(more, ref) : null,
      warnings: warnings || NONE,
    };
    this.#remember(line as ChainLine);
    if (form === 2) return { in: 'chain', ...line } as ChainLine;
    return { in: 'queue', ...line, op: says[15], empty: says[16] } as QueueLine;
  }

  #remember({ key, time, env, usage, calls }: ChainLine | QueueLine): void {
    this.#key = key;
    this.#time = time ?? this.#time;
    this.#env = env;
    if (usage !== null) this.#usage = usage;
    for (const { id } of calls) this.#waiting.push(id);
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING);
  }
}

/** Of calls in one go there are a few. */
const MOST_WAITING = 32;

/** A record that stands for itself; a part of the response whose usage it says, under the request before or another; the result of a waiting call, and whether that failed. */
type PackedPlace = number | readonly [waits: number, isError?: 1] | Place;
const PART = 1;

const isList = (packed: PackedPlace): packed is readonly [number, 1?] => Array.isArray(packed);

type PackedUsage = readonly [
  ...[key: string, model: string | typeof SAME, input: number, output: number, cacheRead: number],
  ...[cacheWrite5m: number, cacheWrite1h: number, costUsd?: number | null, signs?: number],
];

const listUsage = (usage: Usage, before: Usage | null): PackedUsage => {
  const { key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd, fast, isCopy } = usage;
  const sameModel = model === before?.model ? SAME : model;
  return costUsd === null && !fast && !isCopy
    ? [key, sameModel, input, output, cacheRead, cacheWrite5m, cacheWrite1h]
    : [
        key,
        sameModel,
        input,
        output,
        cacheRead,
        cacheWrite5m,
        cacheWrite1h,
        costUsd,
        (fast ? 1 : 0) + (isCopy ? 2 : 0),
      ];
};

/** By whether it was fast, and whether it is a copy. */
const SIGNS: readonly Pick<Usage, 'fast' | 'isCopy'>[] = [
  {},
  { fast: true },
  { isCopy: true },
  { fast: true, isCopy: true },
];

const usageFrom = (packed: PackedUsage, before: Usage | null): Usage => {
  const [key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd = null, signs = 0] = packed;
  const counts = { input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd };
  return { key, model: model === SAME ? (before?.model ?? '') : model, ...counts, ...SIGNS[signs] };
};

type PackedCall = readonly [CallId, name: string, tokens?: CallName['tokens']];

const listCall = ({ id, name, tokens }: CallName): PackedCall => (tokens.length > 0 ? [id, name, tokens] : [id, name]);
const callFrom = ([id, name, tokens = NONE]: PackedCall): CallName => ({ id, name, tokens });

/** An empty text is one. */
const given = <Value>(value: Value | typeof SAME | undefined): Value | null =>
  value === SAME ? null : (value ?? null);

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
