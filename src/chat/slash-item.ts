import { estimateTokens } from './measure.ts';
import type { Part } from './read-part.ts';
import { atTime } from './times.ts';
import type { SlashItem } from './types.ts';

/** A command of the user's own, with the prompt it stands for. */
export function slashItem({ record, content }: Part, time: number): SlashItem {
  const command = content.own.find((block) => block.type === 'command');
  const instructions = [...content.own, ...content.replies]
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n\n');
  return {
    id: `slash-${record.id}`,
    name: command?.name ?? '',
    ...(command?.args ? { args: command.args } : {}),
    ...(instructions === '' ? {} : { instructions, instructionsTokenCount: estimateTokens(instructions.length) }),
    timestamp: atTime(record.time ?? time),
  };
}
