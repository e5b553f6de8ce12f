import type { ChainLine, Place, SubagentId } from '../model/index.ts';
import type { FileState, Node, Slot } from './nodes.ts';

/**
 * The same id with the same content and meaning, on the main line or in the same sub-agent, is the same line. A skipped line stands for
 * itself in each file: it may not connect them (H7, H9).
 */
export function findTwin(slot: Slot, file: FileState, line: ChainLine, scope: SubagentId | null): Node | undefined {
  if (!slot.first) return undefined;
  if (!slot.others) return isTwin(slot.first, file, line, scope) ? slot.first : undefined;
  slot.bySign ??= new Map(slot.nodes.map((node) => [signOf(node.line, node.scope, node.spot.file), node]));
  return slot.bySign.get(signOf(line, scope, file));
}

function isTwin(node: Node, file: FileState, line: ChainLine, scope: SubagentId | null): boolean {
  const other = node.line;
  if (other.digest !== line.digest || other.kind !== line.kind || node.scope !== scope) return false;
  const place = line.place;
  if (place.as !== other.place.as) return false;
  return detailOf(place, file) === detailOf(other.place, node.spot.file);
}

export function signOf(
  { digest, kind, place }: Pick<ChainLine, 'digest' | 'kind' | 'place'>,
  scope: SubagentId | null,
  file: FileState,
): string {
  return `${digest} ${kind} ${place.as} ${detailOf(place, file)} ${scope}`;
}

function detailOf(place: Place, file: FileState): string | number {
  if (place.as === 'part') return place.of;
  if (place.as === 'annotation' || (place.as === 'reply' && place.otherwise === 'annotation')) return file.index;
  return place.as === 'result' ? place.of.map(({ call }) => call).join(' ') : '';
}
