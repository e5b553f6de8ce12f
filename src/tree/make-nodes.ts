import type { ChainLine, Edge, Env, Origin, QueueLine, SubagentId } from '../model/index.ts';
import { sameEnv } from '../model/index.ts';
import type { FileState, Node, ResultPlace, Slot, Spot, SpotMore, SpotPlace } from './nodes.ts';

/** A copy of a line that has a node already. */
export function spotOf(line: ChainLine, file: FileState): Spot {
  return {
    file,
    lineNumber: line.ref.line,
    offset: line.ref.offset,
    bytes: line.ref.bytes,
    node: null,
    key: line.key,
    parent: line.parent,
    kind: line.kind,
    place: placeOf(line),
    since: sinceOf(line, file),
    usage: line.usage,
    stop: line.stop,
    digest: line.digest,
    env: envOf(line, file),
    more: moreOf(line),
  };
}

/** `slot`: that of its id, where there is one already. The fields of a spot are written out again: to copy them would be most of the work. */
export function newNode(
  line: ChainLine | QueueLine,
  file: FileState,
  slot: Slot | null,
  scope: SubagentId | null,
): Node {
  const node: Omit<Node, 'node' | 'spot' | 'slot'> & { node: Node | null; spot: Spot | null; slot: Slot | null } = {
    file,
    lineNumber: line.ref.line,
    offset: line.ref.offset,
    bytes: line.ref.bytes,
    node: null,
    spot: null,
    draft: null,
    role: 'none',
    scope,
    key: line.key,
    first: null,
    children: null,
    rivals: null,
    slot,
    copies: null,
    parentSlot: null,
    sibling: null,
    target: null,
    anchor: null,
    main: null,
    holder: undefined,
    site: null,
    result: null,
    place: placeOf(line),
    parent: line.parent,
    kind: line.kind,
    since: sinceOf(line, file),
    usage: line.usage,
    stop: line.stop,
    digest: line.digest,
    env: envOf(line, file),
    more: moreOf(line),
  };
  node.slot ??= node as Slot;
  node.spot = node as Spot;
  return node as Node;
}

function sinceOf({ time }: ChainLine | QueueLine, file: FileState): number | null {
  if (time === null) return null;
  file.began ??= time;
  const since = time - file.began;
  // A difference of large numbers takes memory also where it is small.
  const small = since | 0;
  return small === since ? small : since;
}

function moreOf(line: ChainLine | QueueLine): SpotMore | null {
  const { more, edge, origin } = line;
  if (line.in === 'queue') return { ...more, edge, origin, step: line.empty ? 'silent' : 'text' };
  if (edge === 'parent' && origin === null) return more;
  return more ? { ...more, edge, origin } : edgeOf(edge, origin);
}

/** There are few of them. */
const EDGES: SpotMore[] = [];

function edgeOf(edge: Edge, origin: Origin | null): SpotMore {
  let known = EDGES.find((each) => each.edge === edge && each.origin === origin);
  if (!known) {
    known = { edge, origin };
    EDGES.push(known);
  }
  return known;
}

/** Equal neighbours share one object, also where they were read one after the other. */
function envOf({ env }: ChainLine | QueueLine, file: FileState): Env {
  if (file.env === null || !sameEnv(file.env, env)) file.env = env;
  return file.env;
}

const placeOf = ({ place }: ChainLine | QueueLine): SpotPlace => (place.as === 'result' ? resultPlace(place) : place);
const RESULTS = [false, true].flatMap((text) => [false, true].map((body): SpotPlace => ({ as: 'result', text, body })));
const resultPlace = ({ text, body }: ResultPlace): SpotPlace => RESULTS[(text ? 2 : 0) + (body ? 1 : 0)] as SpotPlace;
