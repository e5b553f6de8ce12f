import type { Block } from '../../model/index.ts';
import { renderAnsi } from './ansi.ts';
import { escapeHtml } from './escape.ts';
import { codeBlock, renderMarkdown } from './markdown.ts';

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Only pictures that are in the log itself, in forms that hold nothing but a picture. */
function renderImage(media: string, data: string): string {
  const code = data.replace(/\s+/g, '');
  const isSafe = PICTURES.has(media) && BASE64.test(code);
  return isSafe
    ? `<img class="picture" alt="image" src="data:${media};base64,${code}">`
    : `<span class="picture">[image ${escapeHtml(media)}]</span>`;
}

/** What people and models said. */
export function renderBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.error ? `<div class="error">${renderMarkdown(block.text)}</div>` : renderMarkdown(block.text);
    case 'thinking':
      return block.text.trim() === ''
        ? '<p class="quiet">thinking (hidden)</p>'
        : `<div class="thought">${renderMarkdown(block.text)}</div>`;
    case 'command':
      return `<p class="command"><code>${escapeHtml(`${block.name} ${block.args}`.trim())}</code></p>`;
    case 'output':
      return block.text.trim() === '' ? '' : `<pre class="out ${block.stream}">${renderAnsi(block.text)}</pre>`;
    case 'image':
      return renderImage(block.media, block.data);
    case 'system':
      return `<p class="system">${escapeHtml(block.text)}</p>`;
    case 'teammate':
      return `<p class="quiet">${escapeHtml(block.from)}${block.summary ? `: ${escapeHtml(block.summary)}` : ''}</p>${renderMarkdown(block.text)}`;
    case 'notification':
      return `<p>${escapeHtml(block.summary || block.status || 'notification')}</p>${block.result ? renderMarkdown(block.result) : ''}`;
    case 'injected':
      return `<pre class="raw">${escapeHtml(block.text)}</pre>`;
    case 'unknown':
      return `<p class="quiet">${escapeHtml(block.name)}</p>${renderJson(block.json)}`;
    default:
      return '';
  }
}

export const renderJson = (value: unknown): string => codeBlock(stringify(value), 'json');

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? '';
  } catch {
    return '…';
  }
}

/** The parts of a result: texts as they are, pictures, the rest by name. */
export function renderOutput(output: unknown, text: (text: string) => string): string {
  if (typeof output === 'string') return output.trim() === '' ? '' : text(output);
  if (!Array.isArray(output)) return output === null || output === undefined ? '' : renderJson(output);
  return output
    .map((part: { type?: unknown; text?: unknown; source?: { media_type?: unknown; data?: unknown } } | null) => {
      if (typeof part?.text === 'string') return text(part.text);
      const { media_type, data } = part?.source ?? {};
      if (part?.type === 'image' && typeof media_type === 'string' && typeof data === 'string')
        return renderImage(media_type, data);
      return renderJson(part);
    })
    .join('');
}

export const renderPlain = (text: string): string => `<pre class="out">${renderAnsi(text)}</pre>`;
