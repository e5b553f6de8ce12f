import type { Certainty } from '../../model/index.ts';
import { type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { isKnownType } from './other-lines.ts';

/** Of a few lines the one that says most: some that Claude Code writes could be anybody's. */
export const sniff = (firstLines: readonly JsonObject[]): Certainty =>
  firstLines.reduce<Certainty>((most, line) => max(most, certaintyOf(line)), 0);

const max = (a: Certainty, b: Certainty): Certainty => (a > b ? a : b);

/**
 *     {"parentUuid":null,"isSidechain":false,"sessionId":"s1","type":"user","message":{"role":"user","content":"fix it"},"uuid":"u1"}
 *     {"type":"summary","summary":"Fixing it","leafUuid":"u9"}
 *     {"type":"user","message":{"role":"user","content":"fix it"}}                        as hooks and other writers leave it
 *
 * That some line of it says `sessionId` is not enough: half of all agents write that.
 */
function certaintyOf(line: JsonObject): Certainty {
  const type = textOf(line.type);
  if (type === null) return 0;
  const isNamed = [line.uuid, line.leafUuid, line.messageId, line.parentUuid].some((id) => textOf(id) !== null);
  const isOwn = textOf(line.sessionId) !== null || typeof line.isSidechain === 'boolean';
  const isKnown = isKnownType(type) && (!isTalk(type) || objectOf(line.message)?.content !== undefined);
  if ((isOwn && isNamed) || (isKnown && (isOwn || isNamed || isTalk(type) || textOf(line.agentId) !== null))) return 2;
  return isNamed ? 1 : 0;
}

/** What is said is said in the words of the interface it came from or goes to. */
const isTalk = (type: string): boolean => type === 'user' || type === 'assistant';
