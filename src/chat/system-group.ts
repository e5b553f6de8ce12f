import type { Part } from './read-part.ts';
import { atTime } from './times.ts';
import type { SystemGroup } from './types.ts';

/** What a command printed, or what somebody who is neither human nor agent said. */
export function systemGroup({ record, category, content, output }: Part, time: number): SystemGroup {
  const command = content.own.find((block) => block.type === 'command');
  const texts = content.own.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isCommand = category === 'command';
  return {
    id: `system-${record.id}`,
    message: record,
    timestamp: atTime(time),
    commandOutput: isCommand ? output : texts.join('\n\n'),
    ...(command ? { commandName: command.name } : isCommand ? {} : { commandName: record.kind }),
  };
}
