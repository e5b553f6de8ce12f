import type { Fact, Key } from '../../model/index.ts';
import { numberOf, objectOf, textOf } from '../lines/index.ts';
import { type Entry, factOf } from './entry.ts';

/**
 * Entries that change the state of a session and say nothing in it. Bulky values (data of extensions, system prompts) stay in the file.
 * Null: nobody knows the type.
 */
export function readState(type: string, entry: Entry): readonly Fact[] | null {
  const read = Object.hasOwn(STATES, type) ? STATES[type] : undefined;
  return read ? read(entry) : null;
}

type ReadState = (entry: Entry) => readonly Fact[];

const value =
  (read: (entry: Entry) => unknown): ReadState =>
  (entry) => [factOf(entry, String(entry.object.type), entry.key, read(entry))];

const onTarget =
  (read: (entry: Entry) => unknown): ReadState =>
  (entry) => [factOf(entry, String(entry.object.type), targetOf(entry), read(entry))];

const STATES: Readonly<Record<string, ReadState>> = {
  // {"type":"label","targetId":"a1b2c3d4","label":"before the refactoring"}; no label: it was taken away
  label: onTarget(({ object }) => textOf(object.label)?.toWellFormed() ?? null),
  // {"type":"archive","targetId":"a1b2c3d4","archived":true}
  archive: onTarget(({ object }) => object.archived === true),
  // {"type":"context_edit","targetId":"a1b2c3d4","replacement":null}; null: left out of the context
  context_edit: onTarget(({ object }) => (objectOf(object.replacement) ? 'replaced' : 'omitted')),
  // {"type":"model_change","provider":"anthropic","modelId":"claude-sonnet-4-5"}
  // {"type":"model_change","model":"anthropic/claude-sonnet-4-5","role":"default"}
  model_change: value(readModel),
  // {"type":"thinking_level_change","thinkingLevel":"high"}
  thinking_level_change: value(({ object }) => textOf(object.thinkingLevel)),
  // {"type":"mode_change","mode":"plan","data":{…}}
  mode_change: value(({ object }) => textOf(object.mode)),
  // {"type":"service_tier_change","serviceTier":{"openai":"priority"}}
  service_tier_change: value(({ object }) => object.serviceTier ?? null),
  // {"type":"ttsr_injection","injectedRules":["no-any"]}
  ttsr_injection: value(({ object }) => (Array.isArray(object.injectedRules) ? object.injectedRules : [])),
  // {"type":"custom","customType":"todo","data":{…}}
  custom: value(({ object }) => textOf(object.customType)),
  // {"type":"session_init","systemPrompt":["…"],"task":"…","tools":["read"],"agent":"scout"}
  session_init: value(({ object }) => textOf(object.agent)),
  // {"type":"credential_pin","provider":"anthropic","hash":"…"}
  credential_pin: value(({ object }) => textOf(object.provider)),
  // {"type":"model_usage","purpose":"title","role":"tiny","provider":"…","model":"…","usage":{…}}
  model_usage: value(({ object }) => textOf(object.purpose)),
  // {"type":"usage","kind":"cache_warm","provider":"…","model":"…","usage":{…}}
  usage: value(({ object }) => textOf(object.kind)),
  // {"type":"reset_boundary"}: /clear was given here
  reset_boundary: value(() => null),
  // {"type":"session_info","name":"parser rewrite"}; no name: it was taken away
  session_info: (entry) => [titleFact(entry, entry.object.name, 'user')],
  // {"type":"title_change","title":"parser rewrite","source":"auto"}
  title_change: (entry) => [titleFact(entry, entry.object.title, entry.object.source)],
};

export const titleFact = (entry: Pick<Entry, 'ref'>, title: unknown, source: unknown): Fact => ({
  type: 'title',
  about: null,
  value: { text: textOf(title)?.toWellFormed() ?? '', by: source === 'auto' ? 'agent' : 'user' },
  ref: entry.ref,
});

function targetOf({ object, scope }: Entry): Key | null {
  const target = textOf(object.targetId);
  return target === null ? null : scope.key(target);
}

/** oh-my-pi writes one name where Pi writes two, under the same version. */
function readModel({ object }: Entry): unknown {
  const whole = textOf(object.model);
  const slash = whole?.indexOf('/') ?? -1;
  const provider = textOf(object.provider) ?? (slash > 0 ? whole?.slice(0, slash) : null);
  const model = textOf(object.modelId) ?? whole?.slice(slash + 1) ?? null;
  return { provider: provider ?? null, model, role: textOf(object.role) };
}

/** `{"type":"session","version":3,"id":"…","timestamp":"…","cwd":"/p","parentSession":"/p/parent.jsonl"}`; `branchedFrom` in version 1. */
export const sessionFact = ({ object, ref, scope }: Pick<Entry, 'object' | 'ref' | 'scope'>): Fact => ({
  type: 'session',
  about: null,
  value: {
    id: textOf(object.id),
    version: numberOf(object.version) ?? 1,
    cwd: textOf(object.cwd),
    parentSession: textOf(object.parentSession) ?? textOf(object.branchedFrom),
    title: scope.hasTitleSlot ? null : textOf(object.title),
  },
  ref,
});
