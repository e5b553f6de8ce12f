import { type Block, isUnreadable } from './block.ts';

/** A session without prompts may be called by something else that its files say in so many first lines. */
export const TITLE_LINES = 20;

/** What somebody or something may be called by: the first words of it. */
export function firstWords(blocks: readonly Block[]): string {
  for (const block of blocks) {
    if (isUnreadable(block)) continue;
    if ((block.type === 'text' || block.type === 'teammate') && block.text.trim() !== '') return block.text;
    if (block.type === 'command') return `${block.name} ${block.args}`.trim();
  }
  return '';
}
