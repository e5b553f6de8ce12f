import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MemoryFile, memoryFile } from './read-tree.ts';

const FOLDER = fileURLToPath(new URL('../../shared/corpus/claude-code/projects', import.meta.url));

/** Real public transcripts, if they lie beside the checkout: never copied, read in place. */
export const realCorpus: string | null = existsSync(FOLDER) ? FOLDER : null;

/** The public transcripts, several times over under other project names. */
export function readReal(folder: string, times: number): MemoryFile[] {
  const files: MemoryFile[] = [];
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(jsonl|meta\.json)$/.test(path)) continue;
    for (let i = 0; i < times; i++) files.push(memoryFile(`${i}${path}`, readFileSync(join(folder, path))));
  }
  return files;
}
