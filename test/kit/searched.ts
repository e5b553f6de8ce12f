import type { Searched } from '../../src/search/index.ts';

/** A message with a text, and with whatever a test is about. */
export const searched = (text: string, more: Partial<Searched> = {}): Searched => ({
  text,
  project: ['-home-ada-clock', '/home/ada/clock'],
  session: ['5e551011'],
  agent: 'claude-code',
  type: 'user',
  tool: null,
  model: null,
  branch: 'main',
  files: [],
  isError: false,
  isSidechain: false,
  isSubagent: false,
  hasImage: false,
  time: Date.UTC(2026, 10, 2, 12),
  ...more,
});
