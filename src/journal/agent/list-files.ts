import { messageOf, type SessionEntry } from '../entries.ts';
import { listOf } from '../values.ts';

export interface FileLists {
  /** Read and not changed. */
  readFiles: string[];
  modifiedFiles: string[];
}

/** The files that tool calls name, and those that older summaries of ours list. */
export function listFiles(entries: readonly SessionEntry[]): FileLists {
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'branch_summary' || entry.type === 'compaction') {
      if (entry.fromHook || entry.fromExtension) continue;
      const { readFiles, modifiedFiles } = (entry.details ?? {}) as Partial<FileLists>;
      addTexts(read, readFiles);
      addTexts(modified, modifiedFiles);
      continue;
    }
    const message = messageOf(entry);
    if (message?.role !== 'assistant') continue;
    for (const block of listOf(message.content)) {
      if (block.type !== 'toolCall') continue;
      const target = block.name === 'read' ? read : CHANGING.has(block.name) ? modified : null;
      if (target) addTexts(target, [block.arguments?.path]);
    }
  }
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() };
}

const CHANGING: ReadonlySet<string> = new Set(['write', 'edit']);

function addTexts(texts: Set<string>, values: unknown): void {
  if (Array.isArray(values)) for (const value of values) if (typeof value === 'string') texts.add(value);
}

/** At the end of a summary. */
export const fileListText = ({ readFiles, modifiedFiles }: FileLists): string =>
  tagged('read-files', readFiles) + tagged('modified-files', modifiedFiles);

const tagged = (tag: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : `\n\n<${tag}>\n${paths.join('\n')}\n</${tag}>`;
