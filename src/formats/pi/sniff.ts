import type { Certainty } from '../../model/index.ts';
import { type JsonObject, objectOf, textOf } from '../lines/index.ts';

/**
 * The header is the first line, or the second where oh-my-pi keeps a title that can be overwritten in place before it. A file that lost it
 * still holds messages.
 */
export function sniff(firstLines: readonly JsonObject[]): Certainty {
  if (firstLines.slice(0, 2).some((line) => line.type === 'session' && textOf(line.id) !== null)) return 2;
  return firstLines.some(isMessage) ? 1 : 0;
}

/** `{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"…","message":{"role":"user",…}}` */
const isMessage = ({ type, message }: JsonObject): boolean =>
  type === 'message' && textOf(objectOf(message)?.role) !== null;
