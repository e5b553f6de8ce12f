import type { Warning } from '../../model/index.ts';
import { compareShape, type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { BLOCKS, ENTRIES, type Known, ROLES } from './shapes.ts';
import { missing, oddContent, unknownType } from './warnings.ts';

/** Names what nobody has seen yet in an entry, at every level of it, and what it should have. */
export function checkEntry(object: JsonObject, found: Warning[]): void {
  const type = textOf(object.type);
  if (type === null) {
    found.push(missing('type'));
    return;
  }
  const known = ENTRIES.get(type);
  if (!known) {
    found.push(unknownType(type));
    return;
  }
  compare(object, known, found);
  if (type === 'message') checkMessage(object.message, found);
}

function checkMessage(value: unknown, found: Warning[]): void {
  const message = objectOf(value);
  if (!message) return;
  const role = textOf(message.role);
  const known = role === null ? undefined : ROLES.get(role);
  if (known) compare(message, known, found);
  else found.push(role === null ? missing('message.role') : unknownType(`message.${role}`));
}

function compare(object: JsonObject, { shape, path, needs, blocks }: Known, found: Warning[]): void {
  compareShape(object, shape, path, found);
  for (const key of needs) if (object[key] === undefined || object[key] === null) found.push(missing(`${path}.${key}`));
  if (blocks !== null) checkContent(object.content, blocks, found);
}

/** Content is a text or a list of blocks. */
function checkContent(content: unknown, path: string, found: Warning[]): void {
  if (Array.isArray(content)) for (const item of content) checkBlock(objectOf(item), path, found);
  else if (content !== undefined && content !== null && typeof content !== 'string') found.push(oddContent(path));
}

function checkBlock(block: JsonObject | null, path: string, found: Warning[]): void {
  const type = textOf(block?.type);
  const known = type === null ? undefined : BLOCKS.get(type);
  if (!block || !known) {
    found.push(oddContent(type === null ? path : `${path}.${type}`));
    return;
  }
  compareShape(block, known, `${path}.${type}`, found);
  if (type === 'toolCall' && textOf(block.id) === null) found.push(missing(`${path}.toolCall.id`));
}
