import { writeJson } from '../../model/index.ts';
import { fieldsOf, textOf } from './json-values.ts';

/** What a tool gave, as text: a string, a list of text blocks and others, or any value. */
export function contentText(content: unknown): string {
  if (content === undefined || content === null) return '';
  return Array.isArray(content) ? content.map(partText).join('\n') : partText(content);
}

/** Their data are no text. */
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'document']);

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const block = fieldsOf(part);
  if (!block) return writeJson(part);
  if (typeof block.text === 'string') return block.text;
  if (MEDIA.has(block.type)) return `[${block.type}]`;
  if (block.type === 'tool_reference') return textOf(block.tool_name) ?? '[tool]';
  const resource = block.type === 'resource' ? fieldsOf(block.resource) : null;
  if (resource) return textOf(resource.text) ?? textOf(resource.uri) ?? '[resource]';
  return writeJson(part);
}
