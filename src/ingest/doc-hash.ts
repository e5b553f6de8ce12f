import type { LogRecord } from '../model/index.ts';
import type { MessageEntry } from '../stores/index.ts';
import type { SaidAt } from './text-docs.ts';

/** Equal while the document of a message says the same: its lines, its title, what filters ask for. Never 0. */
export function docHash(row: MessageEntry, record: LogRecord, { refs, callAt }: SaidAt, title: string | null): number {
  let hash = title === null ? refs.length : hashText(title);
  const add = (value: number): void => {
    hash = (Math.imul(hash, 31) + value) | 0;
  };
  for (const { file, line } of refs) add(line + hashOf(file));
  if (callAt) add(callAt.line + hashOf(callAt.file));
  add(Math.floor((row.time ?? 0) / 1000));
  add((row.isSidechain ? 1 : 0) + (row.isError ? 2 : 0));
  for (const text of [row.toolName, record.usage?.model, record.env.gitBranch, record.env.cwd])
    add(text ? hashOf(text) : 0);
  return hash === 0 ? 1 : hash;
}

/** The same names come again and again. */
const HASHES = new Map<string, number>();

function hashOf(name: string): number {
  let hash = HASHES.get(name);
  if (hash === undefined) {
    hash = hashText(name);
    if (HASHES.size > 10_000) HASHES.clear();
    HASHES.set(name, hash);
  }
  return hash;
}

function hashText(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
