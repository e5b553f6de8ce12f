import type { ChainLine, SubagentId } from '../model/index.ts';
import type { FileState, Node, Slot, Spot } from './nodes.ts';
import { claimsOn } from './slots.ts';

/**
 * The same id with the same content and meaning, on the main line or in the same sub-agent, is the same line. A skipped line stands for
 * itself in each file: it may not connect them (H7, H9).
 */
export function findTwin(slot: Slot, file: FileState, line: ChainLine, scope: SubagentId | null): Node | null {
  const { first } = slot;
  if (!first) return null;
  const { rivals } = slot;
  if (!rivals) return isTwin(first, file, line, scope) ? first : null;
  rivals.bySign ??= new Map(claimsOn(slot).map((node) => [signOf(node), node]));
  return rivals.bySign.get(writeSign(line, scope, detailOf(line, file, callsOf(line)))) ?? null;
}

/** The same for a line that is there already. */
export function twinOf(slot: Slot, node: Node): Node | null {
  const sign = signOf(node);
  return claimsOn(slot).find((other) => signOf(other) === sign) ?? null;
}

/**
 * Whether a line most likely repeats another one, which stays the original: files come in the order of their paths. Cheaper than to find
 * its twin, and no more than a guess.
 */
export function seemsCopied(slot: Slot | null, { digest, more }: ChainLine): boolean {
  const known = slot?.first?.spot;
  return known?.digest === digest && (known.more?.forked !== true || more?.forked === true);
}

function isTwin(node: Node, file: FileState, line: ChainLine, scope: SubagentId | null): boolean {
  const { spot } = node;
  if (spot.digest !== line.digest || spot.kind !== line.kind || node.scope !== scope) return false;
  if (spot.place.as !== line.place.as) return false;
  return detailOf(spot, spot.file, answeredBy(node)) === detailOf(line, file, callsOf(line));
}

export function signOf(node: Node): string {
  return writeSign(node.spot, node.scope, detailOf(node.spot, node.spot.file, answeredBy(node)));
}

type Content = Pick<Spot, 'digest' | 'kind' | 'place'>;

const writeSign = ({ digest, kind, place }: Content, scope: SubagentId | null, detail: string | number): string =>
  `${digest} ${kind} ${place.as} ${detail} ${scope}`;

/** `calls`: those it brings results of. */
function detailOf({ place }: Content, file: FileState, calls: readonly string[]): string | number {
  if (place.as === 'part') return place.of;
  if (place.as === 'annotation' || (place.as === 'reply' && place.otherwise === 'annotation')) return file.index;
  return calls.join(' ');
}

const NONE: readonly string[] = [];
const callsOf = ({ place }: ChainLine): readonly string[] =>
  place.as === 'result' ? place.of.map(({ call }) => call) : NONE;

function answeredBy(node: Node): readonly string[] {
  if (!node.result) return NONE;
  const calls: string[] = [];
  for (let result: Node['result'] = node.result; result; result = result.also) calls.push(result.slot.key);
  return calls;
}
