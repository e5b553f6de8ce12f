import fc from 'fast-check';
import { anySpec, type Spec, timeOf } from './random-project.ts';
import type { Json } from './transcript.ts';

/** One session file as an agent writes it, mostly: every line has its own id and hangs on the one before, answers get their results. */

interface Step {
  readonly spec: Spec;
  /** How far above its parent stands; see `parentOf`. */
  readonly up: number;
  readonly dice: number;
  readonly side: number;
  readonly layout: number;
  readonly time: number;
  readonly damage: number;
}

const said = (content: unknown): Spec => ({ line: { type: 'user', message: { role: 'user', content } } });
const prompt: fc.Arbitrary<Spec> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(said('$')) },
  fc.constantFrom(said('[Request interrupted by user]'), said('<user-memory-input>x</user-memory-input>')),
);
const step: fc.Arbitrary<Step> = fc.record({
  spec: fc.oneof({ weight: 3, arbitrary: prompt }, { weight: 8, arbitrary: anySpec }),
  up: fc.oneof(
    { weight: 30, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constantFrom(8, 16, 24) },
    { weight: 2, arbitrary: fc.nat(99) },
    { weight: 1, arbitrary: fc.integer({ min: 94, max: 99 }) },
  ),
  dice: fc.nat(999),
  side: fc.nat(14),
  layout: fc.nat(7),
  time: fc.nat(40),
  damage: fc.nat(199),
});

/** The text of a session file; `prefix` begins its ids. */
export const sessionTexts = (prefix: string): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.array(step, { maxLength: 14 }) },
      { weight: 1, arbitrary: fc.array(step, { maxLength: 60 }) },
    )
    .map((steps) => write(steps, prefix));

function write(steps: readonly Step[], prefix: string): string {
  const ids: string[] = [];
  const calls: string[] = [];
  const messages: string[] = [];
  let side = -1;
  let text = '';
  for (const [i, each] of steps.entries()) {
    const { spec, dice } = each;
    const isSide = each.side === 0;
    const main = ids.length - 1;
    const uuid = dice % 250 === 249 ? (ids[dice % ids.length] ?? `${prefix}${i}`) : `${prefix}${i}`;
    const named = nameOthers(spec.line, { uuid, ids, calls, messages, dice });
    if (spec.loose) {
      text += damaged(JSON.stringify(named), each.damage);
      continue;
    }
    const parentUuid = 'parentUuid' in named ? named.parentUuid : parentOf(each, isSide ? side : main, ids, prefix, i);
    const minutes = each.time < 36 ? i : each.time;
    const own = { ...named, uuid, parentUuid, isSidechain: isSide, timestamp: timeOf(minutes) };
    text += damaged(inLayout(own, each), each.damage);
    // Lines of a sub-agent are seldom the parent of others.
    if (!isSide || dice % 20 === 0) ids.push(uuid);
    if (isSide) side = ids.length - 1;
  }
  return text;
}

function parentOf({ up }: Step, last: number, ids: readonly string[], prefix: string, i: number): string | null {
  if (up < 60) return ids[last - (up >> 3)] ?? null;
  if (up < 90) return ids[up % (ids.length + 1)] ?? null;
  if (up < 94) return null;
  return ['nowhere', `${prefix}${i + 2}`, `${prefix}${i}`, 'u3', 'v1', null][up - 94] ?? null;
}

interface Known {
  readonly uuid: string;
  readonly ids: readonly string[];
  readonly calls: string[];
  readonly messages: string[];
  readonly dice: number;
}

/** The few ids of a specimen, replaced by such as fit the file: new calls and answers mostly, results of calls made before. */
function nameOthers(line: Json, { uuid, ids, calls, messages, dice }: Known): Json {
  const isCall = line.type === 'assistant';
  const call = (name: string): string => {
    const n = Number(name.slice(1));
    const old = calls[calls.length - n] ?? calls[dice % calls.length];
    if (!isCall) return dice % 11 === 10 ? `T${calls.length}` : (old ?? name);
    if (dice % 12 === 11 && old) return old;
    calls.push(`T${calls.length}`);
    return calls.at(-1) as string;
  };
  const message = (name: string): string => {
    const old = dice % 30 === 29 ? messages[dice % messages.length] : dice % 3 === 0 ? messages.at(-1) : undefined;
    const own = old ?? `${name}_${messages.length}`;
    if (!old) messages.push(own);
    return own;
  };
  const text = JSON.stringify(line)
    .replaceAll('"$"', () => JSON.stringify(`text of ${uuid} "uuid":"${ids[0]}"`))
    .replace(/"(t\d)"/g, (_, name: string) => JSON.stringify(call(name)))
    .replace(/"id":"(m\d)"/g, (_, name: string) => `"id":${JSON.stringify(message(name))}`)
    .replace(/"(logicalParentUuid|leafUuid)":"[a-h]"/g, (_, key: string) => {
      const at = dice % 5 === 0 ? dice % (ids.length + 1) : ids.length - 1;
      return `"${key}":${JSON.stringify(ids[at] ?? null)}`;
    });
  return JSON.parse(text) as Json;
}

/** The orders of members that versions of the agent write, one that none does, and members that only look like ids. */
function inLayout(
  { uuid, parentUuid, isSidechain, type, timestamp, message, ...rest }: Json,
  { layout, dice }: Step,
): string {
  const said = message === undefined ? {} : { message: dice % 9 === 0 ? reversed(message as Json) : message };
  const decoy = dice % 4 === 0 ? { toolUseResult: { uuid: 'u0', parentUuid: 'u1', tool_use_id: 'T0' }, ...rest } : rest;
  const start = { parentUuid, isSidechain };
  if (layout < 2) return JSON.stringify({ ...start, type, ...said, ...decoy, uuid, timestamp });
  if (layout < 4) return JSON.stringify({ ...start, ...said, ...decoy, type, uuid, timestamp });
  if (layout < 6) return JSON.stringify({ ...start, type, ...said, uuid, timestamp, ...decoy });
  if (layout < 7) return JSON.stringify({ uuid, ...decoy, type, timestamp, ...start, ...said });
  return JSON.stringify({ ...start, type, uuid, timestamp, ...said, ...decoy }).replaceAll('":', '" : ');
}

const reversed = (object: Json): Json => Object.fromEntries(Object.entries(object).reverse());

function damaged(line: string, damage: number): string {
  if (damage === 0) return `${line.slice(0, line.length >> 1)}\n`;
  if (damage === 1) return `${line.slice(0, line.length >> 1)}${line}\n`;
  if (damage === 2) return `\0\0${line}\0\n`;
  if (damage === 3) return `\n${line}\r\n`;
  if (damage === 4) return `\ufeff${line}  \n`;
  if (damage === 5) return `${line.slice(0, -1)}\n`;
  return `${line}\n`;
}
