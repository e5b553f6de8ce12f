import type { CallId, CallName, ChainLine, Env, Fact, FileId, Line, LineRef, More } from '../model/index.ts';
import { type Place, type QueueLine, type ResultOf, sameEnv, type Usage } from '../model/index.ts';
import { sameUsage } from '../usage/index.ts';

/** Lines passed over (blank ones), bytes passed over, length of the line; then what the line says. */
export type Packed = [gap: number, skipped: number, bytes: number, says: Says];
type Says = readonly [0, unknown] | PackedFact | PackedChain;
type PackedFact = readonly [1, object, unknown];
type PackedChain = readonly [2 | 3, ...unknown[]];

const SAME = 0;

/** What the line before said: equal values are written as `SAME` and become one object again. */
export class Before {
  readonly #file: FileId;
  #line = 0;
  #end = 0;
  #key = '';
  #time = 0;
  #env: Env | null = null;
  #usage: Usage | null = null;
  /** Calls whose results did not come yet. */
  #waiting: CallId[] = [];

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
      this.#placeOf(line),
      line.digest,
      this.#env && sameEnv(env, this.#env) ? SAME : [env.cwd, env.gitBranch, env.slug, env.version, env.session],
      usage === null ? null : sameUsage(usage, this.#usage) ? SAME : listUsage(usage, this.#usage),
      line.calls.length > 0 ? line.calls.map(listCall) : SAME,
      line.origin ?? SAME,
      line.subagent ?? SAME,
      line.stop ?? SAME,
      line.edge === 'parent' ? SAME : line.edge,
      line.more ? withoutRefs(line.more) : SAME,
      warnings,
    ];
    if (line.in === 'queue') says.push(line.op, line.empty);
    while (says[says.length - 1] === SAME) says.pop();
    this.#remember(line);
    return says as unknown as PackedChain;
  }

  /** Ids are long and random: what names one that was just named says where that was. */
  #placeOf({ place, usage }: ChainLine | QueueLine): PackedPlace {
    if (place.as === 'record') return SAME;
    if (place.as === 'part' && place.of === usage?.key) return PART;
    if (place.as !== 'result' || place.text || place.body || place.of.length !== 1) return place;
    const [{ call, isError }] = place.of as [ResultOf];
    const waits = this.#waiting.indexOf(call);
    if (waits < 0) return place;
    this.#waiting.splice(waits, 1);
    return isError ? [waits, 1] : [waits];
  }

  #placeFrom(packed: PackedPlace | undefined, usage: Usage | null): Place {
    if (!packed) return RECORD;
    if (packed === PART) return { as: 'part', of: usage?.key ?? '' };
    if (!isList(packed)) return packed;
    const [call = ''] = this.#waiting.splice(packed[0], 1);
    return { as: 'result', of: [{ call, isError: packed.length > 1 }], text: false, body: false };
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
    const said = usage === null ? null : usage ? usageFrom(usage, this.#usage) : this.#usage;
    const line = {
      ref,
      key,
      parent: parent === SAME ? this.#key : parent,
      edge: edge || 'parent',
      kind,
      place: this.#placeFrom(place, said),
      time: time === null ? null : this.#time + time,
      subagent: subagent || null,
      origin: origin || null,
      calls: calls ? calls.map(callFrom) : NONE,
      usage: said,
      stop: stop || null,
      digest,
      env: env ? envOf(env) : this.#env,
      more: more ? withRefs(more, ref) : null,
      warnings: warnings || NONE,
    };
    this.#remember(line as ChainLine);
    if (form === 2) return { in: 'chain', ...line } as ChainLine;
    return { in: 'queue', ...line, op: says[16], empty: says[17] } as QueueLine;
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

/** A record that stands for itself; a part of the response whose usage it says; the result of a waiting call, and whether that failed. */
type PackedPlace = typeof SAME | typeof PART | readonly [waits: number, isError?: 1] | Place;
const PART = 1;

const isList = (packed: PackedPlace): packed is readonly [number, 1?] => Array.isArray(packed);

type PackedUsage = readonly [
  ...[key: string, model: string | typeof SAME, input: number, output: number, cacheRead: number],
  ...[cacheWrite5m: number, cacheWrite1h: number, costUsd?: number | null, fast?: 0 | 1],
];

const listUsage = (usage: Usage, before: Usage | null): PackedUsage => {
  const { key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd, fast } = usage;
  const sameModel = model === before?.model ? SAME : model;
  return costUsd === null && !fast
    ? [key, sameModel, input, output, cacheRead, cacheWrite5m, cacheWrite1h]
    : [key, sameModel, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd, fast ? 1 : 0];
};

const usageFrom = (packed: PackedUsage, before: Usage | null): Usage => {
  const [key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd = null, fast = 0] = packed;
  const counts = { input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd };
  return { key, model: model === SAME ? (before?.model ?? '') : model, ...counts, ...(fast && { fast: true }) };
};

type PackedCall = readonly [CallId, name: string, tokens?: CallName['tokens']];

const listCall = ({ id, name, tokens }: CallName): PackedCall => (tokens.length > 0 ? [id, name, tokens] : [id, name]);
const callFrom = ([id, name, tokens = NONE]: PackedCall): CallName => ({ id, name, tokens });

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
