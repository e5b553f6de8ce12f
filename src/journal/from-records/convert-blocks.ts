import type { Block } from '../../model/index.ts';
import type { ImageContent, TextContent } from '../messages.ts';
import type { Losses } from './losses.ts';

type Content = TextContent | ImageContent;

/** What somebody said, as content of a message: text and images. */
export function saidContent(blocks: readonly Block[], losses: Losses): Content[] {
  return blocks.flatMap((block): Content[] => {
    switch (block.type) {
      case 'text':
      case 'system':
      case 'output':
        return textContent(block.text);
      case 'command':
        return textContent(`${block.name} ${block.args}`.trim());
      case 'teammate':
      case 'notification':
        return textContent(block.text);
      case 'image':
        return [{ type: 'image', data: block.data, mimeType: block.media }];
      case 'result':
        losses.add('results whose call is unknown (kept as text)');
        return resultContent(block.output, losses);
      case 'injected':
        losses.add('texts that the agent put into prompts');
        return [];
      case 'unknown':
        losses.add(`blocks of the type ${block.name}`);
        return [];
      default:
        return [];
    }
  });
}

/** What a tool gave: a text, a list of blocks, or any value. */
export function resultContent(output: unknown, losses: Losses): Content[] {
  if (output === null || output === undefined) return [];
  return (Array.isArray(output) ? output : [output]).flatMap((part) => partContent(part, losses));
}

function partContent(part: unknown, losses: Losses): Content[] {
  if (typeof part === 'string') return textContent(part);
  const { type, text, source, data, mimeType } = (part ?? {}) as Record<string, unknown>;
  if (typeof text === 'string') return textContent(text);
  if (type === 'image') {
    const image = (source ?? { data, media_type: mimeType }) as Record<string, unknown>;
    if (typeof image?.data === 'string')
      return [{ type: 'image', data: image.data, mimeType: String(image.media_type ?? 'image/png') }];
  }
  losses.add('parts of results that are neither text nor image (kept as JSON)');
  return textContent(jsonOf(part) ?? '');
}

const textContent = (text: string): Content[] => (text === '' ? [] : [{ type: 'text', text }]);

/** Null: what was read is nested deeper than can be written. */
export function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return null;
  }
}
