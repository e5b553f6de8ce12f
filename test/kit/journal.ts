import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { AgentMessage, AssistantMessage, SessionEntry, UserMessage } from '../../src/journal/index.ts';

export const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
export const HEADER = { type: 'session', version: 3, id: 'S', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' };

export const user = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 });

export const assistant = (text: string): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  api: 'anthropic-messages',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: COST },
  stopReason: 'stop',
  timestamp: 2,
});

/** A line of version 3; the time grows with the number in its id. */
export const line = (id: string, parentId: string | null, more: object = { message: user(id) }): SessionEntry =>
  ({
    type: 'message',
    id,
    parentId,
    timestamp: new Date(Date.UTC(2026, 0, 1) + 1000 * Number(/\d+$/.exec(id)?.[0] ?? 0)).toISOString(),
    ...more,
  }) as SessionEntry;

/** What a message says, in a word. */
export function wordOf(message: AgentMessage): string {
  if ('summary' in message) return `${message.role}:${message.summary}`;
  const content = 'content' in message ? message.content : '';
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' ');
}

/** A folder for the time a test file runs. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'skein-journal-'));
  #count = 0;

  constructor() {
    afterAll(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** A new folder in it. */
  dir(): string {
    return mkdtempSync(join(this.path, 'dir-'));
  }

  /** A file of lines, or of text as it stands. */
  file(content: readonly object[] | string): string {
    const path = join(this.path, `${this.#count++}.jsonl`);
    writeFileSync(path, typeof content === 'string' ? content : textOf(content));
    return path;
  }
}

export const textOf = (lines: readonly object[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Every line of a file must be JSON. */
export const linesIn = (path: string | undefined): SessionEntry[] =>
  readFileSync(path ?? '', 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));
