import type { Warning } from '../../model/index.ts';
import { compareShape, type JsonObject, objectOf, textOf } from '../lines/index.ts';
import { ATTACHMENT_TYPES, KNOWN_BLOCKS, SHAPES, SYSTEM_SUBTYPES } from './shapes.ts';

/** Names everything in a line that no version known to us has. Null when there is nothing, which is the usual case. */
export function checkLine(object: JsonObject, type: string): Warning[] | null {
  const known = SHAPES.get(type);
  let found = known ? compareShape(object, known, type, null) : null;
  if (type === 'user' || type === 'assistant') {
    const content = objectOf(object.message)?.content;
    if (Array.isArray(content)) for (const block of content) found = checkBlock(block, type, found);
    else if (typeof content !== 'string')
      found = push(found, shapeWarning(`${type}.message.content`, describe(content)));
  } else if (type === 'system') found = checkName(object.subtype, SYSTEM_SUBTYPES, 'system', found);
  else if (type === 'attachment')
    found = checkName(objectOf(object.attachment)?.type, ATTACHMENT_TYPES, 'attachment', found);
  return found;
}

const DEPTH = 3;

const MISSING_ID: Warning = {
  type: 'missing_required_field',
  detail: 'tool_use.id',
  message: 'A tool_use block has no id: no result can belong to it',
};

function checkBlock(block: unknown, path: string, found: Warning[] | null, depth = 0): Warning[] | null {
  if (typeof block === 'string') return found;
  const object = objectOf(block);
  if (!object) return push(found, shapeWarning(`${path} block`, describe(block)));
  if (!KNOWN_BLOCKS.has(object.type)) return push(found, shapeWarning(`${path} block`, nameOf(object.type)));
  if (object.type === 'tool_use' && textOf(object.id) === null) found = push(found, MISSING_ID);
  if (Array.isArray(object.content) && depth < DEPTH)
    for (const inner of object.content) found = checkBlock(inner, `${path} ${object.type}`, found, depth + 1);
  return found;
}

function checkName(
  name: unknown,
  known: ReadonlySet<unknown>,
  path: string,
  found: Warning[] | null,
): Warning[] | null {
  return name === undefined || name === null || known.has(name)
    ? found
    : push(found, unknownType(`${path}/${nameOf(name).slice(0, 60)}`));
}

export const unknownType = (name: string): Warning => ({
  type: 'unknown_record_type',
  detail: name,
  message: `Unknown record type: ${name}`,
});

const shapeWarning = (where: string, what: string): Warning => ({
  type: 'unexpected_content_shape',
  detail: `${where}: ${what.slice(0, 60)}`,
  message: `Unexpected ${where}: ${what.slice(0, 60)}`,
});

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : (textOf(value) ?? typeof value);

/** An object may say itself how it becomes text, and so make it fail. */
const nameOf = (value: unknown): string => (typeof value === 'object' ? describe(value) : String(value));

function push(found: Warning[] | null, warning: Warning): Warning[] {
  if (!found) return [warning];
  found.push(warning);
  return found;
}
