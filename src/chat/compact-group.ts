import type { LogRecord, Usage } from '../model/index.ts';
import type { Part } from './read-part.ts';
import { atTime } from './times.ts';
import type { CompactGroup, CompactionTokenDelta } from './types.ts';

/** `before`, `after`: the responses around it. `phase`: null for a summary of a branch, which empties nothing. */
export function compactGroup(
  part: Part,
  time: number,
  phase: number | null,
  before: LogRecord | null,
  after: LogRecord | null,
): CompactGroup {
  const { record, content } = part;
  const texts = [...content.own, ...content.replies].flatMap((block) =>
    block.type === 'text' ? [block.text.trim()] : [],
  );
  const delta = phase === null ? null : deltaOf(part, before?.usage ?? null, after?.usage ?? null);
  return {
    id: `compact-${record.id}`,
    timestamp: atTime(time),
    message: record,
    // A boundary is one sentence; what follows it is the summary.
    summary: texts.filter((text) => text !== '').at(-1) ?? '',
    ...(delta ? { tokenDelta: delta } : {}),
    ...(phase === null ? {} : { startingPhaseNumber: phase }),
  };
}

/** What the boundary itself says wins over the responses around it (C14). */
function deltaOf({ content }: Part, before: Usage | null, after: Usage | null): CompactionTokenDelta | null {
  const said = content.own.find((block) => block.type === 'compaction');
  const pre = said?.before ?? (before ? total(before) : null);
  const post = said?.after ?? (after ? total(after) : null);
  return pre === null || post === null ? null : { pre, post, delta: post - pre };
}

const total = (usage: Usage): number =>
  usage.input + usage.output + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
