import type { AgentMessage, SystemMessage } from './messages.ts';
import { contentText, listOf } from './values.ts';

/** The system prompt and tools as they stand after all system messages; undefined if there were none. */
export function getCurrentSystemMessage(messages: readonly AgentMessage[]): SystemMessage | undefined {
  const content: string[] = [];
  const sections = new Map<string, string>();
  const tools = new Map<string, { name: string }>();
  let timestamp: number | undefined;
  for (const message of messages) {
    if (message.role !== 'system') continue;
    timestamp ??= message.timestamp;
    const text = contentText(message.content, '\n');
    if (text !== '') content.push(text);
    for (const [name, value] of Object.entries(message.sections ?? {})) {
      if (value === null) sections.delete(name);
      else sections.set(name, value);
    }
    for (const { name } of listOf(message.toolsRemoved)) tools.delete(name);
    for (const tool of listOf(message.toolsAdded)) tools.set(tool.name, tool);
  }
  if (timestamp === undefined && tools.size === 0) return undefined;
  return {
    role: 'system',
    content: content.join('\n\n'),
    ...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
    ...(tools.size > 0 ? { toolsAdded: [...tools.values()] } : {}),
    timestamp: timestamp ?? 0,
  };
}
