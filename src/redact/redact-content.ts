import type { Block, LogRecord, RecordContent } from '../model/index.ts';
import type { Redactor } from './redactor.ts';

/** Everything a record says, without what must not leave the machine. Pictures cannot be looked through: they are taken out. */
export function redactContent(redactor: Redactor, record: LogRecord, content: RecordContent): RecordContent {
  redactor.at(`${record.session}#${record.id}`);
  const clean = (blocks: readonly Block[]): Block[] => blocks.map((block) => redactBlock(redactor, block));
  return {
    own: clean(content.own),
    replies: clean(content.replies),
    results: new Map(
      [...content.results].map(([id, { block, more, body, time }]) => [
        id,
        {
          block: redactBlock(redactor, block) as typeof block,
          more: clean(more) as (typeof block)[],
          body: clean(body),
          time,
        },
      ]),
    ),
    annotations: content.annotations.map(clean),
  };
}

function redactBlock(redactor: Redactor, block: Block): Block {
  if (block.type === 'image') return { ...block, data: '' };
  const { at, ...rest } = block;
  return { ...(redactor.redactJson(withoutPictures(rest)) as object), at } as Block;
}

/** `{"type":"image","source":{"data":"…"}}` in a result. */
function withoutPictures(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object' || depth > 50) return value;
  if (Array.isArray(value)) return value.map((item) => withoutPictures(item, depth + 1));
  const { type, source, base64 } = value as { type?: unknown; source?: unknown; base64?: unknown };
  if (type === 'image' && source !== undefined) return { type, source: null };
  const entries = Object.entries(value).map(([key, each]) => [key, withoutPictures(each, depth + 1)]);
  const copy = Object.fromEntries(entries);
  return base64 === undefined ? copy : { ...copy, base64: '' };
}
