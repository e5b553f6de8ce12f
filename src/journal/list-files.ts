import { messageOf, type SessionEntry } from './entries.ts';
import { listOf } from './values.ts';

/** What was done to files, by path. */
export interface FileOperations {
  read: Set<string>;
  written: Set<string>;
  edited: Set<string>;
}

export interface FileLists {
  /** Read and not changed. */
  readFiles: string[];
  modifiedFiles: string[];
}

/** The files that tool calls name, and those that older summaries of ours list. */
export function fileOperations(entries: readonly SessionEntry[]): FileOperations {
  const [read, written, edited] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const byTool = new Map([
    ['read', read],
    ['write', written],
    ['edit', edited],
  ]);
  for (const entry of entries) {
    if (entry.type === 'branch_summary' || entry.type === 'compaction') {
      if (entry.fromHook || entry.fromExtension) continue;
      const { readFiles, modifiedFiles } = (entry.details ?? {}) as Partial<FileLists>;
      addTexts(read, readFiles);
      addTexts(edited, modifiedFiles);
      continue;
    }
    const message = messageOf(entry);
    if (message?.role !== 'assistant') continue;
    for (const block of listOf(message.content)) {
      if (block.type !== 'toolCall') continue;
      const target = byTool.get(block.name);
      if (target) addTexts(target, [block.arguments?.path]);
    }
  }
  return { read, written, edited };
}

export function listFiles({ read, written, edited }: FileOperations): FileLists {
  const modified = new Set([...edited, ...written]);
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() };
}

function addTexts(texts: Set<string>, values: unknown): void {
  if (Array.isArray(values)) for (const value of values) if (typeof value === 'string') texts.add(value);
}

/** At the end of a summary. */
export const fileListText = ({ readFiles, modifiedFiles }: FileLists): string =>
  tagged('read-files', readFiles) + tagged('modified-files', modifiedFiles);

const tagged = (tag: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : `\n\n<${tag}>\n${paths.join('\n')}\n</${tag}>`;
