/** What fills a window, in the order it is shown. */
export const CATEGORIES = [
  'claude_md',
  'mentioned_files',
  'tool_outputs',
  'task_coordination',
  'user_messages',
  'thinking_and_text',
  'system',
] as const;

/**
 * - `claude_md`: CLAUDE.md and memory files, as far as the log shows them: a file that was not seen counts 0
 * - `mentioned_files`: files named with `@`, and what the agent put back after a compaction
 * - `tool_outputs`: calls, what came back, and the text of skills
 * - `task_coordination`: messages between agents, task lists of a team, notifications
 * - `user_messages`: prompts, commands with what they expand to and print, shell escapes
 * - `thinking_and_text`: what the model thought and said
 * - `system`: hooks, reminders, summaries of compactions and branches, other injected text
 */
export type Category = (typeof CATEGORIES)[number];

export type CategoryTokens = Readonly<Record<Category, number>>;

export const noTokens = (): Record<Category, number> => ({
  claude_md: 0,
  mentioned_files: 0,
  tool_outputs: 0,
  task_coordination: 0,
  user_messages: 0,
  thinking_and_text: 0,
  system: 0,
});

export const sumTokens = (tokens: CategoryTokens): number =>
  CATEGORIES.reduce((sum, category) => sum + tokens[category], 0);

/** Tools with which agents of a team speak to each other. */
const COORDINATION: ReadonlySet<string> = new Set([
  'SendMessage',
  'TeamCreate',
  'TeamDelete',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'TaskGet',
]);

export const categoryOfTool = (name: string): Category =>
  COORDINATION.has(name) ? 'task_coordination' : 'tool_outputs';
