import { type Block, writeJson } from '../../model/index.ts';
import { sayCompaction } from '../say-compaction.ts';
import { renderAnsi } from './ansi.ts';
import { escapeHtml } from './escape.ts';
import { foldLong } from './fold-long.ts';
import { codeBlock, renderMarkdown } from './markdown.ts';

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Only pictures that are in the log itself, in forms that hold nothing but a picture. */
function renderImage(media: string, data: string): string {
  const code = data.replace(/\s+/g, '');
  const isSafe = PICTURES.has(media) && BASE64.test(code);
  return isSafe
    ? `<img class="picture" alt="attachment" src="data:${media};base64,${code}">`
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
    case 'compaction':
      return renderQuiet(sayCompaction(block));
    case 'injected':
      return `<pre class="raw">${escapeHtml(block.text)}</pre>`;
    case 'unknown':
      return `<p class="quiet">${escapeHtml(block.name)}</p>${renderJson(block.json)}`;
    case 'result':
      return `${renderQuiet(`result of ${block.of}`)}${renderOutput(block.output, (said) => foldLong(renderPlain(said), said))}`;
    default:
      return '';
  }
}

const renderQuiet = (said: string): string => (said === '' ? '' : `<p class="quiet">${escapeHtml(said)}</p>`);

export const renderJson = (value: unknown): string => codeBlock(writeJson(value, 2), 'json');

interface OutputPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly tool_name?: unknown;
  readonly mimeType?: unknown;
  readonly data?: unknown;
  readonly source?: { readonly media_type?: unknown; readonly data?: unknown } | null;
}

/** The parts of a result: texts as they are, pictures, the rest by name. */
export function renderOutput(output: unknown, text: (text: string) => string): string {
  if (typeof output === 'string') return output.trim() === '' ? '' : text(output);
  if (!Array.isArray(output)) return output === null || output === undefined ? '' : renderJson(output);
  return output
    .map((part: OutputPart | string | null) => {
      if (typeof part === 'string') return text(part);
      if (typeof part?.text === 'string') return text(part.text);
      if (part?.type === 'tool_reference' && typeof part.tool_name === 'string')
        return `<p><code>${escapeHtml(part.tool_name)}</code></p>`;
      // Claude Code keeps a picture in its `source`, Pi in the block itself.
      const media = part?.source?.media_type ?? part?.mimeType;
      const data = part?.source?.data ?? part?.data;
      if (part?.type === 'image' && typeof media === 'string' && typeof data === 'string')
        return renderImage(media, data);
      return renderJson(part);
    })
    .join('');
}

export const renderPlain = (text: string): string => `<pre class="out">${renderAnsi(text)}</pre>`;
