import type { Block } from '../model/index.ts';

/** `123,456 → 7,890 tokens, manual`; empty when the log says nothing about it. */
export function sayCompaction({ trigger, before, after }: Block & { readonly type: 'compaction' }): string {
  const tokens = [before, after].flatMap((count) => (count === null ? [] : [count.toLocaleString('en')])).join(' → ');
  return [tokens === '' ? '' : `${tokens} tokens`, trigger ?? ''].filter(Boolean).join(', ');
}
