import type { Key, Usage } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { type PriceTable, shippedPrices, windowOf } from '../usage/index.ts';
import { type CategoryTokens, noTokens, sumTokens } from './categories.ts';
import type { ContextPart, ContextView, Phase, ResponseContext } from './context-view.ts';

/** One message as it is given to the model. */
export interface ContextMessage {
  readonly record: Key;
  readonly role: ContextPart['role'];
  readonly tokens: number;
  readonly parts: readonly ContextPart[];
}

/** What the model has before it when it goes on after a record. */
export interface ContextWindow {
  readonly record: Key;
  readonly phase: Phase;
  /** In order. */
  readonly messages: readonly ContextMessage[];
  readonly categories: CategoryTokens;
  /** The sum of the estimates. */
  readonly tokens: number;
  /** The last response up to there: what the provider counted for it is told there. */
  readonly response: ResponseContext | null;
  readonly model: string | null;
  /** Tokens that fit; null when nobody told. */
  readonly size: number | null;
}

/** The window after a record of the thread, with what the record itself added; null when it is not on the thread. */
export function windowAt(
  view: ContextView,
  tree: Tree,
  record: Key,
  prices: PriceTable = shippedPrices,
): ContextWindow | null {
  const path = tree.path(view.session, view.thread);
  const id = tree.record(record)?.id ?? record;
  const place = path.indexOf(id);
  const seen = new Set(path.slice(0, place + 1));
  const phase = place < 0 ? undefined : view.phases.findLast((each) => seen.has(each.record));
  if (!phase) return null;
  const responses = view.responses.filter((each) => each.phase === phase.number);
  const all = [...responses.flatMap(({ added, answer }) => [added, answer]), phase.rest].flat();
  const parts = all.filter((part) => seen.has(part.record));
  const categories = noTokens();
  for (const { category, tokens } of parts) categories[category] += tokens;
  const tokens = sumTokens(categories);
  const response = responses.findLast((each) => seen.has(each.record)) ?? null;
  const model = modelAt(view, tree, path.slice(0, place + 1)) ?? view.responses.map(modelOf).find(Boolean) ?? null;
  const used = Math.max(response?.reported ?? 0, tokens);
  const size = model === null ? null : windowOf(model, used, prices);
  return { record: id, phase, messages: messagesOf(parts), categories, tokens, response, model, size };
}

function messagesOf(parts: readonly ContextPart[]): ContextMessage[] {
  const groups: ContextPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last?.[0]?.record === part.record && last[0].message === part.message) last.push(part);
    else groups.push([part]);
  }
  return groups.map((group) => ({
    record: group[0]?.record ?? '',
    role: group[0]?.role ?? 'user',
    tokens: group.reduce((sum, part) => sum + part.tokens, 0),
    parts: group,
  }));
}

/** The last that answered, unless another was chosen since. */
function modelAt(view: ContextView, tree: Tree, path: readonly Key[]): string | null {
  const chosen = new Map<Key, unknown>();
  for (const { type, about, value } of tree.session(view.session).facts)
    if (type === 'model_change' && about !== null) chosen.set(about, (value as { model?: unknown } | null)?.model);
  for (let i = path.length - 1; i >= 0; i--) {
    const record = tree.record(path[i] ?? '');
    const choice = record?.annotations.findLast(({ key }) => key !== null && typeof chosen.get(key) === 'string');
    if (choice?.key) return String(chosen.get(choice.key));
    const model = record && modelOf(record);
    if (model) return model;
  }
  return null;
}

const modelOf = ({ usage }: { readonly usage: Usage | null }): string | null =>
  usage && !UNKNOWN.has(usage.model) ? usage.model : null;

/** What stands for a model where none answered. */
const UNKNOWN: ReadonlySet<string> = new Set(['<synthetic>', 'unknown', '']);
